// SPDX-License-Identifier: MIT
// The classes of hip/hip_ext_ocp.h, conversions without a scale, those from float to half and bfloat16 by chance, and what takes packed
// numbers apart, on the device and on the host. ocp_formats has the conversions with a scale.
#include <hip/hip_ext_ocp.h>

#include "tests/device/check.h"
#include "tests/device/ocp_model.h"

#pragma clang diagnostic ignored "-Wpsabi" // vectors of 16 floats are passed in memory, as AMD's are

constexpr unsigned kSeed = 0x9e3779b9;
constexpr __amd_scale_t kScale = -2;

/// The numbers of thread i: a and -b.
struct Numbers {
  float a, b;
};
/// The bits of each class, made in each way: nearest first.
struct Classes {
  uint8_t e4m3[5], e5m2[5], e2m1[7];
  uint16_t pairs[2][7];
  __amd_fp6x32_storage_t e2m3[6], e3m2[6];
  float back[12];
  uint16_t sr[4];
};

template <class Class> __host__ __device__ static void one(Numbers x, uint8_t *codes, float *back) {
  const auto half = static_cast<__amd_fp16_storage_t>(x.a);
  const __amd_bf16_storage_t bfloat = __float2bfloat16(x.a);
  codes[0] = Class(x.a).__x;
  codes[1] = Class(x.a, kSeed).__x;
  codes[2] = Class(x.a, kSeed, kScale).__x;
  codes[3] = Class(half, kSeed, kScale).__x;
  codes[4] = Class(bfloat, kSeed, kScale).__x;
  const Class number(x.a);
  back[0] = static_cast<float>(number);
  back[1] = number.get_scaled_float(kScale);
  back[2] = static_cast<float>(number.get_scaled_fp16(kScale));
  back[3] = __bfloat162float(__amd_cvt_bf16_to_hipbf16(number.get_scaled_bf16(kScale)));
}
template <class Class> __host__ __device__ static void two(Numbers x, uint16_t *codes, float *back) {
  const __amd_floatx2_storage_t v{x.a, -x.b};
  const __amd_fp16x2_storage_t half{static_cast<_Float16>(x.a), static_cast<_Float16>(-x.b)};
  const __amd_bf16x2_storage_t bfloat{__float2bfloat16(x.a), __float2bfloat16(-x.b)};
  codes[0] = Class(x.a, -x.b).__x;
  codes[1] = Class(v).__x;
  codes[2] = Class(x.a, -x.b, kScale).__x;
  codes[3] = Class(v, kScale).__x;
  codes[4] = Class(half, kScale).__x;
  codes[5] = Class(bfloat, kScale).__x;
  codes[6] = __amd_cvt_floatx2_to_fp8x2(v, Class::__default_interpret);
  const __amd_floatx2_storage_t values = Class(v);
  back[0] = values[0];
  back[1] = __amd_cvt_floatx2_to_float2(values).y;
}
template <class Class> __host__ __device__ static void thirtyTwo(Numbers x, __amd_fp6x32_storage_t *codes) {
  __amd_floatx16_storage_t low{}, high{};
  __amd_floatx32_storage_t all{};
  __amd_fp16x32_storage_t halves{};
  __amd_bf16x32_storage_t bfloats{};
  for (int i = 0; i < 32; ++i) {
    all[i] = i % 3 ? x.a : -x.b;
    (i < 16 ? low : high)[i % 16] = all[i];
    halves[i] = static_cast<_Float16>(all[i]);
    bfloats[i] = __float2bfloat16(all[i]);
  }
  codes[0] = Class(low, high, kScale).__x;
  codes[1] = Class(halves, kScale).__x;
  codes[2] = Class(bfloats, kScale).__x;
  codes[3] = Class(all, kSeed, kScale).__x;
  codes[4] = Class(halves, kSeed, kScale).__x;
  codes[5] = Class(bfloats, kSeed, kScale).__x;
}

__host__ __device__ static void make(Numbers x, Classes &out) {
  one<__hipext_ocp_fp8_e4m3>(x, out.e4m3, out.back);
  one<__hipext_ocp_fp8_e5m2>(x, out.e5m2, out.back + 4);
  two<__hipext_ocp_fp8x2_e4m3>(x, out.pairs[0], out.back + 8);
  two<__hipext_ocp_fp8x2_e5m2>(x, out.pairs[1], out.back + 10);
  thirtyTwo<__hipext_ocp_fp6x32_e2m3>(x, out.e2m3);
  thirtyTwo<__hipext_ocp_fp6x32_e3m2>(x, out.e3m2);
  const __amd_floatx2_storage_t v{x.a, -x.b};
  const __amd_fp16x2_storage_t half = __amd_cvt_half2_to_fp16x2(__floats2half2_rn(x.a, -x.b));
  const __amd_bf16x2_storage_t bfloat =
      __amd_cvt_hipbf162_to_bf16x2(__hip_bfloat162(__float2bfloat16(x.a), __float2bfloat16(-x.b)));
  typedef __hipext_ocp_fp4x2_e2m1 Four;
  out.e2m1[0] = Four(x.a, -x.b, kScale).__x;
  out.e2m1[1] = Four(v, kScale).__x;
  out.e2m1[2] = Four(half, kScale).__x;
  out.e2m1[3] = Four(bfloat, kScale).__x;
  out.e2m1[4] = Four(v, kSeed, kScale).__x;
  out.e2m1[5] = Four(half, kSeed, kScale).__x;
  out.e2m1[6] = Four(bfloat, kSeed, kScale).__x;
  const __amd_fp16x2_storage_t halves = __amd_cvt_float_float_to_fp16x2_sr(x.a, -x.b, kSeed);
  const __amd_fp16_storage_t single = __amd_cvt_half_to_fp16(__amd_cvt_fp16_to_half(halves[0]));
  const __amd_fp16_storage_t second = halves[1], again = __amd_cvt_float_to_fp16_sr(x.a, kSeed);
  const __amd_bf16_storage_t bf = __amd_cvt_float_to_bf16_sr(x.a, kSeed);
  __builtin_memcpy(&out.sr[0], &single, 2);
  __builtin_memcpy(&out.sr[1], &second, 2);
  __builtin_memcpy(&out.sr[2], &again, 2);
  __builtin_memcpy(&out.sr[3], &bf, 2);
}
__global__ void makeAll(const Numbers *in, Classes *out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    make(in[i], out[i]);
}

/// As by chance in a format of 16 bits.
static double byChance(const SmallFormat &format, double x, int places) {
  if (!std::isfinite(x))
    return x;
  const int unit = (x == 0 ? format.minExponent : std::max(std::ilogb(x), format.minExponent)) - format.digits + 1;
  const double count =
      std::floor(std::ldexp(std::fabs(x), -unit) + std::ldexp(static_cast<double>(kSeed >> (32 - places)), -places));
  const double size = std::ldexp(count, unit);
  return std::copysign(size > format.largest ? INFINITY : size, x);
}

static void check(Numbers x, const Classes &c) {
  const float half = static_cast<float>(static_cast<_Float16>(x.a)),
              halfB = static_cast<float>(static_cast<_Float16>(x.b));
  const float bfloat = __bfloat162float(__float2bfloat16(x.a)), bfloatB = __bfloat162float(__float2bfloat16(x.b));
  for (int f = 0; f < 2; ++f) {
    const Model &format = f == 0 ? kE4M3 : kE5M2;
    const uint8_t *codes = f == 0 ? c.e4m3 : c.e5m2;
    const unsigned nearest = format.narrowed(x.a, 0, false, 0, 23);
    CHECK_EQ(codes[0], nearest);
    CHECK_EQ(codes[1], format.narrowed(x.a, 0, true, kSeed, 23));
    CHECK_EQ(codes[2], format.narrowed(x.a, kScale, true, kSeed, 23));
    CHECK_EQ(codes[3], format.narrowed(half, kScale, true, kSeed, 10));
    CHECK_EQ(codes[4], format.narrowed(bfloat, kScale, true, kSeed, 7));
    const float *back = c.back + 4 * f;
    CHECK(sameValue(back[0], format.widened<float>(nearest, 0)));
    CHECK(sameValue(back[1], format.widened<float>(nearest, kScale)));
    CHECK(sameValue(back[2], format.widened<_Float16>(nearest, kScale)));
    CHECK(sameValue(back[3], format.widened<__hip_bfloat16>(nearest, kScale)));
    const auto pair = [&](double first, double second, int scale) {
      return format.narrowed(first, scale, false, 0, 23) | format.narrowed(-second, scale, false, 0, 23) << 8;
    };
    const unsigned plain = pair(x.a, x.b, 0), scaled = pair(x.a, x.b, kScale);
    for (int i : {0, 1, 6})
      CHECK_EQ(c.pairs[f][i], plain);
    for (int i : {2, 3})
      CHECK_EQ(c.pairs[f][i], scaled);
    CHECK_EQ(c.pairs[f][4], pair(half, halfB, kScale));
    CHECK_EQ(c.pairs[f][5], pair(bfloat, bfloatB, kScale));
    CHECK(sameValue(c.back[8 + 2 * f], format.widened<float>(plain & 255, 0)));
    CHECK(sameValue(c.back[9 + 2 * f], format.widened<float>(plain >> 8, 0)));

    const Model &six = f == 0 ? kE2M3 : kE3M2;
    const double sources[3][2] = {{x.a, x.b}, {half, halfB}, {bfloat, bfloatB}};
    const int digits[3] = {23, 10, 7};
    for (int kind = 0; kind < 6; ++kind)
      for (int i = 0; i < 32; ++i) {
        const double source = i % 3 ? sources[kind % 3][0] : -sources[kind % 3][1];
        CHECK_EQ(bitsAt(f == 0 ? &c.e2m3[kind] : &c.e3m2[kind], 6 * i, 6),
                 six.narrowed(source, kScale, kind >= 3, kSeed, digits[kind % 3]));
      }
    for (int kind = 0; kind < 7 && f == 0; ++kind) {
      const int of = kind < 2 ? 0 : kind < 4 ? kind - 1 : kind - 4;
      CHECK_EQ(c.e2m1[kind], kE2M1.narrowed(sources[of][0], kScale, kind >= 4, kSeed, digits[of]) |
                                 kE2M1.narrowed(-sources[of][1], kScale, kind >= 4, kSeed, digits[of]) << 4);
    }
  }
  CHECK(sameValue(halfValue(c.sr[0]), byChance(kHalf, x.a, 13)));
  CHECK(sameValue(halfValue(c.sr[1]), byChance(kHalf, -x.b, 13)));
  CHECK_EQ(c.sr[2], c.sr[0]);
  CHECK(sameValue(bfloat16Value(c.sr[3]), byChance(kBfloat16, x.a, 16)));
}

TEST(classes) {
  std::vector<Numbers> numbers{{0.0f, -0.0f},           {INFINITY, NAN},   {500, 60000},         {448, 464},
                               {0x1.fffffep127f, 7.6f}, {0x1p-149f, 6.1f}, {65519.0f, 0x1p-24f}, {65536.0f, 28.5f}};
  uint64_t state = 3;
  for (int i = 0; i < 2000; ++i)
    numbers.push_back({std::ldexp(static_cast<float>(static_cast<int32_t>(nextRandom(state))), -20 - i % 32),
                       floatOfBits(static_cast<uint32_t>(nextRandom(state)))});
  DeviceArray<Numbers> in(numbers);
  DeviceArray<Classes> out(numbers.size());
  makeAll<<<(numbers.size() + 63) / 64, 64>>>(in, out, numbers.size());
  const std::vector<Classes> results = out.host();
  for (size_t i = 0; i < numbers.size(); ++i) {
    check(numbers[i], results[i]);
    Classes here;
    make(numbers[i], here);
    check(numbers[i], here);
  }
}

TEST(packedNumbers) {
  CHECK_EQ(__amd_create_fp8x2(0x12, 0x34), 0x3412);
  CHECK_EQ(__amd_create_fp4x2(1, 2), 0x21);
  CHECK_EQ(__amd_create_fp4x8(0x21, 0x43, 0x65, 0x87), 0x87654321u);
  const __amd_fp8x8_storage_t eight = __amd_create_fp8x8(0x2211, 0x4433, 0x6655, 0x8877);
  for (unsigned i = 0; i < 8; ++i)
    CHECK_EQ(eight[i], 0x11 * (i + 1));
  for (unsigned i = 0; i < 4; ++i)
    CHECK_EQ(__amd_extract_fp8x2(eight, i), 0x2211 + 0x2222 * i);
  CHECK_EQ(__amd_extract_fp8(0x3412, 0), 0x12);
  CHECK_EQ(__amd_extract_fp8(0x3412, 1), 0x34);
  CHECK_EQ(__amd_extract_fp4(0x21, 0), 1);
  CHECK_EQ(__amd_extract_fp4(0x21, 1), 2);
  CHECK_EQ(__amd_extract_fp4x2(0x87654321, 2), 0x65);
  CHECK_EQ(__amd_scale_to_float(3), 8.0f);
  CHECK_EQ(__amd_scale_to_float(-126), 0x1p-126f);
  CHECK_EQ(__amd_cvt_fp8_to_float(0x38, __AMD_OCP_E4M3), 1.0f);
  CHECK_EQ(static_cast<float>(__amd_cvt_fp8_to_fp16(0x3c, __AMD_OCP_E5M2)), 1.0f);
  CHECK_EQ(static_cast<float>(__amd_cvt_fp8x2_to_fp16x2(0x3cc0, __AMD_OCP_E5M2)[0]), -2.0f);
  CHECK_EQ(__amd_cvt_fp16x2_to_fp8x2(__amd_fp16x2_storage_t{1, -2}, __AMD_OCP_E5M2), 0xc03c);
  // Between 1 and 1.125: only the sign of this seed reaches the digits.
  CHECK_EQ(__amd_cvt_fp16_to_fp8_sr(static_cast<_Float16>(1.0625f), __AMD_OCP_E4M3, 0x7fff), 0x38);
  CHECK_EQ(__amd_cvt_fp16_to_fp8_sr(static_cast<_Float16>(1.0625f), __AMD_OCP_E4M3, -1), 0x39);
  CHECK_EQ(static_cast<float>(__low2half(__amd_cvt_fp16x2_to_half2(__amd_fp16x2_storage_t{3, 4}))), 3.0f);
  CHECK_EQ(__high2float(__amd_cvt_bf16x2_to_hipbf162(__amd_bf16x2_storage_t{{3.0f, 4.0f}})), 4.0f);
  CHECK_EQ(__bfloat162float(__amd_cvt_hipbf16_to_bf16(__float2bfloat16(5.0f))), 5.0f);
}

/// Sizes and alignments are AMD's.
static_assert(sizeof(__amd_fp6x32_storage_t) == 32 && alignof(__amd_fp6x32_storage_t) == 32, "24 bytes are used");
static_assert(sizeof(__amd_floatx32_storage_t) == 128 && alignof(__amd_floatx32_storage_t) == 128, "");
static_assert(sizeof(__amd_fp16x32_storage_t) == 64 && alignof(__amd_fp16x32_storage_t) == 64, "");
static_assert(sizeof(__amd_bf16x32_storage_t) == 64 && alignof(__amd_bf16x32_storage_t) == 64, "");
static_assert(sizeof(__amd_bf16x8_storage_t) == 16 && alignof(__amd_bf16x8_storage_t) == 16, "");
static_assert(sizeof(__amd_bf16x2_storage_t) == 4 && alignof(__amd_bf16x2_storage_t) == 4, "");
static_assert(sizeof(__hipext_ocp_fp8x2_e4m3) == 2 && sizeof(__hipext_ocp_fp4x2_e2m1) == 1, "");

int main(int argc, char **argv) { return runTests(argc, argv); }
