// SPDX-License-Identifier: MIT
// Models of typed buffer instructions, from the words of AMD's manuals ("Buffer Data", and the tables of formats), see model.h. The format is the
// instruction's or s43's. Memory is as in buffers.h: each lane has the 32 bytes at v1, of which the first 16 are v[8:11].
#pragma once
#include "memory.h"

namespace typed {

/// How a format is called: the bits of its components from the highest ones to the lowest, and its kind.
struct Format {
  std::string name;
  std::vector<unsigned> bits; // from the lowest ones
  std::string kind;

  Format(const std::vector<unsigned> &fromHighest, const std::string &kindOfAll) : kind(kindOfAll) {
    for (const unsigned each : fromHighest)
      name += std::to_string(each) + "_";
    name = "BUF_FMT_" + name + kind;
    bits.assign(fromHighest.rbegin(), fromHighest.rend());
  }
  bool isInteger() const { return kind == "UINT" || kind == "SINT"; }
  unsigned bytes() const {
    unsigned all = 0;
    for (const unsigned each : bits)
      all += each;
    return all / 8;
  }
};

inline uint32_t field(const uint32_t *words, unsigned first, unsigned bits) {
  uint64_t value = words[first / 32];
  return static_cast<uint32_t>(value >> first % 32 & ((uint64_t{1} << bits) - 1));
}

inline int64_t extended(uint64_t value, unsigned bits) {
  return value >> (bits - 1) & 1 ? static_cast<int64_t>(value) - (int64_t{1} << bits) : static_cast<int64_t>(value);
}

/// The number of a component. Those of 10 and 11 bits have five bits of exponent and no sign.
inline double numberOf(const Format &format, unsigned bits, uint32_t raw) {
  if (format.kind == "FLOAT")
    return bits == 32 ? f(raw) : bits == 16 ? h(raw) : h(raw << (15 - bits));
  const double most = std::ldexp(1, static_cast<int>(bits)) - 1,
               mostSigned = std::ldexp(1, static_cast<int>(bits) - 1) - 1;
  if (format.kind == "UNORM")
    return raw / most;
  if (format.kind == "SNORM")
    return std::fmax(-1, static_cast<double>(extended(raw, bits)) / mostSigned);
  return format.kind == "USCALED" || format.kind == "UINT" ? raw : static_cast<double>(extended(raw, bits));
}

/// The half that a load gives: the next one toward zero of 32 bits, else the nearest one.
inline uint32_t loadedHalf(double value, bool truncates) {
  const uint32_t nearest = toHalf(value);
  return truncates && !std::isnan(value) && std::fabs(h(nearest)) > std::fabs(value) ? nearest - 1 : nearest;
}

/// A register after a load.
inline uint32_t loaded(const Format &format, unsigned component, const uint32_t *words, bool halves) {
  unsigned first = 0;
  for (unsigned n = 0; n < component; ++n)
    first += format.bits[n];
  const unsigned bits = format.bits[component];
  const uint32_t raw = field(words, first, bits);
  if (format.isInteger()) {
    const auto value = static_cast<uint32_t>(format.kind == "SINT" ? extended(raw, bits) : int64_t{raw});
    return halves ? value & 0xffff : value;
  }
  const double number = numberOf(format, bits, raw);
  if (halves)
    return loadedHalf(number, format.kind == "FLOAT" && bits == 32);
  return format.kind == "FLOAT" && bits == 32 ? raw : ::bits(static_cast<float>(number));
}

/// The bits that a register becomes; open where the manual does not say how.
inline uint32_t stored(Case &k, const Format &format, unsigned bits, uint32_t word, bool halves) {
  const double number = halves ? h(word) : f(word);
  const uint64_t all = (uint64_t{1} << bits) - 1;
  if (format.isInteger()) {
    const bool isSigned = format.kind == "SINT";
    const int64_t value = halves ? (isSigned ? s16(word) : int64_t{u16(word)}) : isSigned ? s32(word) : int64_t{word};
    k.isOpen |=
        isSigned ? extended(static_cast<uint64_t>(value) & all, bits) != value : value > static_cast<int64_t>(all);
    return static_cast<uint32_t>(static_cast<uint64_t>(value) & all);
  }
  if (format.kind == "FLOAT" && bits == 32) {
    k.isOpen |= std::isnan(number) && halves;
    return halves ? ::bits(static_cast<float>(number)) : word;
  }
  if (format.kind == "FLOAT") {
    const uint32_t half = toHalf(number), raw = bits == 16 ? half : half >> (15 - bits);
    k.isOpen |=
        std::isnan(number) || h(bits == 16 ? raw : raw << (15 - bits)) != number || (bits < 16 && half & 0x8000);
    return raw;
  }
  const bool isFraction = format.kind == "UNORM" || format.kind == "SNORM", isSigned = format.kind[0] == 'S';
  const double most = static_cast<double>(isSigned ? all >> 1 : all);
  const double scaled = isFraction ? number * most : number;
  k.isOpen |= std::isnan(number) ||
              (!isFraction && (std::trunc(number) != number || number > most || number < -most - isSigned));
  const double least = !isSigned ? 0 : isFraction ? -most : -most - 1;
  const double kept = std::isnan(number) ? 0 : std::fmin(most, std::fmax(least, scaled));
  return static_cast<uint32_t>(static_cast<uint64_t>(static_cast<int64_t>(std::nearbyint(kept))) & all);
}

inline const char *const kComponents[] = {"", "x", "xy", "xyz", "xyzw"};

inline std::string registers(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

/// The words of a lane's memory.
inline void memoryOf(const Case &k, uint32_t (&words)[4]) {
  words[0] = static_cast<uint32_t>(k.C), words[1] = static_cast<uint32_t>(k.C >> 32);
  words[2] = static_cast<uint32_t>(k.D), words[3] = static_cast<uint32_t>(k.D >> 32);
}

/// Loads so many components. Those that the format does not have are 0. The result is the first two registers, combined with the other two.
inline void addLoad(Table &t, const Format &format, unsigned count, bool halves) {
  const unsigned size = halves ? (count + 1) / 2 : count;
  // Half a register that no component belongs to is left open.
  std::string text = "v_mov_b32 v26, 0; v_mov_b32 v27, 0; v_mov_b32 v28, 0; v_mov_b32 v29, 0; !tbuffer_load_format_";
  text += std::string(halves ? "d16_" : "") + kComponents[count] + " " + registers(26, size) +
          ", v1, s[40:43], 0 format:[" + format.name + "] offen; s_waitcnt vmcnt(0)";
  if (halves && count % 2)
    text += "; v_and_b32 v" + std::to_string(25 + size) + ", 0xffff, v" + std::to_string(25 + size);
  t.push_back({text + "; v_xor_b32 v12, v26, v28; v_xor_b32 v13, v27, v29", [=](Case &k) {
                 uint32_t words[4], result[4] = {};
                 memoryOf(k, words);
                 for (unsigned n = 0; n < count && n < format.bits.size(); ++n) {
                   const uint32_t value = loaded(format, n, words, halves);
                   const bool isNan = halves ? (value & 0x7fff) > 0x7c00 : std::isnan(f(value));
                   k.isOpen |= format.kind == "FLOAT" && isNan;
                   result[halves ? n / 2 : n] |= halves ? value << 16 * (n % 2) : value;
                 }
                 wide(k, (result[0] ^ result[2]) | uint64_t{result[1] ^ result[3]} << 32);
               }});
}

/// Stores v[4:7], or halves of v[4:5]. The result is the first two words of memory, combined with the other two.
inline void addStore(Table &t, const Format &format, unsigned count, bool halves) {
  const unsigned size = halves ? (count + 1) / 2 : count;
  const std::string name = std::string("tbuffer_store_format_") + (halves ? "d16_" : "") + kComponents[count];
  t.push_back(
      {"!" + name + " " + registers(4, size) + ", v1, s[40:43], 0 format:[" + format.name +
           "] offen; s_waitcnt_vscnt null, 0; global_load_dwordx4 v[26:29], v1, s[8:9]; s_waitcnt vmcnt(0); v_xor_b32 "
           "v12, v26, v28; v_xor_b32 v13, v27, v29",
       [=](Case &k) {
         const uint32_t given[4] = {static_cast<uint32_t>(k.A), static_cast<uint32_t>(k.A >> 32),
                                    static_cast<uint32_t>(k.B), static_cast<uint32_t>(k.B >> 32)};
         uint32_t words[4];
         memoryOf(k, words);
         unsigned first = 0;
         for (unsigned n = 0; n < format.bits.size(); ++n) {
           const unsigned bits = format.bits[n], from = n < count ? n : 0; // the first one fills in
           const uint32_t word = halves ? given[from / 2] >> 16 * (from % 2) & 0xffff : given[from];
           const auto mask = static_cast<uint32_t>((uint64_t{1} << bits) - 1) << first % 32;
           words[first / 32] = (words[first / 32] & ~mask) | stored(k, format, bits, word, halves) << first % 32;
           first += bits;
         }
         wide(k, (words[0] ^ words[2]) | uint64_t{words[1] ^ words[3]} << 32);
       }});
}

} // namespace typed

/// Formats that descriptors name, whose selection says where components go.
inline void addDescribedBuffers(Table &t) {
  const std::string load = "!buffer_load_format_xyzw v[26:29], v1, s[40:43], 0 offen; s_waitcnt vmcnt(0); ",
                    lower = "v_mov_b32 v12, v26; v_mov_b32 v13, v27", upper = "v_mov_b32 v12, v28; v_mov_b32 v13, v29";
  auto asFloat = [](uint32_t value) { return uint64_t{bits(static_cast<float>(value))}; };
  // 16_16_UINT selected as Y, X, 1, 0, and 16_16_USCALED as X, 0, 1, Y.
  const std::string swapped = "s_mov_b32 s43, 0x3101b065; ", spread = "s_mov_b32 s43, 0x31019a44; ";
  t.push_back({swapped + load + lower, [](Case &k) { wide(k, k.c >> 16 | uint64_t{k.c & 0xffff} << 32); }});
  t.push_back({swapped + load + upper, [](Case &k) { wide(k, 1); }});
  t.push_back({spread + load + lower, [=](Case &k) { wide(k, asFloat(k.c & 0xffff)); }});
  t.push_back({spread + load + upper, [=](Case &k) { wide(k, 0x3f800000 | asFloat(k.c >> 16) << 32); }});
  // A register that is not stored has the first one's value.
  for (unsigned count = 1; count <= 4; ++count)
    for (const bool halves : {false, true}) {
      const std::string ending = std::string(halves ? "d16_" : "") + typed::kComponents[count];
      const unsigned size = halves ? (count + 1) / 2 : count;
      const bool isWide = !halves && count > 1;
      t.push_back({"s_mov_b32 s43, 0x3101bfac; !buffer_load_format_" + ending + " " + typed::registers(26, size) +
                       ", v1, s[40:43], 0 offen; s_waitcnt vmcnt(0); " +
                       (halves && count == 1 ? "v_and_b32 v12, 0xffff, v26" : "v_mov_b32 v12, v26") +
                       (isWide ? "; v_mov_b32 v13, v27" : ""),
                   [=](Case &k) {
                     if (isWide)
                       wide(k, (k.c & 0xffff) | uint64_t{k.c >> 16} << 32);
                     else
                       low(k, halves && count > 1 ? k.c : k.c & 0xffff);
                   }});
      const std::string given = halves ? "v_and_b32 v26, 0xffff, v4; v_lshl_or_b32 v26, v6, 16, v26; "
                                       : "v_and_b32 v26, 0xffff, v4; v_and_b32 v27, 0xffff, v6; ";
      t.push_back({swapped + given + "!buffer_store_format_" + ending + " " + typed::registers(26, size) +
                       ", v1, s[40:43], 0 offen; s_waitcnt_vscnt null, 0; global_load_dword v12, v1, s[8:9]; s_waitcnt "
                       "vmcnt(0)",
                   [=](Case &k) { low(k, (count > 1 ? k.b & 0xffff : k.a & 0xffff) | k.a << 16); }});
    }
  // Unbound: nothing is read or written.
  OP("s_mov_b32 s43, 0x31000fac; !buffer_load_format_x v12, v1, s[40:43], 0 offen; s_waitcnt vmcnt(0)", low(k, 0));
  OP("s_mov_b32 s43, 0x31000fac; !buffer_store_format_x v4, v1, s[40:43], 0 offen; s_waitcnt_vscnt null, 0; "
     "global_load_dword v12, v1, s[8:9]; s_waitcnt vmcnt(0)",
     low(k, k.c));
  // Elements are in range as a whole.
  OP("s_movk_i32 s42, 0x202; !tbuffer_load_format_x v12, v1, s[40:43], 0 format:[BUF_FMT_8_8_8_8_UINT] offen; "
     "s_waitcnt vmcnt(0)",
     low(k, k.lane < 16 ? k.c & 0xff : 0));
  OP("s_movk_i32 s42, 0x202; !tbuffer_store_format_x v4, v1, s[40:43], 0 format:[BUF_FMT_32_FLOAT] offen; "
     "s_waitcnt_vscnt null, 0; global_load_dword v12, v1, s[8:9]; s_waitcnt vmcnt(0)",
     low(k, k.lane < 16 ? k.a : k.c));
  // Records of 32 bytes that the lanes choose.
  OP("s_or_b32 s41, s41, 0x200000; s_mov_b32 s42, 24; s_mov_b32 s43, 0x11016fac; v_and_b32 v26, 31, v4; "
     "!tbuffer_load_format_x v12, v26, s[40:43], 0 format:[BUF_FMT_16_16_UINT] idxen offset:4; s_waitcnt vmcnt(0)",
     low(k, (k.a & 31) < 24 ? static_cast<uint32_t>(k.wave[k.a & 31].in[2] >> 32) & 0xffff : 0));
}

inline void addTypedBuffers(Table &t) {
  using typed::Format;
  const Format formats[] = {{{8}, "UNORM"},
                            {{8, 8}, "SNORM"},
                            {{16}, "SNORM"},
                            {{16, 16}, "UNORM"},
                            {{2, 10, 10, 10}, "UNORM"},
                            {{10, 10, 10, 2}, "SNORM"},
                            {{8, 8, 8, 8}, "UNORM"},
                            {{16, 16, 16, 16}, "SNORM"},
                            {{11, 11, 10}, "SNORM"},
                            {{8}, "USCALED"},
                            {{16}, "SSCALED"},
                            {{2, 10, 10, 10}, "USCALED"},
                            {{8, 8, 8, 8}, "SSCALED"},
                            {{8}, "SINT"},
                            {{8, 8}, "UINT"},
                            {{32}, "UINT"},
                            {{32}, "SINT"},
                            {{10, 10, 10, 2}, "UINT"},
                            {{2, 10, 10, 10}, "SINT"},
                            {{16, 16, 16, 16}, "UINT"},
                            {{32, 32, 32}, "SINT"},
                            {{10, 11, 11}, "UINT"},
                            {{16}, "FLOAT"},
                            {{32}, "FLOAT"},
                            {{16, 16}, "FLOAT"},
                            {{10, 11, 11}, "FLOAT"},
                            {{11, 11, 10}, "FLOAT"},
                            {{32, 32}, "FLOAT"},
                            {{16, 16, 16, 16}, "FLOAT"},
                            {{32, 32, 32, 32}, "FLOAT"}};
  unsigned number = 0;
  for (const Format &format : formats) {
    typed::addLoad(t, format, 4, false);
    typed::addStore(t, format, 4, false);
    if (number++ % 2 == 0)
      typed::addLoad(t, format, 4, true);
    else
      typed::addStore(t, format, 4, true);
  }
  for (unsigned count = 1; count < 4; ++count)
    for (const Format &format : {Format({8, 8, 8, 8}, "SINT"), Format({32, 32, 32, 32}, "UINT")})
      for (const bool halves : {false, true}) {
        typed::addLoad(t, format, count, halves);
        typed::addStore(t, format, count, halves);
      }
  addDescribedBuffers(t);
}
