// SPDX-License-Identifier: MIT
// Each operation of tests/data/amdgcn/operations.txt on edge values and random ones, against models that are written lane by lane from
// the words of AMD's manual "RDNA 2 Instruction Set Architecture" and share nothing with the translator's tables.
#include "check.h"

#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <random>
#include <string>

using std::int32_t;
using std::int64_t;
using std::uint32_t;
using std::uint64_t;

constexpr unsigned kLanes = 32, kPerKernel = 16;

struct Lane {
  uint64_t in[4]; // the last one is what the result was before
};
struct Result {
  uint64_t value;
  uint32_t bit, unused; // of the mask
};

/// What a model sees: the lane's operands, those of the others, and its result.
struct Case {
  const Lane *wave;
  unsigned lane;
  uint64_t A, B, C, D; // 64 bits
  uint32_t a, b, c;    // their lower halves
  bool vcc;
  uint32_t low;  // result of 32 bits
  uint64_t wide; // or of 64
  bool isWide = false, mask = false;
};

static float f(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}
static double d(uint64_t bits) {
  double value;
  std::memcpy(&value, &bits, 8);
  return value;
}
static uint32_t bits(float value) {
  uint32_t out;
  std::memcpy(&out, &value, 4);
  return out;
}
static uint64_t bits(double value) {
  uint64_t out;
  std::memcpy(&out, &value, 8);
  return out;
}

static double halfToNumber(uint32_t h) {
  const int exponent = h >> 10 & 31, mantissa = h & 1023;
  const double size = exponent == 31  ? (mantissa ? NAN : INFINITY)
                      : exponent == 0 ? std::ldexp(mantissa, -24)
                                      : std::ldexp(1024 + mantissa, exponent - 25);
  return h & 0x8000 ? -size : size;
}

/// The nearest of all halves, ties to the even one.
static uint32_t numberToHalf(float value) {
  const uint32_t sign = std::signbit(value) ? 0x8000 : 0;
  if (std::isnan(value))
    return 0x7e00;
  const double size = std::fabs(static_cast<double>(value));
  if (size >= 65520)
    return sign | 0x7c00;
  uint32_t below = 0;
  for (uint32_t bit = 0x4000; bit; bit >>= 1)
    if ((below | bit) < 0x7c00 && halfToNumber(below | bit) <= size)
      below |= bit;
  const double low = halfToNumber(below), high = below + 1 == 0x7c00 ? 65536 : halfToNumber(below + 1);
  const bool up = size - low > high - size || (size - low == high - size && (below & 1));
  return sign | (below + up);
}

template <class T> static T saturated(double value) {
  if (std::isnan(value))
    return 0;
  value = std::trunc(value);
  if (value <= static_cast<double>(std::numeric_limits<T>::min()))
    return std::numeric_limits<T>::min();
  if (value >= static_cast<double>(std::numeric_limits<T>::max()))
    return std::numeric_limits<T>::max();
  return static_cast<T>(value);
}

static int32_t signed24(uint32_t value) { return static_cast<int32_t>(value << 8) >> 8; }
static uint32_t minimum(uint32_t a, uint32_t b) {
  if (std::isnan(f(a)))
    return b;
  if (std::isnan(f(b)))
    return a;
  return f(a) < f(b) || (f(a) == f(b) && (a >> 31)) ? a : b;
}
static uint32_t maximum(uint32_t a, uint32_t b) {
  if (std::isnan(f(a)))
    return b;
  if (std::isnan(f(b)))
    return a;
  return f(a) > f(b) || (f(a) == f(b) && !(a >> 31)) ? a : b;
}

static uint32_t permutedByte(uint64_t data, uint32_t selector) {
  if (selector >= 13)
    return 0xff;
  if (selector == 12)
    return 0;
  if (selector >= 8) {
    const unsigned signOf[] = {1, 3, 5, 7};
    return data >> (8 * signOf[selector - 8] + 7) & 1 ? 0xff : 0;
  }
  return data >> (8 * selector) & 0xff;
}

static int classBit(uint32_t bits) {
  const bool negative = bits >> 31;
  switch (std::fpclassify(f(bits))) {
  case FP_NAN: return bits & 0x400000 ? 1 : 0;
  case FP_INFINITE: return negative ? 2 : 9;
  case FP_NORMAL: return negative ? 3 : 8;
  case FP_SUBNORMAL: return negative ? 4 : 7;
  default: return negative ? 5 : 6;
  }
}

static void setWide(Case &k, uint64_t value) {
  k.wide = value;
  k.isWide = true;
}
static uint32_t sourceOf(const Case &k, unsigned lane) { return static_cast<uint32_t>(k.wave[lane].in[0]); }

static void carry(Case &k, uint64_t sum) { k.low = static_cast<uint32_t>(sum), k.mask = sum >> 32 != 0; }

static const std::map<std::string, std::function<void(Case &)>> &models() {
#define OP(text, ...)                                                                                                  \
  {                                                                                                                    \
    text, [](Case &k) { __VA_ARGS__; }                                                                                 \
  }
  static const std::map<std::string, std::function<void(Case &)>> all = {
    OP("v_add_nc_u32 v12, v4, v6", k.low = k.a + k.b),
    OP("v_sub_nc_u32 v12, v4, v6", k.low = k.a - k.b),
    OP("v_subrev_nc_u32 v12, v4, v6", k.low = k.b - k.a),
    OP("v_and_b32 v12, v4, v6", k.low = k.a & k.b),
    OP("v_or_b32 v12, v4, v6", k.low = k.a | k.b),
    OP("v_xor_b32 v12, v4, v6", k.low = k.a ^ k.b),
    OP("v_not_b32 v12, v4", k.low = ~k.a),
    OP("v_lshlrev_b32 v12, v4, v6", k.low = k.b << (k.a & 31)),
    OP("v_lshrrev_b32 v12, v4, v6", k.low = k.b >> (k.a & 31)),
    OP("v_ashrrev_i32 v12, v4, v6", k.low = static_cast<int32_t>(k.b) >> (k.a & 31)),
    OP("v_lshlrev_b64 v[12:13], v4, v[6:7]", setWide(k, k.B << (k.a & 63))),
    OP("v_lshrrev_b64 v[12:13], v4, v[6:7]", setWide(k, k.B >> (k.a & 63))),
    OP("v_ashrrev_i64 v[12:13], v4, v[6:7]",
       setWide(k, static_cast<uint64_t>(static_cast<int64_t>(k.B) >> (k.a & 63)))),
    OP("v_cndmask_b32 v12, v4, v6, vcc_lo", k.low = k.vcc ? k.b : k.a),
    OP("v_min_u32 v12, v4, v6", k.low = std::min(k.a, k.b)),
    OP("v_max_i32 v12, v4, v6", k.low = std::max(static_cast<int32_t>(k.a), static_cast<int32_t>(k.b))),
    OP("v_mul_lo_u32 v12, v4, v6", k.low = k.a * k.b),
    OP("v_mul_hi_u32 v12, v4, v6", k.low = static_cast<uint64_t>(k.a) * k.b >> 32),
    OP("v_mul_u32_u24 v12, v4, v6", k.low = (k.a & 0xffffff) * (k.b & 0xffffff)),
    OP("v_mul_i32_i24 v12, v4, v6", k.low = static_cast<uint32_t>(int64_t{signed24(k.a)} * signed24(k.b))),
    OP("v_mad_u32_u24 v12, v4, v6, v8", k.low = (k.a & 0xffffff) * (k.b & 0xffffff) + k.c),
    OP("v_bfe_u32 v12, v4, v6, v8", k.low = k.a >> (k.b & 31) & ((uint64_t{1} << (k.c & 31)) - 1)),
    OP("v_bfe_i32 v12, v4, v6, v8", const unsigned size = k.c & 31;
       const int64_t field =
           (static_cast<int64_t>(static_cast<int32_t>(k.a)) >> (k.b & 31)) & ((int64_t{1} << size) - 1);
       k.low = static_cast<uint32_t>(size && field >> (size - 1) & 1 ? field - (int64_t{1} << size) : field)),
    OP("v_bfi_b32 v12, v4, v6, v8", k.low = (k.a & k.b) | (~k.a & k.c)),
    OP("v_bfrev_b32 v12, v4", k.low = 0; for (int i = 0; i < 32; ++i) k.low |= (k.a >> i & 1) << (31 - i)),
    OP("v_ffbl_b32 v12, v4", k.low = ~0u; for (int i = 31; i >= 0; --i) if (k.a >> i & 1) k.low = i),
    OP("v_bcnt_u32_b32 v12, v4, v6", k.low = k.b; for (int i = 0; i < 32; ++i) k.low += k.a >> i & 1),
    OP("v_alignbit_b32 v12, v4, v6, v8", k.low = static_cast<uint32_t>((uint64_t{k.a} << 32 | k.b) >> (k.c & 31))),
    OP("v_add3_u32 v12, v4, v6, v8", k.low = k.a + k.b + k.c),
    OP("v_lshl_add_u32 v12, v4, v6, v8", k.low = (k.a << (k.b & 31)) + k.c),
    OP("v_add_lshl_u32 v12, v4, v6, v8", k.low = (k.a + k.b) << (k.c & 31)),
    OP("v_lshl_or_b32 v12, v4, v6, v8", k.low = (k.a << (k.b & 31)) | k.c),
    OP("v_xad_u32 v12, v4, v6, v8", k.low = (k.a ^ k.b) + k.c),
    OP("v_and_or_b32 v12, v4, v6, v8", k.low = (k.a & k.b) | k.c),
    OP("v_perm_b32 v12, v4, v6, v8", k.low = 0;
       for (int i = 0; i < 4; ++i) k.low |= permutedByte(uint64_t{k.a} << 32 | k.b, k.c >> 8 * i & 0xff) << 8 * i),
    OP("v_add_co_u32 v12, s20, v4, v6", carry(k, uint64_t{k.a} + k.b)),
    OP("v_add_co_ci_u32 v12, s20, v4, v6, vcc_lo", carry(k, uint64_t{k.a} + k.b + k.vcc)),
    OP("v_sub_co_u32 v12, s20, v4, v6", carry(k, uint64_t{k.a} - k.b)),
    OP("v_sub_co_ci_u32 v12, s20, v4, v6, vcc_lo", carry(k, uint64_t{k.a} - k.b - k.vcc)),
    OP("v_subrev_co_ci_u32 v12, s20, v4, v6, vcc_lo", carry(k, uint64_t{k.b} - k.a - k.vcc)),
    OP("v_mad_u64_u32 v[12:13], s20, v4, v6, v[8:9]",
       const unsigned __int128 sum = static_cast<unsigned __int128>(uint64_t{k.a} * k.b) + k.C;
       setWide(k, static_cast<uint64_t>(sum)); k.mask = sum >> 64 & 1),
    OP("v_mad_i64_i32 v[12:13], s20, v4, v6, v[8:9]",
       const __int128 sum =
           static_cast<__int128>(static_cast<int32_t>(k.a)) * static_cast<int32_t>(k.b) + static_cast<int64_t>(k.C);
       setWide(k, static_cast<uint64_t>(sum)); k.mask = sum >> 64 & 1),
    OP("v_cmp_lt_i32 s20, v4, v6", k.mask = static_cast<int32_t>(k.a) < static_cast<int32_t>(k.b)),
    OP("v_cmp_gt_u64 s20, v[4:5], v[6:7]", k.mask = k.A > k.B),
    OP("v_cmp_lt_f32 s20, v4, v6", k.mask = f(k.a) < f(k.b)),
    OP("v_cmp_nlt_f32 s20, v4, v6", k.mask = !(f(k.a) < f(k.b))),
    OP("v_cmp_class_f32 s20, v4, v6", k.mask = k.b >> classBit(k.a) & 1),
    OP("v_cmp_eq_u16 s20, v4, v6", k.mask = (k.a & 0xffff) == (k.b & 0xffff)),
    OP("v_add_f32 v12, v4, v6", k.low = bits(f(k.a) + f(k.b))),
    OP("v_mul_f32 v12, -v4, |v6|", k.low = bits(-f(k.a) * std::fabs(f(k.b)))),
    OP("v_fma_f32 v12, v4, v6, v8", k.low = bits(std::fma(f(k.a), f(k.b), f(k.c)))),
    OP("v_min_f32 v12, v4, v6", k.low = minimum(k.a, k.b)),
    OP("v_max_f32 v12, v4, v6", k.low = maximum(k.a, k.b)),
    OP("v_add_f64 v[12:13], v[4:5], v[6:7]", setWide(k, bits(d(k.A) + d(k.B)))),
    OP("v_mul_f64 v[12:13], v[4:5], v[6:7]", setWide(k, bits(d(k.A) * d(k.B)))),
    OP("v_fma_f64 v[12:13], v[4:5], v[6:7], v[8:9]", setWide(k, bits(std::fma(d(k.A), d(k.B), d(k.C))))),
    OP("v_cvt_f32_u32 v12, v4", k.low = bits(static_cast<float>(k.a))),
    OP("v_cvt_f32_i32 v12, v4", k.low = bits(static_cast<float>(static_cast<int32_t>(k.a)))),
    OP("v_cvt_u32_f32 v12, v4", k.low = saturated<uint32_t>(f(k.a))),
    OP("v_cvt_i32_f32 v12, v4", k.low = saturated<int32_t>(f(k.a))),
    OP("v_cvt_f64_f32 v[12:13], v4", setWide(k, bits(static_cast<double>(f(k.a))))),
    OP("v_cvt_f32_f64 v12, v[4:5]", k.low = bits(static_cast<float>(d(k.A)))),
    OP("v_cvt_f32_f16 v12, v4", k.low = bits(static_cast<float>(halfToNumber(k.a & 0xffff)))),
    OP("v_cvt_f16_f32 v12, v4", k.low = (k.D & 0xffff0000) | numberToHalf(f(k.a))),
    OP("v_trunc_f32 v12, v4", k.low = bits(std::trunc(f(k.a)))),
    OP("v_rndne_f32 v12, v4", k.low = bits(std::nearbyint(f(k.a)))),
    OP("v_ldexp_f64 v[12:13], v[4:5], v6", setWide(k, bits(std::ldexp(d(k.A), static_cast<int32_t>(k.b))))),
    OP("v_mov_b32_dpp v12, v4 quad_perm:[1,0,3,2] row_mask:0xf bank_mask:0xf", k.low = sourceOf(k, k.lane ^ 1)),
    OP("v_mov_b32_dpp v12, v4 row_shr:1 row_mask:0xf bank_mask:0xf", if (k.lane % 16) k.low = sourceOf(k, k.lane - 1)),
    OP("v_mov_b32_dpp v12, v4 row_ror:3 row_mask:0x1 bank_mask:0x5",
       if (k.lane < 16 && (k.lane / 4 == 0 || k.lane / 4 == 2)) k.low = sourceOf(k, (k.lane + 13) % 16)),
    OP("v_add_nc_u32_sdwa v12, v4, v6 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:BYTE_1 src1_sel:WORD_0",
       k.low = (k.D & 0xffff) | ((k.a >> 8 & 0xff) + (k.b & 0xffff)) << 16),
    OP("ds_bpermute_b32 v12, v4, v6", k.low = static_cast<uint32_t>(k.wave[k.a >> 2 & 31].in[1])),
    OP("ds_swizzle_b32 v12, v4 offset:0x8041", const unsigned from[] = {1, 0, 0, 1};
       k.low = sourceOf(k, (k.lane & ~3u) + from[k.lane & 3])),
    OP("v_mbcnt_lo_u32_b32 v12, v4, v6", k.low = k.b + __builtin_popcount(k.a & ((1u << k.lane) - 1))),
    OP("s_add_u32 s38, s32, s34", carry(k, uint64_t{k.a} + k.b)),
    OP("s_sub_u32 s38, s32, s34", carry(k, uint64_t{k.a} - k.b)),
    OP("s_add_i32 s38, s32, s34", const int64_t sum = int64_t{static_cast<int32_t>(k.a)} + static_cast<int32_t>(k.b);
       k.low = static_cast<uint32_t>(sum); k.mask = sum != static_cast<int32_t>(sum)),
    OP("s_mul_hi_u32 s38, s32, s34", k.low = uint64_t{k.a} * k.b >> 32),
    OP("s_lshl_b64 s[38:39], s[32:33], s34", setWide(k, k.A << (k.b & 63)); k.mask = k.wide != 0),
    OP("s_ashr_i32 s38, s32, s34", k.low = static_cast<int32_t>(k.a) >> (k.b & 31); k.mask = k.low != 0),
    OP("s_bfe_u32 s38, s32, s34", const unsigned size = std::min(k.b >> 16 & 0x7f, 32u);
       k.low = k.a >> (k.b & 31) & ((uint64_t{1} << size) - 1); k.mask = k.low != 0),
    OP("s_bfe_i32 s38, s32, s34", const unsigned size = std::min(k.b >> 16 & 0x7f, 32u);
       const int64_t field =
           (static_cast<int64_t>(static_cast<int32_t>(k.a)) >> (k.b & 31)) & ((int64_t{1} << size) - 1);
       k.low = static_cast<uint32_t>(size && field >> (size - 1) & 1 ? field - (int64_t{1} << size) : field);
       k.mask = k.low != 0),
    OP("s_bcnt1_i32_b32 s38, s32", k.low = __builtin_popcount(k.a); k.mask = k.low != 0),
    OP("s_ff1_i32_b32 s38, s32", k.low = k.a ? __builtin_ctz(k.a) : ~0u),
    OP("s_cmp_lt_i32 s32, s34", k.mask = static_cast<int32_t>(k.a) < static_cast<int32_t>(k.b)),
    OP("s_bitcmp1_b32 s32, s34", k.mask = k.a >> (k.b & 31) & 1),
  };
#undef OP
  return all;
}

static bool isSameNumber(const std::string &operation, const Case &k, uint64_t actual) {
  const uint64_t expected = k.isWide ? k.wide : (k.D & ~uint64_t{0xffffffff}) | k.low;
  if (actual == expected)
    return true;
  // Any quiet NaN stands for any other.
  if (operation.find("_f64 v[") != operation.npos || operation.rfind("v_cvt_f64", 0) == 0)
    return std::isnan(d(expected)) && std::isnan(d(actual));
  if (operation.rfind("v_cvt_f16", 0) == 0)
    return std::isnan(halfToNumber(expected & 0xffff)) && std::isnan(halfToNumber(actual & 0xffff)) &&
           (expected ^ actual) >> 16 == 0;
  return operation.find("_f") != operation.npos && std::isnan(f(static_cast<uint32_t>(expected))) &&
         std::isnan(f(static_cast<uint32_t>(actual)));
}

int main() {
  const std::string folder = std::getenv("HIPLZ_TEST_CODE_OBJECTS");
  std::vector<std::string> operations;
  std::ifstream list(folder + "/operations.txt");
  for (std::string line; std::getline(list, line);)
    if (!line.empty() && line[0] != '#')
      operations.push_back(line);
  CHECK_EQ(operations.size(), models().size());
  hipModule_t module = nullptr;
  HIP_CHECK(hipModuleLoad(&module, (folder + "/operations.co").c_str()));
  const uint64_t edges[] = {0,
                            1,
                            0x80000000,
                            0x7fffffff,
                            0xffffffff,
                            0x7f800000,
                            0xff800000,
                            0x7fc00000,
                            0x3f800000,
                            0xbf800000,
                            0x00000001,
                            0x807fffff,
                            0x4f000000,
                            0x477ff000,
                            0x33000000,
                            0x00007c00,
                            0x8000000000000000,
                            0x7ff0000000000000,
                            0x3ff0000000000000,
                            0xffffffffffffffff,
                            31,
                            32,
                            0x0c0a0806,
                            0x00200004};
  std::mt19937_64 random(30);
  std::vector<Lane> lanes(kLanes);
  Lane *in = nullptr;
  Result *out = nullptr;
  HIP_CHECK(hipMalloc(&in, kLanes * sizeof(Lane)));
  HIP_CHECK(hipMalloc(&out, kPerKernel * kLanes * sizeof(Result)));
  for (int round = 0; round < 24; ++round) {
    for (Lane &lane : lanes)
      for (uint64_t &value : lane.in) {
        value = random();
        if (round % 2 == 0)
          value = edges[random() % std::size(edges)];
        else if (random() % 4 == 0)
          value &= 0x0000003f0000003f;
      }
    HIP_CHECK(hipMemcpy(in, lanes.data(), kLanes * sizeof(Lane), hipMemcpyHostToDevice));
    for (size_t first = 0; first < operations.size(); first += kPerKernel) {
      hipFunction_t kernel = nullptr;
      HIP_CHECK(hipModuleGetFunction(&kernel, module, ("operations" + std::to_string(first / kPerKernel)).c_str()));
      void *arguments[] = {&in, &out};
      HIP_CHECK(hipModuleLaunchKernel(kernel, 1, 1, 1, kLanes, 1, 1, 0, nullptr, arguments, nullptr));
      std::vector<Result> results(kPerKernel * kLanes);
      HIP_CHECK(hipMemcpy(results.data(), out, results.size() * sizeof(Result), hipMemcpyDeviceToHost));
      for (size_t i = first; i < std::min(first + kPerKernel, operations.size()); ++i) {
        const auto model = models().find(operations[i]);
        if (model == models().end()) {
          std::fprintf(stderr, "no model: %s\n", operations[i].c_str());
          ++checkFailures;
          continue;
        }
        for (unsigned lane = 0; lane < kLanes; ++lane) {
          const bool isScalar = operations[i].rfind("s_", 0) == 0;
          const Lane &given = lanes[isScalar ? 0 : lane];
          Case k{lanes.data(), lane, given.in[0], given.in[1], given.in[2], given.in[3], 0, 0, 0, false, 0, 0};
          k.a = static_cast<uint32_t>(k.A), k.b = static_cast<uint32_t>(k.B), k.c = static_cast<uint32_t>(k.C);
          k.vcc = k.D & 1;
          k.low = static_cast<uint32_t>(k.D);
          model->second(k);
          const Result &result = results[(i - first) * kLanes + lane];
          if (isSameNumber(operations[i], k, result.value) && (result.bit != 0) == k.mask)
            continue;
          std::fprintf(stderr, "%s: %016llx %016llx %016llx %016llx gives %016llx %u, expected %016llx %u (lane %u)\n",
                       operations[i].c_str(), (unsigned long long)k.A, (unsigned long long)k.B, (unsigned long long)k.C,
                       (unsigned long long)k.D, (unsigned long long)result.value, result.bit,
                       (unsigned long long)(k.isWide ? k.wide : (k.D & ~uint64_t{0xffffffff}) | k.low), k.mask, lane);
          ++checkFailures;
          break;
        }
      }
    }
  }
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
  HIP_CHECK(hipModuleUnload(module));
  return testResult();
}
