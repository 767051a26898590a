// SPDX-License-Identifier: MIT
// Complex numbers: hip/hip_complex.h's functions and the products and quotients of _Complex numbers, on the device and on
// the host, against long double.
#include <hip/hip_complex.h>

#include <complex>

#include "tests/device/check.h"
#include "tests/device/small_float.h"

typedef std::complex<long double> Exact;

struct Results {
  hipFloatComplex sum, difference, product, quotient, fused, conjugate;
  float size, square;
  hipDoubleComplex wideProduct, wideQuotient, wideFused;
  double wideSize;
};
__host__ __device__ Results compute(hipFloatComplex p, hipFloatComplex q) {
  Results r;
  r.sum = hipCaddf(p, q);
  r.difference = hipCsubf(p, q);
  r.product = hipCmulf(p, q);
  r.quotient = hipCdivf(p, q);
  r.fused = hipCfmaf(p, q, p);
  r.conjugate = hipConjf(p);
  r.size = hipCabsf(p);
  r.square = hipCsqabsf(p);
  hipDoubleComplex u = hipComplexFloatToDouble(p), v = hipComplexFloatToDouble(q);
  r.wideProduct = hipCmul(u, v);
  r.wideQuotient = hipCdiv(u, v);
  r.wideFused = hipCfma(u, v, make_hipDoubleComplex(1.0, -1.0));
  r.wideSize = hipCabs(u);
  return r;
}
__global__ void computeAll(const hipFloatComplex *values, Results *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = compute(values[2 * i], values[2 * i + 1]);
}

template <class C> Exact exactOf(C z) { return Exact(z.x, z.y); }
// The error, relative to the size of what was computed with.
template <class C> void checkClose(const char *what, C actual, Exact expected, long double size, long double unit) {
  if (std::abs(exactOf(actual) - expected) > 8 * unit * size) {
    ++checkFailures;
    std::fprintf(stderr, "%s: %g %gi, expected %Lg %Lgi\n", what, (double)actual.x, (double)actual.y, expected.real(),
                 expected.imag());
  }
}

TEST(functions) {
  constexpr int kCount = 1000;
  constexpr long double kSingle = 0x1p-24L, kDouble = 0x1p-53L;
  std::vector<hipFloatComplex> values;
  uint64_t state = 5;
  for (int i = 0; i < 2 * kCount; ++i) {
    float parts[2];
    for (float &part : parts)
      part = std::ldexp(static_cast<float>(static_cast<int>(nextRandom(state) >> 40) - (1 << 23)),
                        static_cast<int>(nextRandom(state) % 20) - 30);
    values.push_back(make_hipComplex(parts[0], parts[1]));
  }
  DeviceArray<hipFloatComplex> in(values);
  DeviceArray<Results> out(kCount);
  computeAll<<<(kCount + 63) / 64, 64>>>(in, out, kCount);
  std::vector<Results> results = out.host();
  for (bool host : {false, true}) {
    for (int i = 0; i < kCount; ++i) {
      hipFloatComplex p = values[2 * i], q = values[2 * i + 1];
      Results r = host ? compute(p, q) : results[i];
      Exact x = exactOf(p), y = exactOf(q);
      long double product = std::abs(x) * std::abs(y), sum = std::abs(x) + std::abs(y);
      checkClose("sum", r.sum, x + y, sum, kSingle);
      checkClose("difference", r.difference, x - y, sum, kSingle);
      checkClose("product", r.product, x * y, product, kSingle);
      checkClose("quotient", r.quotient, x / y, std::abs(x) / std::abs(y), kSingle);
      checkClose("fused", r.fused, x * y + x, product + sum, kSingle);
      checkClose("wide product", r.wideProduct, x * y, product, kDouble);
      checkClose("wide quotient", r.wideQuotient, x / y, std::abs(x) / std::abs(y), kDouble);
      checkClose("wide fused", r.wideFused, x * y + Exact(1, -1), product + 2, kDouble);
      CHECK(r.conjugate == make_hipFloatComplex(p.x, -p.y));
      CHECK_NEAR(r.size, static_cast<double>(std::abs(x)), 4 * 0x1p-24 * static_cast<double>(std::abs(x)));
      CHECK_NEAR(r.square, static_cast<double>(std::norm(x)), 4 * 0x1p-24 * static_cast<double>(std::norm(x)));
      CHECK_NEAR(r.wideSize, static_cast<double>(std::abs(x)), 4 * 0x1p-53 * static_cast<double>(std::abs(x)));
    }
  }
  CHECK_EQ(hipCrealf(make_hipFloatComplex(1.0f, 2.0f)), 1.0f);
  CHECK_EQ(hipCimag(make_hipDoubleComplex(1.0, 2.0)), 2.0);
  CHECK_EQ(hipCimagf(hipComplexDoubleToFloat(make_hipDoubleComplex(1.0, 2.5))), 2.5f);
  // AMD's formulas square the operands, so what is far out of the range of the squares overflows; on the device, too.
  const hipFloatComplex large = make_hipFloatComplex(1e30f, 1e30f);
  DeviceArray<hipFloatComplex> largeIn(std::vector<hipFloatComplex>{large, large});
  DeviceArray<Results> largeOut(1);
  computeAll<<<1, 1>>>(largeIn, largeOut, 1);
  for (const Results &r : {compute(large, large), largeOut.host()[0]}) {
    CHECK(std::isnan(r.quotient.x));
    CHECK(std::isinf(r.size));
    CHECK_EQ(r.wideQuotient.x, 1.0);
  }
}

// Operators of _Complex numbers in device code, which for infinities and NaN call functions of the device library.
template <class T> struct ComplexTypes {
  typedef _Complex float type;
};
template <> struct ComplexTypes<double> {
  typedef _Complex double type;
};
template <class T> using ComplexOf = typename ComplexTypes<T>::type;

// One operation a kernel: where double precision is emulated, compile time grows faster than the kernel.
template <class T, bool kQuotient> __global__ void operators(const T *in, T *out, int n) {
  int i = threadIdx.x;
  if (i >= n)
    return;
  ComplexOf<T> x, y;
  __real__ x = in[4 * i], __imag__ x = in[4 * i + 1], __real__ y = in[4 * i + 2], __imag__ y = in[4 * i + 3];
  ComplexOf<T> result = kQuotient ? x / y : x * y;
  out[4 * i + 2 * kQuotient] = __real__ result, out[4 * i + 2 * kQuotient + 1] = __imag__ result;
}
template <class T> void testOperators(T tolerance) {
  const T parts[] = {0, 1, -2, T(INFINITY), T(NAN), std::numeric_limits<T>::max() / 4};
  std::vector<T> values;
  for (T a : parts)
    for (T b : parts)
      for (T c : {T(1), T(0), T(INFINITY), T(-3), T(NAN)})
        values.insert(values.end(), {a, b, c, T(2)});
  int n = static_cast<int>(values.size() / 4);
  CHECK(n <= 256);
  DeviceArray<T> in(values), out(values.size());
  operators<T, false><<<1, 256>>>(static_cast<T *>(in), static_cast<T *>(out), n);
  operators<T, true><<<1, 256>>>(static_cast<T *>(in), static_cast<T *>(out), n);
  std::vector<T> results = out.host();
  // Infinite if either part is; else NaN if either is.
  auto kind = [](T x, T y) { return std::isinf(x) || std::isinf(y) ? 2 : std::isnan(x) || std::isnan(y) ? 1 : 0; };
  for (int i = 0; i < n; ++i) {
    ComplexOf<T> x, y;
    __real__ x = values[4 * i], __imag__ x = values[4 * i + 1], __real__ y = values[4 * i + 2],
             __imag__ y = values[4 * i + 3];
    ComplexOf<T> expected[] = {x * y, x / y};
    for (int k = 0; k < 2; ++k) {
      T real = __real__ expected[k], imaginary = __imag__ expected[k];
      T deviceReal = results[4 * i + 2 * k], deviceImaginary = results[4 * i + 2 * k + 1];
      CHECK_EQ(kind(deviceReal, deviceImaginary), kind(real, imaginary));
      if (kind(real, imaginary) == 0) {
        CHECK_NEAR(deviceReal, real, tolerance * std::hypot(real, imaginary));
        CHECK_NEAR(deviceImaginary, imaginary, tolerance * std::hypot(real, imaginary));
      }
    }
  }
}

TEST(operators) {
  testOperators<float>(0x1p-21f);
  testOperators<double>(0x1p-50);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
