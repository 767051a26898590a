// SPDX-License-Identifier: MIT
// __hip_bfloat16, __hip_bfloat162 and hip_bfloat16: conversions beside and between all values, arithmetic against exact
// results, on the device and on the host.
#include <hip/hip_bf16.h>
#include <hip/hip_bfloat16.h>

#include "tests/device/check.h"
#include "tests/device/small_float.h"

static double valueOf(__hip_bfloat16 x) { return bfloat16Value(__bfloat16_as_ushort(x)); }

// The conversions of one value, on both sides.
struct Converted {
  __hip_bfloat16 fromFloat, fromDouble, fromBetween, paired;
  hip_bfloat16 older, truncated;
};
__host__ __device__ Converted convert(float x, double between) {
  Converted c;
  c.fromFloat = __float2bfloat16(x);
  c.fromDouble = __double2bfloat16(x);
  c.fromBetween = between;
  c.paired = __float22bfloat162_rn(make_float2(0.0f, x)).y;
  c.older = hip_bfloat16::round_to_bfloat16(x);
  c.truncated = hip_bfloat16(x, hip_bfloat16::truncate);
  return c;
}
// A double right beside a float, on the far side from zero; the float may lie in the middle between two bfloat16.
static double beside(float x) { return std::isnormal(x) ? x * (1 + 0x1p-40) : static_cast<double>(x); }

__global__ void convertAll(const float *in, const double *between, Converted *out, size_t n) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = convert(in[i], between[i]);
}
static void checkConversions(const std::vector<float> &values, const std::vector<double> &between,
                             const Converted *results) {
  Comparison fromFloat{"from float"}, fromDouble{"from double"}, exact{"from double beside"}, older{"hip_bfloat16"},
      truncated{"truncate"};
  for (size_t i = 0; i < values.size(); ++i) {
    double x = values[i], expected = roundTo(kBfloat16, x);
    fromFloat(x, valueOf(results[i].fromFloat), expected);
    fromFloat(x, valueOf(results[i].paired), expected);
    fromDouble(x, valueOf(results[i].fromDouble), expected);
    exact(between[i], valueOf(results[i].fromBetween), roundTo(kBfloat16, between[i]));
    older(x, static_cast<float>(results[i].older), expected);
    truncated(x, static_cast<float>(results[i].truncated), roundTo(kBfloat16, x, Round::Zero));
  }
}
TEST(conversions) {
  std::vector<float> values = floatsAround(bfloat16Value, 0x1.fep127);
  std::vector<double> between;
  for (float value : values)
    between.push_back(beside(value));
  DeviceArray<float> in(values);
  DeviceArray<double> inBetween(between);
  DeviceArray<Converted> out(values.size());
  convertAll<<<64, 64>>>(in, inBetween, out, values.size());
  std::vector<Converted> results = out.host();
  checkConversions(values, between, results.data());
  for (size_t i = 0; i < values.size(); ++i)
    results[i] = convert(values[i], between[i]);
  checkConversions(values, between, results.data());
}

// Arithmetic: the same function on both sides.
struct Results {
  __hip_bfloat16 add, sub, mul, div, high, compound, largest, smallest;
  hip_bfloat16 olderSum, olderQuotient;
  unsigned comparisons;
};
__host__ __device__ Results compute(__hip_bfloat16 x, __hip_bfloat16 y) {
  Results r;
  r.add = __hadd(x, y);
  r.sub = x - y;
  r.mul = __hmul(x, y);
  r.div = x / y;
  r.high = __high2bfloat16(__hmul2(__hip_bfloat162(x, y), __hip_bfloat162(y, x)));
  r.compound = x;
  r.compound += y;
  r.largest = __hmax(x, y);
  r.smallest = __hmin2(__bfloat162bfloat162(x), __bfloat162bfloat162(y)).y;
  hip_bfloat16 a(__bfloat162float(x)), b(__bfloat162float(y));
  r.olderSum = a + b;
  r.olderQuotient = a;
  r.olderQuotient /= b;
  bool bits[] = {__heq(x, y),  __hne(x, y),  x<y, __hle(x, y), x> y, __hge(x, y),  __hequ(x, y), __hneu(x, y),
                 __hltu(x, y), __hleu(x, y), __hgtu(x, y),           __hgeu(x, y), a == b,       a < b};
  r.comparisons = 0;
  for (int i = 0; i < 14; ++i)
    r.comparisons |= (unsigned)bits[i] << i;
  return r;
}
// The sum in double; what does not fit shows in its last bit, so that rounding it once more is right.
static double sumToOdd(double x, double y) {
  double sum = x + y, part = sum - x, error = (x - (sum - part)) + (y - part);
  if (!std::isfinite(sum) || error == 0)
    return sum;
  uint64_t bits;
  std::memcpy(&bits, &sum, sizeof bits);
  return bits & 1 ? sum : std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
}
__global__ void arithmetic(const unsigned *pairs, Results *out, __hip_bfloat16 *fused, unsigned n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  __hip_bfloat16 x = __ushort_as_bfloat16((unsigned short)pairs[i]),
                 y = __ushort_as_bfloat16((unsigned short)(pairs[i] >> 16));
  out[i] = compute(x, y);
  fused[i] = __hfma(x, y, __ushort_as_bfloat16((unsigned short)pairs[(i + 1) % n]));
}
static void checkArithmetic(const char *side, const std::vector<unsigned> &pairs, const Results *results) {
  Comparison add{"add"}, sub{"sub"}, mul{"mul"}, div{"div"}, extremes{"min, max"};
  long wrongComparisons = 0;
  for (size_t i = 0; i < pairs.size(); ++i) {
    // Sums and quotients are exact enough in double: a second rounding cannot matter with so many digits.
    double x = bfloat16Value(pairs[i]), y = bfloat16Value(pairs[i] >> 16);
    const Results &r = results[i];
    add(x, valueOf(r.add), roundTo(kBfloat16, x + y));
    add(x, valueOf(r.compound), roundTo(kBfloat16, x + y));
    add(x, static_cast<float>(r.olderSum), roundTo(kBfloat16, x + y));
    sub(x, valueOf(r.sub), roundTo(kBfloat16, x - y));
    mul(x, valueOf(r.mul), roundTo(kBfloat16, x * y));
    mul(x, valueOf(r.high), roundTo(kBfloat16, x * y));
    div(x, valueOf(r.div), roundTo(kBfloat16, x / y));
    div(x, static_cast<float>(r.olderQuotient), roundTo(kBfloat16, x / y));
    bool bothZero = x == 0 && y == 0;
    extremes(x, valueOf(r.largest), bothZero ? (std::signbit(x) && std::signbit(y) ? -0.0 : 0.0) : std::fmax(x, y));
    extremes(x, valueOf(r.smallest), bothZero ? (std::signbit(x) || std::signbit(y) ? -0.0 : 0.0) : std::fmin(x, y));
    bool expected[] = {x == y,    x != y,    x<y, x <= y, x> y, x >= y,    !(x < y || x > y),
                       !(x == y), !(x >= y), !(x > y),          !(x <= y), !(x < y),
                       x == y,    x < y};
    unsigned bits = 0;
    for (int k = 0; k < 14; ++k)
      bits |= (unsigned)expected[k] << k;
    wrongComparisons += bits != r.comparisons;
  }
  if (wrongComparisons)
    std::fprintf(stderr, "%s: %ld wrong comparisons\n", side, wrongComparisons);
  CHECK_EQ(wrongComparisons, 0);
}
TEST(arithmetic) {
  const unsigned special[] = {0,      0x8000, 1,      0x8001, 0x7f,   0x80,   0x3f80, 0xbf80,
                              0x3f81, 0x7f7f, 0xff7f, 0x7f80, 0xff80, 0x7fc0, 0x3f00, 0x4bff};
  std::vector<unsigned> pairs;
  for (unsigned x : special)
    for (unsigned y : special)
      pairs.push_back(x | y << 16);
  uint64_t state = 11;
  while (pairs.size() < 100000)
    pairs.push_back((unsigned)nextRandom(state));
  // Close to each other, where sums and products round to the middle.
  while (pairs.size() < 200000)
    pairs.push_back(((unsigned)nextRandom(state) & 0x87ff07ff) | 0x3c003c00);
  DeviceArray<unsigned> in(pairs);
  DeviceArray<Results> out(pairs.size());
  DeviceArray<__hip_bfloat16> fused(pairs.size());
  arithmetic<<<(pairs.size() + 255) / 256, 256>>>(in, out, fused, pairs.size());
  std::vector<Results> results = out.host();
  checkArithmetic("device", pairs, results.data());
  std::vector<__hip_bfloat16> sums = fused.host();
  Comparison fma{"hfma"};
  for (size_t i = 0; i < pairs.size(); ++i) {
    double x = bfloat16Value(pairs[i]), y = bfloat16Value(pairs[i] >> 16),
           z = bfloat16Value(pairs[(i + 1) % pairs.size()]);
    fma(x, valueOf(sums[i]), roundTo(kBfloat16, sumToOdd(x * y, z)));
  }
  for (size_t i = 0; i < pairs.size(); ++i)
    results[i] = compute(__ushort_as_bfloat16(pairs[i]), __ushort_as_bfloat16(pairs[i] >> 16));
  checkArithmetic("host", pairs, results.data());
}

// Mathematics over all values.
constexpr int kFunctions = 15;
__global__ void mathematics(__hip_bfloat16 *out) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  __hip_bfloat16 x = __ushort_as_bfloat16((unsigned short)i);
  __hip_bfloat162 v(x, x);
  __hip_bfloat16 results[kFunctions] = {hceil(x), hfloor(x),    htrunc(x),  hrint(x),   hsqrt(x),
                                        hrcp(x),  h2rsqrt(v).y, hsin(x),    h2cos(v).x, hexp(x),
                                        hexp2(x), h2exp10(v).y, h2log(v).x, hlog2(x),   hlog10(x)};
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
  DeviceArray<__hip_bfloat16> out(65536 * kFunctions);
  mathematics<<<256, 256>>>(out);
  std::vector<__hip_bfloat16> results = out.host();
  for (int k = 0; k < kFunctions; ++k) {
    Comparison compare{"mathematics"};
    for (int i = 0; i < 65536; ++i) {
      double exact = functions[k](bfloat16Value(i)), actual = valueOf(results[i * kFunctions + k]);
      double near = roundTo(kBfloat16, exact);
      // The first six round correctly; others may err by a unit in the last place.
      bool good = k >= 6 &&
                  (actual == roundTo(kBfloat16, exact, Round::Up) || actual == roundTo(kBfloat16, exact, Round::Down));
      compare(bfloat16Value(i), good ? near : actual, near);
    }
  }
}

__global__ void others(unsigned short *out, __hip_bfloat162 *counter) {
  __hip_bfloat16 lane((int)threadIdx.x);
  __hip_bfloat162 both(lane, __hneg(lane));
  __hip_bfloat162 shuffled = __shfl_xor_sync(~0ull, both, 1, 32);
  out[threadIdx.x * 4] = __bfloat16_as_ushort(__shfl_sync(~0ull, lane, 5, 32));
  out[threadIdx.x * 4 + 1] = __bfloat16_as_ushort(__shfl_down_sync(~0ull, lane, 1, 32));
  out[threadIdx.x * 4 + 2] = __bfloat16_as_ushort(shuffled.x);
  out[threadIdx.x * 4 + 3] = __bfloat16_as_ushort(shuffled.y);
  unsafeAtomicAdd(counter, __hip_bfloat162(1.0f, 2.0f));
}
TEST(others) {
  DeviceArray<unsigned short> out(32 * 4);
  DeviceArray<__hip_bfloat162> counter(1);
  others<<<2, 32>>>(out, counter);
  std::vector<unsigned short> lanes = out.host();
  for (int i = 0; i < 32; ++i) {
    CHECK_EQ(bfloat16Value(lanes[i * 4]), 5.0);
    CHECK_EQ(bfloat16Value(lanes[i * 4 + 1]), i == 31 ? 31.0 : i + 1.0);
    CHECK_EQ(bfloat16Value(lanes[i * 4 + 2]), (double)(i ^ 1));
    CHECK_EQ(bfloat16Value(lanes[i * 4 + 3]), -(double)(i ^ 1));
  }
  CHECK_EQ(__low2float(counter.host()[0]), 64.0f);
  CHECK_EQ(__high2float(counter.host()[0]), 128.0f);

  __hip_bfloat162 v(1.5f, -2.5f), w(4.0f, HIPRT_INF_BF16);
  CHECK(__lowhigh2highlow(v) == __hip_bfloat162(-2.5f, 1.5f));
  CHECK(__lows2bfloat162(v, w) == __hip_bfloat162(1.5f, 4.0f));
  CHECK(__hisinf(__highs2bfloat162(v, w).y) && !__hisinf(v.x));
  CHECK(__habs2(v) == __hip_bfloat162(1.5f, 2.5f) && -v == __hneg2(v) && +v == v);
  CHECK(__bfloat1622float2(v) == make_float2(1.5f, -2.5f));
  CHECK(__hblt2(v, w) && v < w && v != w && !__hbgt2(v, w));
  CHECK(__heq2(v, __hip_bfloat162(1.5f, 2.5f)) == __hip_bfloat162(1.0f, 0.0f));
  CHECK(__hisnan(HIPRT_NAN_BF16) && !__hisnan(HIPRT_INF_BF16));
  __hip_bfloat16 x = 3;
  CHECK(x++ == __hip_bfloat16(3) && ++x == __hip_bfloat16(5) && x-- == __hip_bfloat16(5) && --x == __hip_bfloat16(3));
  CHECK_EQ(static_cast<int>(__hip_bfloat16(-7.9f)), -7);
  CHECK_EQ(static_cast<unsigned short>(__hip_bfloat16(300.0f)), 300);
  CHECK(static_cast<bool>(HIPRT_MIN_DENORM_BF16) && !static_cast<bool>(HIPRT_NEG_ZERO_BF16));
  // Integers round once: through float this one would come to lie in the middle.
  CHECK_EQ(static_cast<float>(__hip_bfloat16(0x01010001)), 0x1.02p24f);
  CHECK(std::isnan(hip_bfloat16(NAN)) && std::isinf(hip_bfloat16(INFINITY)) && std::iszero(hip_bfloat16(-0.0f)));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
