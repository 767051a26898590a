// SPDX-License-Identifier: MIT
// Models of vector operations on integers of 32 and 64 bits.
#pragma once
#include "model.h"

inline int32_t signed24(uint32_t value) { return static_cast<int32_t>(value << 8) >> 8; }

inline uint32_t permutedByte(uint64_t data, uint32_t selector) {
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

inline uint32_t lowestBit(uint64_t value, int width) {
  for (int i = 0; i < width; ++i)
    if (value >> i & 1)
      return static_cast<uint32_t>(i);
  return ~0u;
}
/// How far the highest bit that is set lies below the top.
inline uint32_t highestBit(uint64_t value, int width) {
  for (int i = 0; i < width; ++i)
    if (value >> (width - 1 - i) & 1)
      return static_cast<uint32_t>(i);
  return ~0u;
}
/// The same for the first bit that differs from the sign.
inline uint32_t highestUnlikeSign(uint64_t value, int width) {
  const bool sign = value >> (width - 1) & 1;
  for (int i = 1; i < width; ++i)
    if ((value >> (width - 1 - i) & 1) != sign)
      return static_cast<uint32_t>(i);
  return ~0u;
}
inline uint64_t reversed(uint64_t value, int width) {
  uint64_t result = 0;
  for (int i = 0; i < width; ++i)
    result |= (value >> i & 1) << (width - 1 - i);
  return result;
}
inline uint64_t bitField(uint64_t value, unsigned offset, unsigned size) {
  uint64_t result = 0;
  for (unsigned i = 0; i < size; ++i)
    if (offset + i < 64)
      result |= (value >> (offset + i) & 1) << i;
  return result;
}
inline int64_t signedField(int64_t value, unsigned offset, unsigned size) {
  if (size == 0)
    return 0;
  const uint64_t field = bitField(static_cast<uint64_t>(value), offset, size);
  // Bits beyond the top are the sign's.
  int64_t result = 0;
  for (unsigned i = 0; i < 64; ++i) {
    const unsigned at = i < size ? i : size - 1;
    const bool bit = offset + at < 64 ? field >> at & 1 : value < 0;
    result |= static_cast<int64_t>(static_cast<uint64_t>(bit) << i);
  }
  return result;
}
inline uint32_t distanceOf(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }
inline uint32_t sumOfDistances(uint32_t a, uint32_t b, uint32_t sum, unsigned width) {
  for (unsigned at = 0; at < 32; at += width)
    sum += distanceOf(static_cast<uint32_t>(bitField(a, at, width)), static_cast<uint32_t>(bitField(b, at, width)));
  return sum;
}

/// Results that clamp brings into the range; masks stay those of the operation.
inline void addSaturated(Table &t) {
  auto sum = [](Case &k, uint64_t value) { carry(k, value), low(k, value >> 32 ? ~0u : value); };
  auto difference = [](Case &k, uint64_t value) { carry(k, value), low(k, value >> 32 ? 0 : value); };
  t.push_back({"v_add_co_u32 v12, s20, v4, v6 clamp", [=](Case &k) { sum(k, uint64_t{k.a} + k.b); }});
  t.push_back(
      {"v_add_co_ci_u32 v12, s20, v4, v6, vcc_lo clamp", [=](Case &k) { sum(k, uint64_t{k.a} + k.b + k.vcc); }});
  t.push_back({"v_sub_co_u32 v12, s20, v4, v6 clamp", [=](Case &k) { difference(k, uint64_t{k.a} - k.b); }});
  t.push_back({"v_subrev_co_u32 v12, s20, v4, v6 clamp", [=](Case &k) { difference(k, uint64_t{k.b} - k.a); }});
  t.push_back(
      {"v_sub_co_ci_u32 v12, s20, v4, v6, vcc_lo clamp", [=](Case &k) { difference(k, uint64_t{k.a} - k.b - k.vcc); }});
  OP("v_mad_u64_u32 v[12:13], s20, v4, v6, v[8:9] clamp",
     const unsigned __int128 sum = static_cast<unsigned __int128>(uint64_t{k.a} * k.b) + k.C;
     k.mask = sum >> 64 & 1; wide(k, k.mask ? ~uint64_t{0} : static_cast<uint64_t>(sum)));
  OP("v_mad_i64_i32 v[12:13], s20, v4, v6, v[8:9] clamp",
     const __int128 sum = static_cast<__int128>(s32(k.a)) * s32(k.b) + s64(k.C);
     k.mask = sum >> 64 & 1; wide(k, sum > INT64_MAX   ? static_cast<uint64_t>(INT64_MAX)
                                     : sum < INT64_MIN ? static_cast<uint64_t>(INT64_MIN)
                                                       : static_cast<uint64_t>(sum)));
  auto bounded = [](Case &k, uint64_t value) { low(k, value >> 32 ? ~0u : value); };
  for (const unsigned width : {8u, 16u, 32u})
    t.push_back({"v_sad_u" + std::to_string(width) + " v12, v4, v6, v8 clamp", [=](Case &k) {
                   uint64_t value = k.c;
                   for (unsigned at = 0; at < 32; at += width)
                     value += distanceOf(static_cast<uint32_t>(bitField(k.a, at, width)),
                                         static_cast<uint32_t>(bitField(k.b, at, width)));
                   bounded(k, value);
                 }});
  t.push_back({"v_sad_hi_u8 v12, v4, v6, v8 clamp",
               [=](Case &k) { bounded(k, (uint64_t{sumOfDistances(k.a, k.b, 0, 8)} << 16) + k.c); }});
  t.push_back({"v_msad_u8 v12, v4, v6, v8 clamp", [=](Case &k) {
                 uint64_t value = k.c;
                 for (unsigned at = 0; at < 32; at += 8)
                   value += k.b >> at & 255 ? distanceOf(k.a >> at & 255, k.b >> at & 255) : 0;
                 bounded(k, value);
               }});
}

/// Four bytes against four positions in eight.
inline void addQuads(Table &t) {
  auto distances = [](uint64_t bytes, unsigned first, uint32_t reference, bool isMasked) {
    uint32_t sum = 0;
    for (unsigned n = 0; n < 4; ++n) {
      const uint32_t byte = reference >> 8 * n & 255;
      if (!isMasked || byte)
        sum += distanceOf(bytes >> 8 * (first + n) & 255, byte);
    }
    return sum;
  };
  for (const bool isMasked : {false, true})
    t.push_back({std::string("!") + (isMasked ? "v_mqsad" : "v_qsad") +
                     "_pk_u16_u8 v[26:27], v[4:5], v6, v[8:9]; "
                     "v_mov_b32 v12, v26; v_mov_b32 v13, v27",
                 [=](Case &k) {
                   uint64_t all = 0;
                   for (unsigned n = 0; n < 4; ++n)
                     all |= uint64_t{u16((k.C >> 16 * n) + distances(k.A, n, k.b, isMasked))} << 16 * n;
                   wide(k, all);
                 }});
  // The sums begin as C and D.
  t.push_back(
      {"!v_mqsad_u32_u8 v[26:29], v[4:5], v6, v[8:11]; v_xor_b32 v12, v26, v28; v_xor_b32 v13, v27, v29", [=](Case &k) {
         auto sum = [&](unsigned n) {
           return static_cast<uint32_t>((n < 2 ? k.C : k.D) >> 32 * (n % 2)) + distances(k.A, n, k.b, true);
         };
         wide(k, (sum(0) ^ sum(2)) | uint64_t{sum(1) ^ sum(3)} << 32);
       }});
}

/// Numbers of two registers that are shifted by constants: within the halves, by all of one, and from one into the other.
inline void shiftsByConstants(Table &t) {
  for (const unsigned n : {0u, 7u, 31u, 32u, 45u, 63u}) {
    auto add = [&](const std::string &name, const char *value, std::function<void(Case &)> model) {
      t.push_back({name + std::to_string(n) + value, std::move(model)});
    };
    add("v_lshlrev_b64 v[12:13], ", ", v[6:7]", [n](Case &k) { wide(k, k.B << n); });
    add("v_lshrrev_b64 v[12:13], ", ", v[6:7]", [n](Case &k) { wide(k, k.B >> n); });
    add("v_ashrrev_i64 v[12:13], ", ", v[6:7]", [n](Case &k) { wide(k, static_cast<uint64_t>(s64(k.B) >> n)); });
    add("v_alignbit_b32 v12, v4, v6, ", "", [n](Case &k) { low(k, (uint64_t{k.a} << 32 | k.b) >> (n & 31)); });
    add("v_alignbyte_b32 v12, v4, v6, ", "", [n](Case &k) { low(k, (uint64_t{k.a} << 32 | k.b) >> (n & 3) * 8); });
  }
}

inline void addIntegers(Table &t) {
  OP("v_mov_b32 v12, v4", low(k, k.a));
  OP("v_mov_b32 v12, 0x12345678", low(k, 0x12345678));
  OP("v_mov_b32 v12, -16", low(k, 0xfffffff0));
  OP("v_add_nc_u32 v12, v4, v6", low(k, k.a + k.b));
  OP("v_add_nc_i32 v12, v4, v6", low(k, k.a + k.b));
  OP("v_sub_nc_u32 v12, v4, v6", low(k, k.a - k.b));
  OP("v_sub_nc_i32 v12, v4, v6", low(k, k.a - k.b));
  OP("v_subrev_nc_u32 v12, v4, v6", low(k, k.b - k.a));
  OP("v_and_b32 v12, v4, v6", low(k, k.a & k.b));
  OP("v_or_b32 v12, v4, v6", low(k, k.a | k.b));
  OP("v_xor_b32 v12, v4, v6", low(k, k.a ^ k.b));
  OP("v_xnor_b32 v12, v4, v6", low(k, ~(k.a ^ k.b)));
  OP("v_not_b32 v12, v4", low(k, ~k.a));
  OP("v_lshlrev_b32 v12, v4, v6", low(k, k.b << (k.a & 31)));
  OP("v_lshrrev_b32 v12, v4, v6", low(k, k.b >> (k.a & 31)));
  OP("v_ashrrev_i32 v12, v4, v6", low(k, static_cast<uint32_t>(s32(k.b) >> (k.a & 31))));
  OP("v_lshlrev_b64 v[12:13], v4, v[6:7]", wide(k, k.B << (k.a & 63)));
  OP("v_lshrrev_b64 v[12:13], v4, v[6:7]", wide(k, k.B >> (k.a & 63)));
  OP("v_ashrrev_i64 v[12:13], v4, v[6:7]", wide(k, static_cast<uint64_t>(s64(k.B) >> (k.a & 63))));
  shiftsByConstants(t);
  OP("v_cndmask_b32 v12, v4, v6, vcc_lo", low(k, k.vcc ? k.b : k.a));
  OP("v_cndmask_b32 v12, -v4, |v6|, vcc_lo", low(k, k.vcc ? k.b & 0x7fffffff : k.a ^ 0x80000000));
  OP("v_min_u32 v12, v4, v6", low(k, least(k.a, k.b)));
  OP("v_max_u32 v12, v4, v6", low(k, most(k.a, k.b)));
  OP("v_min_i32 v12, v4, v6", low(k, static_cast<uint32_t>(least(s32(k.a), s32(k.b)))));
  OP("v_max_i32 v12, v4, v6", low(k, static_cast<uint32_t>(most(s32(k.a), s32(k.b)))));
  OP("v_min3_u32 v12, v4, v6, v8", low(k, least(k.a, least(k.b, k.c))));
  OP("v_max3_u32 v12, v4, v6, v8", low(k, most(k.a, most(k.b, k.c))));
  OP("v_med3_u32 v12, v4, v6, v8", low(k, middle(k.a, k.b, k.c)));
  OP("v_min3_i32 v12, v4, v6, v8", low(k, static_cast<uint32_t>(least(s32(k.a), least(s32(k.b), s32(k.c))))));
  OP("v_max3_i32 v12, v4, v6, v8", low(k, static_cast<uint32_t>(most(s32(k.a), most(s32(k.b), s32(k.c))))));
  OP("v_med3_i32 v12, v4, v6, v8", low(k, static_cast<uint32_t>(middle(s32(k.a), s32(k.b), s32(k.c)))));
  OP("v_mul_lo_u32 v12, v4, v6", low(k, k.a * k.b));
  OP("v_mul_hi_u32 v12, v4, v6", low(k, uint64_t{k.a} * k.b >> 32));
  OP("v_mul_hi_i32 v12, v4, v6", low(k, static_cast<uint64_t>(int64_t{s32(k.a)} * s32(k.b)) >> 32));
  OP("v_mul_u32_u24 v12, v4, v6", low(k, (k.a & 0xffffff) * (k.b & 0xffffff)));
  OP("v_mul_i32_i24 v12, v4, v6", low(k, static_cast<uint64_t>(int64_t{signed24(k.a)} * signed24(k.b))));
  OP("v_mul_hi_u32_u24 v12, v4, v6", low(k, uint64_t{k.a & 0xffffff} * (k.b & 0xffffff) >> 32));
  OP("v_mul_hi_i32_i24 v12, v4, v6", low(k, static_cast<uint64_t>(int64_t{signed24(k.a)} * signed24(k.b)) >> 32));
  OP("v_mad_u32_u24 v12, v4, v6, v8", low(k, (k.a & 0xffffff) * (k.b & 0xffffff) + k.c));
  OP("v_mad_i32_i24 v12, v4, v6, v8", low(k, static_cast<uint64_t>(int64_t{signed24(k.a)} * signed24(k.b)) + k.c));
  OP("v_bfe_u32 v12, v4, v6, v8", low(k, bitField(k.a, k.b & 31, k.c & 31)));
  OP("v_bfe_i32 v12, v4, v6, v8", low(k, static_cast<uint64_t>(signedField(s32(k.a), k.b & 31, k.c & 31))));
  OP("v_bfi_b32 v12, v4, v6, v8", low(k, (k.a & k.b) | (~k.a & k.c)));
  OP("v_bfm_b32 v12, v4, v6", low(k, ((1u << (k.a & 31)) - 1) << (k.b & 31)));
  OP("v_bfrev_b32 v12, v4", low(k, reversed(k.a, 32)));
  OP("v_ffbl_b32 v12, v4", low(k, lowestBit(k.a, 32)));
  OP("v_ffbh_u32 v12, v4", low(k, highestBit(k.a, 32)));
  OP("v_ffbh_i32 v12, v4", low(k, highestUnlikeSign(k.a, 32)));
  OP("v_bcnt_u32_b32 v12, v4, v6", low(k, k.b + static_cast<uint32_t>(__builtin_popcount(k.a))));
  OP("v_alignbit_b32 v12, v4, v6, v8", low(k, (uint64_t{k.a} << 32 | k.b) >> (k.c & 31)));
  OP("v_add3_u32 v12, v4, v6, v8", low(k, k.a + k.b + k.c));
  OP("v_xor3_b32 v12, v4, v6, v8", low(k, k.a ^ k.b ^ k.c));
  OP("v_or3_b32 v12, v4, v6, v8", low(k, k.a | k.b | k.c));
  OP("v_lshl_add_u32 v12, v4, v6, v8", low(k, (k.a << (k.b & 31)) + k.c));
  OP("v_add_lshl_u32 v12, v4, v6, v8", low(k, (k.a + k.b) << (k.c & 31)));
  OP("v_lshl_or_b32 v12, v4, v6, v8", low(k, (k.a << (k.b & 31)) | k.c));
  OP("v_xad_u32 v12, v4, v6, v8", low(k, (k.a ^ k.b) + k.c));
  OP("v_and_or_b32 v12, v4, v6, v8", low(k, (k.a & k.b) | k.c));
  OP("v_sad_u8 v12, v4, v6, v8", low(k, sumOfDistances(k.a, k.b, k.c, 8)));
  OP("v_sad_u16 v12, v4, v6, v8", low(k, sumOfDistances(k.a, k.b, k.c, 16)));
  OP("v_sad_u32 v12, v4, v6, v8", low(k, sumOfDistances(k.a, k.b, k.c, 32)));
  OP("v_perm_b32 v12, v4, v6, v8", uint32_t all = 0;
     for (int i = 0; i < 4; ++i) all |= permutedByte(uint64_t{k.a} << 32 | k.b, k.c >> 8 * i & 0xff) << 8 * i;
     low(k, all));
  OP("v_add_co_u32 v12, s20, v4, v6", carry(k, uint64_t{k.a} + k.b));
  OP("v_add_co_ci_u32 v12, s20, v4, v6, vcc_lo", carry(k, uint64_t{k.a} + k.b + k.vcc));
  OP("v_add_co_ci_u32 v12, vcc_lo, v4, v6, vcc_lo; s_mov_b32 s20, vcc_lo", carry(k, uint64_t{k.a} + k.b + k.vcc));
  OP("v_sub_co_u32 v12, s20, v4, v6", carry(k, uint64_t{k.a} - k.b));
  OP("v_subrev_co_u32 v12, s20, v4, v6", carry(k, uint64_t{k.b} - k.a));
  OP("v_sub_co_ci_u32 v12, s20, v4, v6, vcc_lo", carry(k, uint64_t{k.a} - k.b - k.vcc));
  OP("v_subrev_co_ci_u32 v12, s20, v4, v6, vcc_lo", carry(k, uint64_t{k.b} - k.a - k.vcc));
  OP("v_mad_u64_u32 v[12:13], s20, v4, v6, v[8:9]",
     const unsigned __int128 sum = static_cast<unsigned __int128>(uint64_t{k.a} * k.b) + k.C;
     wide(k, static_cast<uint64_t>(sum)); k.mask = sum >> 64 & 1);
  OP("v_mad_i64_i32 v[12:13], s20, v4, v6, v[8:9]",
     const __int128 sum = static_cast<__int128>(s32(k.a)) * s32(k.b) + s64(k.C);
     wide(k, static_cast<uint64_t>(sum)); k.mask = sum >> 64 & 1);
  OP("v_swap_b32 v12, v4; v_mov_b32 v13, v4", wide(k, k.D << 32 | k.a));
  // Lanes that EXEC excludes keep their results, and their bits of masks are 0.
  OP("s_mov_b32 exec_lo, vcc_lo; !v_add_co_u32 v12, s20, v4, v6; s_mov_b32 exec_lo, -1",
     if (k.vcc) carry(k, uint64_t{k.a} + k.b));
  auto whole = [](Case &k, int64_t v, bool isSigned) {
    const int64_t most = isSigned ? 0x7fffffff : 0xffffffff, least = isSigned ? -most - 1 : 0;
    low(k, static_cast<uint64_t>(v < least ? least : v > most ? most : v));
  };
  t.push_back({"v_add_nc_u32 v12, v4, v6 clamp", [=](Case &k) { whole(k, int64_t{k.a} + k.b, false); }});
  t.push_back({"v_sub_nc_u32 v12, v4, v6 clamp", [=](Case &k) { whole(k, int64_t{k.a} - k.b, false); }});
  t.push_back({"v_subrev_nc_u32 v12, v4, v6 clamp", [=](Case &k) { whole(k, int64_t{k.b} - k.a, false); }});
  t.push_back({"v_add_nc_i32 v12, v4, v6 clamp", [=](Case &k) { whole(k, int64_t{s32(k.a)} + s32(k.b), true); }});
  t.push_back({"v_sub_nc_i32 v12, v4, v6 clamp", [=](Case &k) { whole(k, int64_t{s32(k.a)} - s32(k.b), true); }});
  t.push_back({"v_mad_u32_u24 v12, v4, v6, v8 clamp",
               [=](Case &k) { whole(k, int64_t{k.a & 0xffffff} * (k.b & 0xffffff) + k.c, false); }});
  t.push_back({"v_mad_i32_i24 v12, v4, v6, v8 clamp",
               [=](Case &k) { whole(k, int64_t{signed24(k.a)} * signed24(k.b) + s32(k.c), true); }});
  t.push_back(
      {"v_mad_u32_u16 v12, v4, v6, v8 clamp", [=](Case &k) { whole(k, int64_t{u16(k.a)} * u16(k.b) + k.c, false); }});
  t.push_back({"v_mad_i32_i16 v12, v4, v6, v8 clamp",
               [=](Case &k) { whole(k, int64_t{s16(k.a)} * s16(k.b) + s32(k.c), true); }});
  OP("v_mad_u32_u16 v12, v4, v6, v8 op_sel:[1,0,0,0]", low(k, (k.a >> 16) * (k.b & 0xffff) + k.c));
  OP("v_mad_i32_i16 v12, v4, v6, v8", low(k, static_cast<uint32_t>(s16(k.a) * s16(k.b)) + k.c));
  OP("v_alignbyte_b32 v12, v4, v6, v8", low(k, (uint64_t{k.a} << 32 | k.b) >> 8 * (k.c & 3)));
  OP("v_lerp_u8 v12, v4, v6, v8", uint32_t all = 0;
     for (unsigned at = 0; at < 32; at += 8) all |= (((k.a >> at & 255) + (k.b >> at & 255) + (k.c >> at & 1)) >> 1)
                                                    << at;
     low(k, all));
  OP("v_msad_u8 v12, v4, v6, v8", uint32_t sum = k.c;
     for (unsigned at = 0; at < 32; at += 8) if (k.b >> at & 255) sum += distanceOf(k.a >> at & 255, k.b >> at & 255);
     low(k, sum));
  OP("v_sad_hi_u8 v12, v4, v6, v8", low(k, (sumOfDistances(k.a, k.b, 0, 8) << 16) + k.c));
  OP("v_cvt_pk_u16_u32 v12, v4, v6", low(k, least(k.a, 0xffffu) | least(k.b, 0xffffu) << 16));
  OP("v_cvt_pk_i16_i32 v12, v4, v6", low(k, u16(static_cast<uint64_t>(most(least(s32(k.a), 0x7fff), -0x8000))) |
                                                static_cast<uint32_t>(most(least(s32(k.b), 0x7fff), -0x8000)) << 16));
  OP("v_sat_pk_u8_i16 v12, v4",
     low(k, static_cast<uint32_t>(most(least(int{s16(k.a)}, 255), 0) | most(least(int{s16(k.a >> 16)}, 255), 0) << 8)));
  addSaturated(t);
  addQuads(t);
}
