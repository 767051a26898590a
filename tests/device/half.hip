// SPDX-License-Identifier: MIT
// __half and __half2: every conversion over all values, arithmetic against exact results, on the device and on the host.
#include <hip/hip_fp16.h>

#include "tests/device/check.h"
#include "tests/device/small_float.h"

static double valueOf(__half x) { return halfValue(__half_as_ushort(x)); }

__global__ void fromFloat(const float *in, __half *out, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    out[5 * i] = __float2half_rn(in[i]);
    out[5 * i + 1] = __float2half_rz(in[i]);
    out[5 * i + 2] = __float2half_ru(in[i]);
    out[5 * i + 3] = __float2half_rd(in[i]);
    out[5 * i + 4] = in[i];
  }
}

TEST(fromFloat) {
  std::vector<float> values = floatsAround(halfValue, 65504.0);
  DeviceArray<float> in(values);
  DeviceArray<__half> out(values.size() * 5);
  fromFloat<<<64, 64>>>(in, out, values.size());
  std::vector<__half> results = out.host();
  const Round modes[] = {Round::Nearest, Round::Zero, Round::Up, Round::Down, Round::Nearest};
  const char *names[] = {"float2half_rn", "float2half_rz", "float2half_ru", "float2half_rd", "__half(float)"};
  for (int mode = 0; mode < 5; ++mode) {
    Comparison compare{names[mode]};
    for (size_t i = 0; i < values.size(); ++i)
      compare(values[i], valueOf(results[5 * i + mode]), roundTo(kHalf, values[i], modes[mode]));
  }
  Comparison host{"float2half on the host"};
  for (float value : values)
    host(value, valueOf(__float2half(value)), roundTo(kHalf, value));
}

__global__ void fromDouble(const double *in, __half *out, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = in[i];
}
TEST(fromDouble) {
  // Doubles beside the middle between two halves, which a detour through float would round to the middle.
  std::vector<double> values;
  for (unsigned bits = 0; bits < 0x7c00; ++bits) {
    double low = halfValue(bits), step = bits == 0x7bff ? 32 : halfValue(bits + 1) - low;
    for (double offset : {0.5 - 0x1p-40, 0.5, 0.5 + 0x1p-40})
      values.push_back(low + step * offset);
  }
  DeviceArray<double> in(values);
  DeviceArray<__half> out(values.size());
  fromDouble<<<64, 64>>>(in, out, values.size());
  std::vector<__half> results = out.host();
  Comparison device{"__half(double)"}, host{"__half(double) on the host"};
  for (size_t i = 0; i < values.size(); ++i) {
    device(values[i], valueOf(results[i]), roundTo(kHalf, values[i]));
    host(values[i], valueOf(__half(values[i])), roundTo(kHalf, values[i]));
  }
}

// All 65536 values to an integer type and back from the integers.
#define INTEGER_KERNEL(T, name)                                                                                        \
  __global__ void to_##name(T *out) {                                                                                  \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                                \
    __half x = __ushort_as_half((unsigned short)i);                                                                    \
    out[4 * i] = __half2##name##_rn(x);                                                                                \
    out[4 * i + 1] = __half2##name##_rz(x);                                                                            \
    out[4 * i + 2] = __half2##name##_ru(x);                                                                            \
    out[4 * i + 3] = __half2##name##_rd(x);                                                                            \
  }                                                                                                                    \
  __global__ void from_##name(const T *in, __half *out) {                                                              \
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;                                                                \
    out[4 * i] = __##name##2half_rn(in[i]);                                                                            \
    out[4 * i + 1] = __##name##2half_rz(in[i]);                                                                        \
    out[4 * i + 2] = __##name##2half_ru(in[i]);                                                                        \
    out[4 * i + 3] = __##name##2half_rd(in[i]);                                                                        \
  }
INTEGER_KERNEL(short, short)
INTEGER_KERNEL(unsigned short, ushort)
INTEGER_KERNEL(int, int)
INTEGER_KERNEL(unsigned, uint)
INTEGER_KERNEL(long long, ll)
INTEGER_KERNEL(unsigned long long, ull)

template <class T> void testInteger(const char *name, void (*to)(T *), void (*from)(const T *, __half *)) {
  const Round modes[] = {Round::Nearest, Round::Zero, Round::Up, Round::Down};
  DeviceArray<T> integers(65536 * 4);
  to<<<256, 256>>>(integers);
  std::vector<T> results = integers.host();
  long wrong = 0;
  for (int i = 0; i < 65536; ++i)
    for (int mode = 0; mode < 4; ++mode) {
      double x = roundInteger(halfValue(i), modes[mode]);
      T expected = std::isnan(x)                                                ? 0
                   : x >= std::ldexp(1.0, std::numeric_limits<T>::digits)       ? std::numeric_limits<T>::max()
                   : x <= static_cast<double>(std::numeric_limits<T>::lowest()) ? std::numeric_limits<T>::lowest()
                                                                                : static_cast<T>(x);
      if (results[4 * i + mode] != expected && wrong++ == 0)
        std::cerr << "half2" << name << ": bits " << i << " mode " << mode << " gives " << +results[4 * i + mode]
                  << '\n';
    }
  CHECK(wrong == 0);

  std::vector<T> values;
  uint64_t state = sizeof(T);
  for (int i = 0; i < 4096; ++i)
    values.push_back(static_cast<T>(nextRandom(state) >> nextRandom(state) % 64));
  for (int i = 0; i < 4096; ++i)
    values.push_back(static_cast<T>((i % 2 ? 1 : -1) * (60000 + 4 * i)));
  DeviceArray<T> in(values);
  DeviceArray<__half> out(values.size() * 4);
  from<<<32, 256>>>(in, out);
  std::vector<__half> halves = out.host();
  Comparison compare{name};
  for (size_t i = 0; i < values.size(); ++i)
    for (int mode = 0; mode < 4; ++mode)
      compare(static_cast<double>(values[i]), valueOf(halves[4 * i + mode]),
              roundTo(kHalf, static_cast<double>(values[i]), modes[mode]));
}

// Arithmetic: the same function on both sides.
struct Results {
  __half add, sub, mul, div, sum, compound, largest, smallest, addSat, mulSat;
  unsigned comparisons;
};
__host__ __device__ Results compute(__half x, __half y) {
  Results r;
  r.add = __hadd(x, y);
  r.sub = x - y;
  r.mul = __hmul(x, y);
  r.div = x / y;
  __half2 pair = __hadd2(__half2(x, y), __half2(y, x));
  r.sum = __high2half(pair);
  r.compound = x;
  r.compound *= y;
  r.largest = __hmax(x, y);
  r.smallest = __hmin(x, y);
  r.addSat = __hadd_sat(x, y);
  r.mulSat = __hmul2_sat(__half2(x, x), __half2(y, y)).y;
  bool bits[] = {__heq(x, y),  __hne(x, y),  x<y, __hle(x, y), x> y, __hge(x, y),  __hequ(x, y),
                 __hneu(x, y), __hltu(x, y), __hleu(x, y),           __hgtu(x, y), __hgeu(x, y)};
  r.comparisons = 0;
  for (int i = 0; i < 12; ++i)
    r.comparisons |= (unsigned)bits[i] << i;
  return r;
}
__global__ void arithmetic(const unsigned *pairs, Results *out, __half *fused, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __half x = __ushort_as_half((unsigned short)pairs[i]), y = __ushort_as_half((unsigned short)(pairs[i] >> 16));
  out[i] = compute(x, y);
  fused[i] = __hfma(x, y, __ushort_as_half((unsigned short)pairs[(i + 1) % n]));
}
static double saturate(double x) { return x < 0 ? 0.0 : x > 1 ? 1.0 : x; } // NaN stays, as with AMD's headers
static void checkArithmetic(const char *side, const std::vector<unsigned> &pairs, const Results *results) {
  Comparison add{"add"}, sub{"sub"}, mul{"mul"}, div{"div"}, extremes{"min, max"}, sat{"sat"};
  long wrongComparisons = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    double x = halfValue(pairs[i]), y = halfValue(pairs[i] >> 16);
    const Results &r = results[i];
    add(x, valueOf(r.add), roundTo(kHalf, x + y));
    add(x, valueOf(r.sum), roundTo(kHalf, y + x));
    sub(x, valueOf(r.sub), roundTo(kHalf, x - y));
    mul(x, valueOf(r.mul), roundTo(kHalf, x * y));
    mul(x, valueOf(r.compound), roundTo(kHalf, x * y));
    div(x, valueOf(r.div), roundTo(kHalf, x / y));
    sat(x, valueOf(r.addSat), saturate(roundTo(kHalf, x + y)));
    sat(x, valueOf(r.mulSat), saturate(roundTo(kHalf, x * y)));
    bool bothZero = x == 0 && y == 0;
    extremes(x, valueOf(r.largest), bothZero ? (std::signbit(x) && std::signbit(y) ? -0.0 : 0.0) : std::fmax(x, y));
    extremes(x, valueOf(r.smallest), bothZero ? (std::signbit(x) || std::signbit(y) ? -0.0 : 0.0) : std::fmin(x, y));
    bool expected[] = {x == y,    x != y,    x<y, x <= y, x> y, x >= y,    !(x < y || x > y),
                       !(x == y), !(x >= y), !(x > y),          !(x <= y), !(x < y)};
    unsigned bits = 0;
    for (int k = 0; k < 12; ++k)
      bits |= (unsigned)expected[k] << k;
    wrongComparisons += bits != r.comparisons;
  }
  if (wrongComparisons)
    std::fprintf(stderr, "%s: %ld wrong comparisons\n", side, wrongComparisons);
  CHECK_EQ(wrongComparisons, 0);
}
static std::vector<unsigned> makePairs() {
  const unsigned special[] = {0,      0x8000, 1,      0x8001, 0x3ff,  0x400,  0x3c00, 0xbc00,
                              0x3c01, 0x7bff, 0xfbff, 0x7c00, 0xfc00, 0x7e00, 0x3800, 0x5bff};
  std::vector<unsigned> pairs;
  for (unsigned x : special)
    for (unsigned y : special)
      pairs.push_back(x | y << 16);
  // Products in the middle between two halves, for sums with something small: the next entry begins with it.
  for (unsigned x = 0x3c01; x < 0x3c40; x += 2)
    for (unsigned z : {0x0001u, 0x8001u, 0x0003u, 0x8200u, 0x0000u}) {
      pairs.push_back(x | 0x3e00u << 16);
      pairs.push_back(z | x << 16);
      pairs.push_back(x | 0xbe00u << 16);
      pairs.push_back(z);
    }
  uint64_t state = 7;
  while (pairs.size() < 200000)
    pairs.push_back((unsigned)nextRandom(state));
  return pairs;
}
TEST(arithmetic) {
  std::vector<unsigned> pairs = makePairs();
  DeviceArray<unsigned> in(pairs);
  DeviceArray<Results> out(pairs.size());
  DeviceArray<__half> fused(pairs.size());
  arithmetic<<<(pairs.size() + 255) / 256, 256>>>(in, out, fused, pairs.size());
  std::vector<Results> results = out.host();
  checkArithmetic("device", pairs, results.data());
  std::vector<__half> sums = fused.host();
  Comparison fma{"hfma"};
  for (size_t i = 0; i < pairs.size(); ++i)
    fma(halfValue(pairs[i]), valueOf(sums[i]),
        roundTo(kHalf,
                std::fma(halfValue(pairs[i]), halfValue(pairs[i] >> 16), halfValue(pairs[(i + 1) % pairs.size()]))));
  for (size_t i = 0; i < pairs.size(); ++i)
    results[i] = compute(__ushort_as_half(pairs[i]), __ushort_as_half(pairs[i] >> 16));
  checkArithmetic("host", pairs, results.data());
}

// Mathematics over all values.
constexpr int kFunctions = 15;
__global__ void mathematics(__half *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __half x = __ushort_as_half((unsigned short)i);
  __half2 v(x, x);
  __half results[kFunctions] = {hceil(x),
                                hfloor(x),
                                htrunc(x),
                                hrint(x),
                                hsqrt(x),
                                hrcp(x),
                                h2rsqrt(v).y,
                                hsin(x),
                                h2cos(v).x,
                                hexp(x),
                                hexp2(x),
                                h2exp10(v).y,
                                __high2half(h2log(v)),
                                hlog2(x),
                                hlog10(x)};
  for (int k = 0; k < kFunctions; ++k)
    out[i * kFunctions + k] = results[k];
}
TEST(mathematics) {
  double (*functions[])(double) = {
      [](double x) { return std::ceil(x); },     [](double x) { return std::floor(x); },
      [](double x) { return std::trunc(x); },    [](double x) { return std::nearbyint(x); },
      [](double x) { return std::sqrt(x); },     [](double x) { return 1 / x; },
      [](double x) { return 1 / std::sqrt(x); }, [](double x) { return std::sin(x); },
      [](double x) { return std::cos(x); },      [](double x) { return std::exp(x); },
      [](double x) { return std::exp2(x); },     [](double x) { return std::pow(10.0, x); },
      [](double x) { return std::log(x); },      [](double x) { return std::log2(x); },
      [](double x) { return std::log10(x); }};
  DeviceArray<__half> out(65536 * kFunctions);
  mathematics<<<256, 256>>>(out);
  std::vector<__half> results = out.host();
  for (int k = 0; k < kFunctions; ++k) {
    long wrong = 0;
    int first = 0;
    for (int i = 0; i < 65536; ++i) {
      double exact = functions[k](halfValue(i)), actual = valueOf(results[i * kFunctions + k]);
      // The first six round correctly; others may err by a unit in the last place.
      double low = roundTo(kHalf, exact);
      bool good = k < 6 ? sameValue(actual, low)
                        : sameValue(actual, low) || actual == roundTo(kHalf, exact, Round::Up) ||
                              actual == roundTo(kHalf, exact, Round::Down);
      if (!good && wrong++ == 0)
        first = i;
    }
    if (wrong)
      std::fprintf(stderr, "function %d: %ld wrong, first at bits 0x%x: %a, exactly %a\n", k, wrong, first,
                   valueOf(results[first * kFunctions + k]), functions[k](halfValue(first)));
    CHECK_EQ(wrong, 0);
  }
}

// Pairs, classification, shuffles and the atomic addition.
__global__ void others(unsigned short *out, __half2 *counter) {
  __half lane((int)threadIdx.x);
  __half2 both(lane, __hneg(lane));
  __half2 shuffled = __shfl_xor(both, 1, 32);
  out[threadIdx.x * 4] = __half_as_ushort(__shfl(lane, 5, 32));
  out[threadIdx.x * 4 + 1] = __half_as_ushort(__shfl_down(lane, 1, 32));
  out[threadIdx.x * 4 + 2] = __half_as_ushort(shuffled.x);
  out[threadIdx.x * 4 + 3] = __half_as_ushort(shuffled.y);
  unsafeAtomicAdd(counter, __floats2half2_rn(1.0f, 2.0f));
}
TEST(others) {
  DeviceArray<unsigned short> out(32 * 4);
  DeviceArray<__half2> counter(1);
  others<<<8, 32>>>(out, counter);
  std::vector<unsigned short> lanes = out.host();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(halfValue(lanes[i * 4]), 5.0);
    CHECK_EQ(halfValue(lanes[i * 4 + 1]), i == 31 ? 31.0 : i + 1.0);
    CHECK_EQ(halfValue(lanes[i * 4 + 2]), (double)(i ^ 1));
    CHECK_EQ(halfValue(lanes[i * 4 + 3]), -(double)(i ^ 1));
  }
  CHECK_EQ(__low2float(counter.host()[0]), 256.0f);
  CHECK_EQ(__high2float(counter.host()[0]), 512.0f);

  __half2 v = __floats2half2_rn(1.5f, -2.5f), w(__float2half(4.0f), HIPRT_INF_FP16);
  CHECK(__lowhigh2highlow(v) == __floats2half2_rn(-2.5f, 1.5f));
  CHECK(__lows2half2(v, w) == __floats2half2_rn(1.5f, 4.0f));
  CHECK(__highs2half2(v, w).x == __half(-2.5f) && __hisinf(__highs2half2(v, w).y));
  CHECK(__high2half2(v) == __float2half2_rn(-2.5f));
  CHECK(__habs2(v) == __floats2half2_rn(1.5f, 2.5f) && -v == __hneg2(v));
  CHECK(__half22float2(v) == make_float2(1.5f, -2.5f));
  CHECK(__hblt2(v, w) && !__hbgt2(v, w) && __hbne2(v, w) && v < w && v != w);
  // As in AMD's header, <= and >= of pairs are the contraries of > and <.
  const __half2 mixed(__half(5), __half(8)), other(__half(2), __half(10)), nans(HIPRT_NAN_FP16, HIPRT_NAN_FP16);
  CHECK(!(mixed < other) && !(mixed > other) && mixed <= other && mixed >= other);
  CHECK(!(nans < nans) && nans <= nans && nans >= nans && nans != nans);
  CHECK(!__hble2(mixed, other) && !__hbge2(mixed, other) && !__hble2(nans, nans));
  CHECK(__hisnan(HIPRT_NAN_FP16) && !__hisnan(HIPRT_INF_FP16) && __hisinf(__hneg(HIPRT_INF_FP16)));
  CHECK(__hisnan(__hmax_nan(HIPRT_NAN_FP16, HIPRT_ONE_FP16)) &&
        __hmax(HIPRT_NAN_FP16, HIPRT_ONE_FP16) == HIPRT_ONE_FP16);
  __half x = 3;
  CHECK(x++ == __half(3) && ++x == __half(5) && x-- == __half(5) && --x == __half(3));
  CHECK_EQ(static_cast<int>(__half(-7.9f)), -7);
  __half_raw raw = x;
  CHECK_EQ(raw.x, 0x4200);
}

// A half takes the bits of another, and gives its own, also where they are volatile.
static_assert(std::is_assignable<__half, __half_raw>::value && std::is_assignable<__half, const __half_raw &>::value &&
                  std::is_assignable<__half, volatile __half_raw &>::value &&
                  std::is_assignable<__half, volatile __half_raw &&>::value &&
                  std::is_assignable<volatile __half &, __half_raw>::value &&
                  std::is_assignable<volatile __half &, volatile __half_raw &>::value &&
                  std::is_convertible<__half, __half_raw>::value &&
                  std::is_convertible<volatile __half, __half_raw>::value,
              "");

TEST(integers) {
  testInteger<short>("short", to_short, from_short);
  testInteger<unsigned short>("ushort", to_ushort, from_ushort);
  testInteger<int>("int", to_int, from_int);
  testInteger<unsigned>("uint", to_uint, from_uint);
  testInteger<long long>("ll", to_ll, from_ll);
  testInteger<unsigned long long>("ull", to_ull, from_ull);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
