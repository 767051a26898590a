// SPDX-License-Identifier: MIT
// The formats of 8 bits: every value, what lies between them and beyond, with and without saturation, on the device and on
// the host; and the classes of one, two and four values.
#include <hip/hip_fp8.h>

#include "tests/device/check.h"
#include "tests/device/small_float.h"

struct Format {
  const char *name;
  __hip_fp8_interpretation_t interpretation;
  SmallFormat values;
  int bias;
  bool infinite;
  bool unsignedZero;
};
static const Format kFormats[] = {{"e4m3", __HIP_E4M3, {4, -6, 448.0}, 7, false, false},
                                  {"e5m2", __HIP_E5M2, {3, -14, 57344.0}, 15, true, false},
                                  {"e4m3_fnuz", __HIP_E4M3_FNUZ, {4, -7, 240.0}, 8, false, true},
                                  {"e5m2_fnuz", __HIP_E5M2_FNUZ, {3, -15, 57344.0}, 16, false, true}};

static double decode(const Format &format, unsigned bits) {
  int fractionBits = format.values.digits - 1, fraction = bits & ((1 << fractionBits) - 1);
  int exponent = (bits & 0x7f) >> fractionBits;
  if (format.unsignedZero && bits == 0x80)
    return NAN;
  double size = exponent == 0 ? std::ldexp(fraction, 1 - format.bias - fractionBits)
                              : std::ldexp((1 << fractionBits) + fraction, exponent - format.bias - fractionBits);
  if (size > format.values.largest)
    size = format.infinite && fraction == 0 ? INFINITY : NAN;
  return bits & 0x80 ? -size : size;
}

static double expected(const Format &format, double x, bool saturate) {
  double rounded = roundTo(format.values, x);
  if (std::isnan(rounded))
    return NAN;
  if (std::isinf(rounded)) // an infinity does not saturate, a finite value that is too large does
    return saturate && std::isfinite(x) ? std::copysign(format.values.largest, x) : format.infinite ? rounded : NAN;
  return rounded == 0 && format.unsignedZero ? 0.0 : rounded;
}

// All conversions of one value; [0] saturates, [1] does not.
struct Converted {
  unsigned char fromFloat[2], fromDouble[2];
  unsigned short pair;
};
__host__ __device__ Converted convert(float x, double between, __hip_fp8_interpretation_t interpretation) {
  Converted c;
  c.fromFloat[0] = __hip_cvt_float_to_fp8(x, __HIP_SATFINITE, interpretation);
  c.fromFloat[1] = __hip_cvt_float_to_fp8(x, __HIP_NOSAT, interpretation);
  c.fromDouble[0] = __hip_cvt_double_to_fp8(between, __HIP_SATFINITE, interpretation);
  c.fromDouble[1] = __hip_cvt_double_to_fp8(between, __HIP_NOSAT, interpretation);
  c.pair = __hip_cvt_float2_to_fp8x2(make_float2(x, -x), __HIP_SATFINITE, interpretation);
  return c;
}
__global__ void convertAll(const float *in, Converted *out, unsigned n, __hip_fp8_interpretation_t interpretation) {
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = convert(in[i], in[i] * (1 + 0x1p-40), interpretation);
}
static void testFormat(const Format &format) {
  std::vector<float> values{
      0.0f,      -0.0f,    INFINITY,  -INFINITY,       NAN,
      0x1p-149f, 0x1p127f, -0x1p-60f, 0x1.fffffep127f, -0x1.fffffep127f}; // beyond these no double is a float
  for (unsigned bits = 0; bits < 0x7f; ++bits) {
    double here = decode(format, bits), next = decode(format, bits + 1);
    if (!std::isfinite(next))
      next = 2 * here - decode(format, bits - 1);
    if (!std::isfinite(here))
      break;
    float middle = static_cast<float>((here + next) / 2);
    for (float point : {static_cast<float>(here), std::nextafterf(middle, 0.0f), middle,
                        std::nextafterf(middle, INFINITY), static_cast<float>(next)}) {
      values.push_back(point);
      values.push_back(-point);
    }
  }
  uint64_t state = 3;
  for (int i = 0; i < 20000; ++i)
    values.push_back(floatOfBits(static_cast<uint32_t>(nextRandom(state))));
  for (int i = 0; i < 20000; ++i)
    values.push_back(floatOfBits((static_cast<uint32_t>(nextRandom(state)) & 0x87ffffff) | 0x38000000));

  DeviceArray<float> in(values);
  DeviceArray<Converted> out(values.size());
  convertAll<<<32, 64>>>(in, out, values.size(), format.interpretation);
  std::vector<Converted> results = out.host();
  for (const char *side : {"device", "host"}) {
    Comparison compare{format.name};
    for (size_t i = 0; i < values.size(); ++i) {
      double x = values[i], between = x * (1 + 0x1p-40);
      for (int k = 0; k < 2; ++k) {
        compare(x, decode(format, results[i].fromFloat[k]), expected(format, x, k == 0));
        compare(between, decode(format, results[i].fromDouble[k]), expected(format, between, k == 0));
      }
      compare(x, decode(format, results[i].pair & 255), expected(format, x, true));
      compare(-x, decode(format, results[i].pair >> 8), expected(format, -x, true));
    }
    if (side[0] == 'd')
      for (size_t i = 0; i < values.size(); ++i)
        results[i] = convert(values[i], values[i] * (1 + 0x1p-40), format.interpretation);
  }

  // From all halves and bfloat16, and back to half.
  Comparison fromHalf{"half"}, fromBfloat16{"bfloat16"}, toHalf{"to half"};
  for (unsigned bits = 0; bits < 65536; ++bits) {
    __half_raw half;
    half.x = bits;
    __hip_bfloat16_raw bfloat16{static_cast<unsigned short>(bits)};
    fromHalf(bits, decode(format, __hip_cvt_halfraw_to_fp8(half, __HIP_NOSAT, format.interpretation)),
             expected(format, halfValue(bits), false));
    fromBfloat16(bits, decode(format, __hip_cvt_bfloat16raw_to_fp8(bfloat16, __HIP_SATFINITE, format.interpretation)),
                 expected(format, bfloat16Value(bits), true));
  }
  for (unsigned bits = 0; bits < 256; ++bits)
    toHalf(bits, halfValue(__hip_cvt_fp8_to_halfraw(bits, format.interpretation).x), decode(format, bits));
}

// The classes: every value to the other types on the device.
struct Viewed {
  float single, half, bfloat16;
  double wide;
  int integer;
  signed char small;
  unsigned unsignedInteger;
  bool nonzero;
  float fromPair, fromFour;
};
template <class One, class Two, class Four> __global__ void view(Viewed *out) {
  unsigned bits = threadIdx.x;
  One one;
  one.__x = static_cast<__hip_fp8_storage_t>(bits);
  Viewed v;
  v.single = one;
  v.half = __half2float(static_cast<__half>(one));
  v.bfloat16 = __bfloat162float(static_cast<__hip_bfloat16>(one));
  v.wide = static_cast<double>(one);
  v.integer = static_cast<int>(one);
  v.small = static_cast<signed char>(one);
  v.unsignedInteger = static_cast<unsigned>(one);
  v.nonzero = static_cast<bool>(one);
  v.fromPair = static_cast<float2>(Two(make_float2(0.0f, one))).y;
  v.fromFour = static_cast<float4>(Four(make_double4(1.0, 2.0, one, 3.0))).z;
  out[bits] = v;
}
template <class One, class Two, class Four> void testClasses(const Format &format) {
  DeviceArray<Viewed> out(256);
  view<One, Two, Four><<<1, 256>>>(out);
  std::vector<Viewed> results = out.host();
  Comparison compare{format.name};
  for (unsigned bits = 0; bits < 256; ++bits) {
    double x = decode(format, bits);
    const Viewed &v = results[bits];
    compare(bits, v.single, x);
    compare(bits, v.half, x);
    compare(bits, v.bfloat16, x);
    compare(bits, v.wide, x);
    compare(bits, v.integer,
            std::isnan(x)   ? 0.0
            : std::isinf(x) ? (x > 0 ? 2147483647.0 : -2147483648.0)
                            : std::trunc(x) + 0.0);
    compare(bits, v.small, std::isnan(x) ? 0.0 : std::fmax(-128.0, std::fmin(127.0, std::trunc(x))) + 0.0);
    compare(bits, v.unsignedInteger,
            std::isnan(x) ? 0.0 : std::fmax(0.0, std::fmin(4294967295.0, std::trunc(x))) + 0.0);
    CHECK_EQ(v.nonzero, !(x == 0));
    // The classes saturate.
    compare(bits, v.fromPair, expected(format, x, true));
    compare(bits, v.fromFour, expected(format, x, true));
  }
  CHECK_EQ(static_cast<float>(One(3)), 3.0f);
  CHECK_EQ(static_cast<float>(One(-1000000000l)), static_cast<float>(-format.values.largest));
  CHECK_EQ(static_cast<float>(One(__half(0.5f))), 0.5f);
  CHECK_EQ(static_cast<float>(One(__hip_bfloat16(-1.5f))), -1.5f);
  CHECK_EQ(__high2float(static_cast<__half2>(Two(__half2(1.0f, -2.0f)))), -2.0f);
  CHECK_EQ(static_cast<float4>(Four(__hip_bfloat162(1.0f, 2.0f), __hip_bfloat162(3.0f, 4.0f))).w, 4.0f);
  static_assert(sizeof(One) == 1 && sizeof(Two) == 2 && sizeof(Four) == 4, "size");
}

TEST(e4m3) {
  testFormat(kFormats[0]);
  testClasses<__hip_fp8_e4m3, __hip_fp8x2_e4m3, __hip_fp8x4_e4m3>(kFormats[0]);
}
TEST(e5m2) {
  testFormat(kFormats[1]);
  testClasses<__hip_fp8_e5m2, __hip_fp8x2_e5m2, __hip_fp8x4_e5m2>(kFormats[1]);
}
TEST(e4m3_fnuz) {
  testFormat(kFormats[2]);
  testClasses<__hip_fp8_e4m3_fnuz, __hip_fp8x2_e4m3_fnuz, __hip_fp8x4_e4m3_fnuz>(kFormats[2]);
}
TEST(e5m2_fnuz) {
  testFormat(kFormats[3]);
  testClasses<__hip_fp8_e5m2_fnuz, __hip_fp8x2_e5m2_fnuz, __hip_fp8x4_e5m2_fnuz>(kFormats[3]);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
