// SPDX-License-Identifier: MIT
// OCP's formats of 4 and 6 bits against the tables of its specification (OCP Microscaling Formats 1.0, 5.3): every code, every number
// halfway between two and next to it, numbers that are too large, random ones, on the device and on the host; the classes of one, two
// and four values. The model knows values only: the nearest one is searched for.
#include <hip/hip_fp4.h>
#include <hip/hip_fp6.h>

#include "tests/device/check.h"
#include "tests/device/small_float.h"

#include <vector>

/// The positive values of a format by their codes.
struct Table {
  int bits;
  std::vector<double> values;

  /// Of two values that are as near, the one with the even code.
  unsigned nearest(double x) const {
    const double size = std::fabs(x);
    unsigned best = 0;
    for (unsigned code = 1; code < values.size(); ++code) {
      const double before = std::fabs(size - values[best]), here = std::fabs(size - values[code]);
      if (here < before || (here == before && code % 2 == 0))
        best = code;
    }
    if (!(size < values.back())) // infinities and NaN are the largest value
      best = values.size() - 1;
    return best | (std::signbit(x) ? 1u << (bits - 1) : 0);
  }
};
static const Table kE2M1 = {4, {0, 0.5, 1, 1.5, 2, 3, 4, 6}};
static const Table kE2M3 = {6, {0,     0.125, 0.25,  0.375, 0.5,   0.625, 0.75, 0.875, 1,    1.125, 1.25,
                                1.375, 1.5,   1.625, 1.75,  1.875, 2,     2.25, 2.5,   2.75, 3,     3.25,
                                3.5,   3.75,  4,     4.5,   5,     5.5,   6,    6.5,   7,    7.5}};
static const Table kE3M2 = {6, {0,     0.0625, 0.125, 0.1875, 0.25, 0.3125, 0.375, 0.4375, 0.5, 0.625, 0.75,
                                0.875, 1,      1.25,  1.5,    1.75, 2,      2.5,   3,      3.5, 4,     5,
                                6,     7,      8,     10,     12,   14,     16,    20,     24,  28}};

/// One number in all ways.
struct Converted {
  unsigned single, twice, half, bfloat, pair, halfPair, four;
};

template <class One, class Two, class Four> __host__ __device__ Converted convert(float x) {
  Converted c;
  c.single = One(x).__x;
  c.twice = One(x * (1 + 0x1p-40)).__x;
  c.half = One(__float2half(x)).__x;
  c.bfloat = One(__float2bfloat16(x)).__x;
  c.pair = Two(make_float2(x, -x)).__x;
  c.halfPair = Two(__floats2half2_rn(-x, x)).__x;
  c.four = Four(make_float4(x, 1, -x, -1)).__x;
  return c;
}
template <class One, class Two, class Four> __global__ void convertAll(const float *in, Converted *out, unsigned n) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = convert<One, Two, Four>(in[i]);
}

static std::vector<float> argumentsFor(const Table &table) {
  std::vector<float> values{0.0f,      -0.0f,    INFINITY,         -INFINITY, NAN,   -NAN,
                            0x1p-149f, 0x1p127f, -0x1.fffffep127f, 0x1p-60f,  40000, -50000};
  for (size_t code = 0; code < table.values.size(); ++code) {
    const double here = table.values[code],
                 next = code + 1 < table.values.size() ? table.values[code + 1] : 1.25 * here;
    const float middle = static_cast<float>((here + next) / 2);
    for (float point :
         {static_cast<float>(here), std::nextafterf(middle, 0.0f), middle, std::nextafterf(middle, INFINITY)}) {
      values.push_back(point);
      values.push_back(-point);
    }
  }
  uint64_t state = 11;
  for (int i = 0; i < 4000; ++i)
    values.push_back(static_cast<float>(static_cast<int32_t>(nextRandom(state))) * 0x1p-26f);
  for (int i = 0; i < 4000; ++i)
    values.push_back(floatOfBits(static_cast<uint32_t>(nextRandom(state))));
  return values;
}

template <class One, class Two, class Four> static void check(const Table &table, int step) {
  const std::vector<float> values = argumentsFor(table);
  const unsigned n = values.size();
  float *in;
  Converted *out;
  HIP_CHECK(hipMallocManaged(&in, n * sizeof *in));
  HIP_CHECK(hipMallocManaged(&out, n * sizeof *out));
  std::copy(values.begin(), values.end(), in);
  convertAll<One, Two, Four><<<8, 128>>>(in, out, n);
  HIP_CHECK(hipDeviceSynchronize());
  for (unsigned i = 0; i < n; ++i) {
    const float x = values[i];
    const unsigned code = table.nearest(x), opposite = table.nearest(-x), one = table.nearest(1),
                   minusOne = table.nearest(-1);
    const unsigned fromHalf = table.nearest(__half2float(__float2half(x))),
                   oppositeHalf = table.nearest(__half2float(__float2half(-x)));
    for (const Converted &c : {out[i], convert<One, Two, Four>(x)}) {
      CHECK_EQ(c.single, code);
      CHECK_EQ(c.twice, table.nearest(x * (1 + 0x1p-40)));
      CHECK_EQ(c.half, fromHalf);
      CHECK_EQ(c.bfloat, table.nearest(__bfloat162float(__float2bfloat16(x))));
      CHECK_EQ(c.pair, code | opposite << step);
      CHECK_EQ(c.halfPair, oppositeHalf | fromHalf << step);
      CHECK_EQ(c.four, code | one << step | opposite << 2 * step | minusOne << 3 * step);
    }
  }
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
}

TEST(conversionsToE2M1) { check<__hip_fp4_e2m1, __hip_fp4x2_e2m1, __hip_fp4x4_e2m1>(kE2M1, 4); }
TEST(conversionsToE2M3) { check<__hip_fp6_e2m3, __hip_fp6x2_e2m3, __hip_fp6x4_e2m3>(kE2M3, 8); }
TEST(conversionsToE3M2) { check<__hip_fp6_e3m2, __hip_fp6x2_e3m2, __hip_fp6x4_e3m2>(kE3M2, 8); }

/// The values of a code and of two and four.
struct Values {
  float single, half, bfloat;
  double twice;
  float2 pair;
  double2 twicePair;
  float4 four;
};
template <class One, class Two, class Four>
__host__ __device__ Values valuesOf(unsigned code, unsigned other, int step) {
  One one;
  one.__x = static_cast<decltype(one.__x)>(code);
  Two two;
  two.__x = static_cast<decltype(two.__x)>(code | other << step);
  Four four;
  four.__x = static_cast<decltype(four.__x)>(other | code << step | code << 2 * step | other << 3 * step);
  Values v;
  v.single = one;
  v.twice = one;
  v.half = __half2float(__half(static_cast<__half_raw>(one)));
  v.bfloat = __bfloat162float(__hip_bfloat16(static_cast<__hip_bfloat16_raw>(one)));
  v.pair = two;
  v.twicePair = two;
  v.four = four;
  return v;
}
template <class One, class Two, class Four> __global__ void expandAll(Values *out, int step) {
  out[threadIdx.x] = valuesOf<One, Two, Four>(threadIdx.x, blockDim.x - 1 - threadIdx.x, step);
}
template <class One, class Two, class Four> static void checkValues(const Table &table, int step) {
  const unsigned n = 1u << table.bits;
  Values *out;
  HIP_CHECK(hipMallocManaged(&out, n * sizeof *out));
  expandAll<One, Two, Four><<<1, n>>>(out, step);
  HIP_CHECK(hipDeviceSynchronize());
  const auto valueOf = [&](unsigned code) { return code < n / 2 ? table.values[code] : -table.values[code - n / 2]; };
  for (unsigned code = 0; code < n; ++code) {
    const double here = valueOf(code), other = valueOf(n - 1 - code);
    for (const Values &v : {out[code], valuesOf<One, Two, Four>(code, n - 1 - code, step)}) {
      CHECK_EQ(v.single, here);
      CHECK_EQ(std::signbit(v.single), code >= n / 2);
      CHECK_EQ(v.half, here);
      CHECK_EQ(v.bfloat, here);
      CHECK_EQ(v.twice, here);
      CHECK_EQ(v.pair.x, here);
      CHECK_EQ(v.pair.y, other);
      CHECK_EQ(v.twicePair.x, here);
      CHECK_EQ(v.twicePair.y, other);
      CHECK_EQ(v.four.x, other);
      CHECK_EQ(v.four.y, here);
      CHECK_EQ(v.four.z, here);
      CHECK_EQ(v.four.w, other);
    }
  }
  HIP_CHECK(hipFree(out));
}

TEST(valuesOfE2M1) { checkValues<__hip_fp4_e2m1, __hip_fp4x2_e2m1, __hip_fp4x4_e2m1>(kE2M1, 4); }
TEST(valuesOfE2M3) { checkValues<__hip_fp6_e2m3, __hip_fp6x2_e2m3, __hip_fp6x4_e2m3>(kE2M3, 8); }
TEST(valuesOfE3M2) { checkValues<__hip_fp6_e3m2, __hip_fp6x2_e3m2, __hip_fp6x4_e3m2>(kE3M2, 8); }

int main(int argc, char **argv) { return runTests(argc, argv); }
