// SPDX-License-Identifier: MIT
// Models of accesses to memory. Each lane has 32 bytes of global memory at v[24:25] = s[8:9] + v1 and the same of local memory at v1; in
// both the first eight bytes begin as C and the next eight as D. s[40:43] describe that memory as a buffer.
#pragma once
#include "model.h"

inline const char *kWait = "; s_waitcnt vmcnt(0) lgkmcnt(0); s_waitcnt_vscnt null, 0; ";

/// Loads of one form: `operation` ends where the offset begins. What they load into v12 or v[12:13] is the model's.
struct Form {
  std::string prefix, place, back; // "global_", "v1, s[8:9]"; how to load the result of a store
};

inline uint64_t bytesAt(const Case &k, unsigned offset, unsigned count) {
  uint64_t value = 0;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned at = offset + i;
    value |= ((at < 8 ? k.C >> 8 * at : k.D >> 8 * (at - 8)) & 255) << 8 * i;
  }
  return value;
}

inline void addLoad(Table &t, const std::string &text, const std::function<void(Case &)> &model) {
  t.push_back({"!" + text + kWait, model});
}

/// Loads of bytes and words, with signs or not, into whole registers or halves.
inline void addSmallLoads(Table &t, const std::function<std::string(const char *)> &line, const char *const names[10],
                          unsigned offset) {
  const std::function<void(Case &)> models[] = {
      [=](Case &k) { low(k, bytesAt(k, offset, 1)); },
      [=](Case &k) { low(k, static_cast<uint32_t>(int32_t{static_cast<int8_t>(bytesAt(k, offset, 1))})); },
      [=](Case &k) { low(k, bytesAt(k, offset, 2)); },
      [=](Case &k) { low(k, static_cast<uint32_t>(int32_t{s16(bytesAt(k, offset, 2))})); },
      [=](Case &k) { word(k, bytesAt(k, offset, 1)); },
      [=](Case &k) { highWord(k, bytesAt(k, offset, 1)); },
      [=](Case &k) { word(k, static_cast<uint64_t>(int64_t{static_cast<int8_t>(bytesAt(k, offset, 1))})); },
      [=](Case &k) { highWord(k, static_cast<uint64_t>(int64_t{static_cast<int8_t>(bytesAt(k, offset, 1))})); },
      [=](Case &k) { word(k, bytesAt(k, offset, 2)); },
      [=](Case &k) { highWord(k, bytesAt(k, offset, 2)); },
  };
  for (unsigned i = 0; i < 10; ++i)
    addLoad(t, line(names[i]), models[i]);
}

inline const char *const kLoadNames[10] = {"ubyte",        "sbyte",     "ushort",       "sshort",    "ubyte_d16",
                                           "ubyte_d16_hi", "sbyte_d16", "sbyte_d16_hi", "short_d16", "short_d16_hi"};
inline const char *const kLocalLoadNames[10] = {"u8",        "i8",     "u16",       "i16",     "u8_d16",
                                                "u8_d16_hi", "i8_d16", "i8_d16_hi", "u16_d16", "u16_d16_hi"};

/// Halves of a wave that go along a row each, and that read one place each: v26 and v28 are where the rows are, for lane and for the first
/// lanes of both halves, in local memory behind that of the lanes.
inline void addTwoRows(Table &t) {
  const std::string rows =
      "v_lshrrev_b32 v26, 5, v1; v_and_b32 v27, 15, v26; v_lshlrev_b32 v27, 2, v27; v_lshrrev_b32 v28, 4, v26; "
      "v_lshlrev_b32 v28, 9, v28; v_add_nc_u32 v27, v27, v28; v_xor_b32 v29, 0x200, v27; ";
  t.push_back({rows + "!ds_write_b32 v27, v4 offset:4096; !ds_read_b32 v12, v29 offset:4096" + kWait,
               [](Case &k) { low(k, static_cast<uint32_t>(k.wave[k.lane ^ 16].in[0])); }});
  t.push_back({rows + "!ds_write_b32 v27, v4 offset:4096; !ds_read_b32 v12, v28 offset:4096" + kWait,
               [](Case &k) { low(k, static_cast<uint32_t>(k.wave[k.lane & 16].in[0])); }});
  t.push_back({rows +
                   "v_add_nc_u32 v27, v27, v27; v_add_nc_u32 v29, v29, v29; !ds_write_b64 v27, v[4:5] offset:4096; "
                   "!ds_read_b64 v[12:13], v29 offset:4096" +
                   kWait,
               [](Case &k) { wide(k, k.wave[k.lane ^ 16].in[0]); }});
}

// All of what a wider load brings goes into the result.
inline void addWideLoads(Table &t, const std::string &prefix, const std::string &two, const std::string &three,
                         const std::string &four, const std::string &place) {
  addLoad(t, prefix + two + " v[12:13], " + place, [](Case &k) { wide(k, k.C); });
  t.push_back({"!" + prefix + three + " v[26:28], " + place + kWait + "v_xor_b32 v12, v26, v28; v_mov_b32 v13, v27",
               [](Case &k) { wide(k, (k.C & ~uint64_t{0xffffffff}) | (k.c ^ k.d)); }});
  t.push_back({"!" + prefix + four + " v[26:29], " + place + kWait + "v_xor_b32 v12, v26, v28; v_xor_b32 v13, v27, v29",
               [](Case &k) { wide(k, k.C ^ k.D); }});
}

/// Stores of each size; `back` loads the sixteen bytes into v[26:29].
inline void addStores(Table &t, const std::function<std::string(const char *, const char *)> &line,
                      const std::string &back, const char *const names[8]) {
  struct Store {
    const char *data;
    unsigned bytes, shift;
  };
  const Store stores[] = {{"v4", 1, 0},      {"v4", 2, 0},      {"v4", 4, 0},  {"v[4:5]", 8, 0},
                          {"v[4:6]", 12, 0}, {"v[4:7]", 16, 0}, {"v4", 1, 16}, {"v4", 2, 16}};
  for (unsigned i = 0; i < 8; ++i) {
    const Store store = stores[i];
    t.push_back({"!" + line(names[i], store.data) + kWait + back + kWait +
                     "v_alignbit_b32 v28, v28, v28, 7; v_alignbit_b32 v29, v29, v29, 11; v_xor_b32 v12, v26, v28; "
                     "v_xor_b32 v13, v27, v29",
                 [=](Case &k) {
                   uint64_t memory[2] = {k.C, k.D}, data[2] = {k.A, k.B};
                   data[0] >>= store.shift;
                   std::memcpy(memory, data, store.bytes);
                   auto turned = [](uint64_t v, unsigned by) {
                     const auto w = static_cast<uint32_t>(v);
                     return w >> by | w << (32 - by);
                   };
                   wide(k, (static_cast<uint32_t>(memory[0]) ^ turned(memory[1], 7)) |
                               uint64_t{static_cast<uint32_t>(memory[0] >> 32) ^ turned(memory[1] >> 32, 11)} << 32);
                 }});
  }
}

inline uint32_t numberAfter(const std::string &kind, uint32_t before, uint32_t v) {
  if (kind == "add_f32")
    return bits(f(before) + f(v));
  return before;
}

/// The value that an atomic operation leaves. `compare` is what a comparison expects.
template <class U, class S> U after(const std::string &kind, U before, U v, U compare) {
  const auto signedBefore = static_cast<S>(before), signedV = static_cast<S>(v);
  if (kind == "swap")
    return v;
  if (kind == "cmpswap")
    return before == compare ? v : before;
  if (kind == "add")
    return before + v;
  if (kind == "sub")
    return before - v;
  if (kind == "rsub")
    return v - before;
  if (kind == "smin")
    return signedV < signedBefore ? v : before;
  if (kind == "smax")
    return signedV > signedBefore ? v : before;
  if (kind == "umin")
    return v < before ? v : before;
  if (kind == "umax")
    return v > before ? v : before;
  if (kind == "and")
    return before & v;
  if (kind == "or")
    return before | v;
  if (kind == "xor")
    return before ^ v;
  if (kind == "inc")
    return before >= v ? 0 : before + 1;
  return before == 0 || before > v ? v : before - 1; // dec
}

/// An atomic operation on the lane's first number; the value is A, a comparison expects B. Once what it returns is the result, and once
/// what it leaves.
inline void addAtomic(Table &t, const std::string &kind, bool isWide, const std::string &returning,
                      const std::string &silent, const std::string &load) {
  auto number = [=](Case &k, bool left) {
    const uint64_t value =
        isWide ? after<uint64_t, int64_t>(kind, k.C, k.A, k.B) : after<uint32_t, int32_t>(kind, k.c, k.a, k.b);
    const uint64_t shown = left ? value : isWide ? k.C : k.c;
    if (isWide)
      wide(k, shown);
    else
      low(k, shown);
  };
  const std::string result = isWide ? "v[12:13]" : "v12";
  t.push_back({"!" + returning + kWait, [=](Case &k) { number(k, false); }});
  t.push_back({"!" + returning + kWait + load + kWait, [=](Case &k) { number(k, true); }});
  t.push_back({"!" + silent + kWait + load + kWait, [=](Case &k) { number(k, true); }});
}

/// An operation on local memory with two operands, A and B.
inline void addTwo(Table &t, const std::string &stem, const std::string &type, bool isWide,
                   const std::function<uint64_t(uint64_t, uint64_t, uint64_t)> &model) {
  const std::string result = isWide ? "v[12:13]" : "v12", data = isWide ? "v[4:5], v[6:7]" : "v4, v6",
                    load = std::string("ds_read_b") + (isWide ? "64 " : "32 ") + result + ", v1";
  auto show = [=](Case &k, bool left) {
    const uint64_t before = isWide ? k.C : k.c;
    const uint64_t value = left ? model(before, isWide ? k.A : k.a, isWide ? k.B : k.b) : before;
    isWide ? wide(k, value) : low(k, value);
  };
  const std::string returning = "!" + stem + "rtn_" + type + " " + result + ", v1, " + data + kWait;
  t.push_back({returning, [=](Case &k) { show(k, false); }});
  t.push_back({returning + load + kWait, [=](Case &k) { show(k, true); }});
  t.push_back({"!" + stem + type + " v1, " + data + kWait + load + kWait, [=](Case &k) { show(k, true); }});
}

/// Minima, maxima and comparisons of numbers in memory. The manual does not say what becomes of NaN.
inline void addNumberAtomics(Table &t) {
  for (const bool isWide : {false, true}) {
    const std::string bits = isWide ? "64" : "32", x2 = isWide ? "_x2" : "", result = isWide ? "v[12:13]" : "v12",
                      value = isWide ? "v[4:5]" : "v4";
    auto number = [=](uint64_t v) { return isWide ? d(v) : double{f(static_cast<uint32_t>(v))}; };
    auto show = [=](Case &k, uint64_t v) { isWide ? wide(k, v) : low(k, v); };
    for (const bool isLeast : {true, false}) {
      auto returned = [=](Case &k) { show(k, isWide ? k.C : k.c); };
      auto left = [=](Case &k) {
        const uint64_t before = isWide ? k.C : k.c, given = isWide ? k.A : k.a;
        const double x = number(before), y = number(given);
        k.isOpen = std::isnan(x) || std::isnan(y) || x == y;
        show(k, (y < x) == isLeast ? given : before);
      };
      const std::string name = isLeast ? "min" : "max", ds = "ds_" + name,
                        read = "ds_read_b" + bits + " " + result + ", v1",
                        load = "global_load_dword" + std::string(isWide ? "x2 " : " ") + result + ", v1, s[8:9]";
      t.push_back({"!" + ds + "_rtn_f" + bits + " " + result + ", v1, " + value + kWait, returned});
      t.push_back({"!" + ds + "_f" + bits + " v1, " + value + kWait + read + kWait, left});
      for (const std::string form : {"global", "flat"}) {
        const std::string atomic = "!" + form + "_atomic_f" + name + x2 + " ",
                          place = form == "global" ? "v1, " + value + ", s[8:9]" : "v[24:25], " + value;
        t.push_back({atomic + result + ", " + place + " glc" + kWait, returned});
        t.push_back({atomic + place + kWait + load + kWait, left});
      }
      t.push_back(
          {"!buffer_atomic_f" + name + x2 + " " + value + ", v1, s[40:43], 0 offen" + kWait + load + kWait, left});
    }
    // A comparison of numbers: -0 is 0, and NaN is nothing.
    auto compared = [=](Case &k, uint64_t expected, uint64_t given) {
      const uint64_t before = isWide ? k.C : k.c;
      show(k, number(before) == number(expected) ? given : before);
    };
    const std::string expected = isWide ? "v[6:7]" : "v6", read = "ds_read_b" + bits + " " + result + ", v1";
    auto local = [=](Case &k) { compared(k, isWide ? k.B : k.b, isWide ? k.A : k.a); };
    t.push_back({"!ds_cmpst_f" + bits + " v1, " + expected + ", " + value + kWait + read + kWait, local});
    t.push_back({"!ds_cmpst_rtn_f" + bits + (isWide ? " v[26:27]" : " v26") + ", v1, " + expected + ", " + value +
                     kWait + read + kWait,
                 local});
    const std::string pair = isWide ? "v[4:7]" : "v[26:27]",
                      setUp = isWide ? "!" : "v_mov_b32 v26, v4; v_mov_b32 v27, v6; !",
                      load = "global_load_dword" + std::string(isWide ? "x2 " : " ") + result + ", v1, s[8:9]";
    t.push_back({setUp + "global_atomic_fcmpswap" + x2 + " v1, " + pair + ", s[8:9]" + kWait + load + kWait, local});
    t.push_back({setUp + "flat_atomic_fcmpswap" + x2 + " v[24:25], " + pair + kWait + load + kWait, local});
    t.push_back(
        {setUp + "buffer_atomic_fcmpswap" + x2 + " " + pair + ", v1, s[40:43], 0 offen" + kWait + load + kWait, local});
  }
  OP("!global_atomic_csub v12, v1, v4, s[8:9] glc; s_waitcnt vmcnt(0)", low(k, k.c));
  OP("!global_atomic_csub v12, v1, v4, s[8:9] glc; s_waitcnt vmcnt(0); global_load_dword v12, v1, s[8:9]; s_waitcnt "
     "vmcnt(0)",
     low(k, k.c < k.a ? 0 : k.c - k.a));
}

/// The result replaces the operand.
inline void addBufferAtomics(Table &t) {
  for (const bool isWide : {false, true})
    for (const std::string kind :
         {"swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc", "dec"}) {
      const bool compares = kind == "cmpswap";
      const std::string first = isWide ? "v[26:27]" : "v26",
                        data = compares ? (isWide ? "v[26:29]" : "v[26:27]") : first,
                        setUp = std::string("v_mov_b32 v26, v4; ") +
                                (isWide ? "v_mov_b32 v27, v5; v_mov_b32 v28, v6; v_mov_b32 v29, v7; !"
                                        : "v_mov_b32 v27, v6; !"),
                        name = "buffer_atomic_" + kind + (isWide ? "_x2 " : " "), place = ", v1, s[40:43], 0 offen",
                        move = isWide ? "v_mov_b32 v12, v26; v_mov_b32 v13, v27" : "v_mov_b32 v12, v26",
                        load = "global_load_dword" + std::string(isWide ? "x2 v[12:13]" : " v12") + ", v1, s[8:9]";
      t.push_back(
          {setUp + name + data + place + " glc" + kWait + move, [=](Case &k) { isWide ? wide(k, k.C) : low(k, k.c); }});
      t.push_back({setUp + name + data + place + kWait + load + kWait, [=](Case &k) {
                     isWide ? wide(k, after<uint64_t, int64_t>(kind, k.C, k.A, k.B))
                            : low(k, after<uint32_t, int32_t>(kind, k.c, k.a, k.b));
                   }});
    }
}

inline void addAtomics(Table &t) {
  for (const bool isWide : {false, true}) {
    const std::string result = isWide ? "v[12:13]" : "v12", value = isWide ? "v[4:5]" : "v4",
                      expected = isWide ? "v[6:7]" : "v6";
    // A comparison has the new value first and the expected one behind it.
    const std::string pair = isWide ? "v[4:7]" : "v[26:27]",
                      setUp = isWide ? "" : "v_mov_b32 v26, v4; v_mov_b32 v27, v6; ";
    for (const std::string kind :
         {"swap", "cmpswap", "add", "sub", "smin", "umin", "smax", "umax", "and", "or", "xor", "inc", "dec"}) {
      const bool compares = kind == "cmpswap";
      const std::string data = compares ? pair : value, before = compares ? setUp : "";
      for (const std::string form : {"global", "flat"}) {
        const std::string name = form + "_atomic_" + kind + (isWide ? "_x2 " : " ");
        const std::string address = form == "global" ? "v1, " : "v[24:25], ", base = form == "global" ? ", s[8:9]" : "";
        addAtomic(t, kind, isWide,
                  (before.empty() ? "" : before + "!") + name + result + ", " + address + data + base + " glc",
                  (before.empty() ? "" : before + "!") + name + address + data + base,
                  "global_load_dword" + std::string(isWide ? "x2 " : " ") + result + ", v1, s[8:9]");
      }
    }
    const std::string bits = isWide ? "64" : "32", load = "ds_read_b" + bits + " " + result + ", v1";
    const std::pair<const char *, const char *> locals[] = {
        {"add_u", "add"},  {"sub_u", "sub"},  {"rsub_u", "rsub"}, {"inc_u", "inc"}, {"dec_u", "dec"}, {"min_i", "smin"},
        {"max_i", "smax"}, {"min_u", "umin"}, {"max_u", "umax"},  {"and_b", "and"}, {"or_b", "or"},   {"xor_b", "xor"}};
    for (const auto &[name, kind] : locals) {
      const std::string plain = name, stem = plain.substr(0, plain.size() - 2), letter = plain.substr(plain.size() - 1);
      addAtomic(t, kind, isWide, "ds_" + stem + "_rtn_" + letter + bits + " " + result + ", v1, " + value,
                "ds_" + stem + "_" + letter + bits + " v1, " + value, load);
    }
    // Here the expected value comes first.
    addAtomic(t, "cmpswap", isWide, "ds_cmpst_rtn_b" + bits + " " + result + ", v1, " + expected + ", " + value,
              "ds_cmpst_b" + bits + " v1, " + expected + ", " + value, load);
    t.push_back({"!ds_wrxchg_rtn_b" + bits + " " + result + ", v1, " + value + kWait,
                 [=](Case &k) { isWide ? wide(k, k.C) : low(k, k.c); }});
    t.push_back({"!ds_wrxchg_rtn_b" + bits + " " + result + ", v1, " + value + kWait + load + kWait,
                 [=](Case &k) { isWide ? wide(k, k.A) : low(k, k.a); }});
  }
  addNumberAtomics(t);
  addBufferAtomics(t);
  // Bits of A are cleared and those of B set; 32-bit numbers wrap around at A or grow by B.
  addTwo(t, "ds_mskor_", "b32", false, [](uint64_t m, uint64_t a, uint64_t b) { return (m & ~a) | b; });
  addTwo(t, "ds_mskor_", "b64", true, [](uint64_t m, uint64_t a, uint64_t b) { return (m & ~a) | b; });
  OP("!ds_wrap_rtn_b32 v12, v1, v4, v6; s_waitcnt lgkmcnt(0)", low(k, k.c));
  OP("!ds_wrap_rtn_b32 v12, v1, v4, v6; s_waitcnt lgkmcnt(0); ds_read_b32 v12, v1; s_waitcnt lgkmcnt(0)",
     low(k, k.c >= k.a ? k.c - k.a : k.c + k.b));
  OP("!ds_wrxchg2_rtn_b32 v[12:13], v1, v4, v6 offset0:1 offset1:3; s_waitcnt lgkmcnt(0)",
     wide(k, k.C >> 32 | (k.D & ~uint64_t{0xffffffff})));
  OP("!ds_wrxchg2_rtn_b32 v[26:27], v1, v4, v6 offset0:1 offset1:3; s_waitcnt lgkmcnt(0); ds_read_b128 v[26:29], v1; "
     "s_waitcnt lgkmcnt(0); v_xor_b32 v12, v26, v28; v_xor_b32 v13, v27, v29",
     wide(k, (k.c ^ k.d) | uint64_t{k.a ^ k.b} << 32));
  OP("!ds_wrxchg2_rtn_b64 v[26:29], v1, v[4:5], v[6:7] offset0:1 offset1:0; s_waitcnt lgkmcnt(0); "
     "v_mov_b32 v12, v26; v_mov_b32 v13, v29",
     wide(k, k.d | (k.C & ~uint64_t{0xffffffff})));
  OP("v_and_b32 v26, 0xff, v1; s_mov_b32 exec_lo, 0xff; !ds_wrxchg2st64_rtn_b32 v[12:13], v26, v4, v6 offset0:1 "
     "offset1:3; "
     "s_waitcnt lgkmcnt(0); s_mov_b32 exec_lo, -1",
     if (k.lane < 8) wide(k, static_cast<uint32_t>(k.wave[k.lane + 8].in[2]) |
                                 static_cast<uint64_t>(static_cast<uint32_t>(k.wave[k.lane + 24].in[2])) << 32));
  OP("v_and_b32 v26, 0x1ff, v1; s_mov_b32 exec_lo, 0xffff; !ds_wrxchg2st64_rtn_b64 v[26:29], v26, v[4:5], v[6:7] "
     "offset0:0 "
     "offset1:1; s_waitcnt lgkmcnt(0); v_mov_b32 v12, v27; v_mov_b32 v13, v28; s_mov_b32 exec_lo, -1",
     if (k.lane < 16) wide(k, k.wave[k.lane].in[2] >> 32 |
                                  static_cast<uint64_t>(static_cast<uint32_t>(k.wave[k.lane + 16].in[2])) << 32));
  OP("!ds_add_f32 v1, v4; s_waitcnt lgkmcnt(0); ds_read_b32 v12, v1; s_waitcnt lgkmcnt(0)", single(k, f(k.c) + f(k.a)));
  OP("!ds_add_rtn_f32 v26, v1, v4; s_waitcnt lgkmcnt(0); v_mov_b32 v12, v26", low(k, k.c));
  // All lanes on one number: each sees another one before, and none is lost.
  OP("v_mov_b32 v2, 0; v_mov_b32 v26, 1; ds_write_b32 v2, v2; s_waitcnt lgkmcnt(0); !ds_add_u32 v2, v26; s_waitcnt "
     "lgkmcnt(0); "
     "ds_read_b32 v12, v2; s_waitcnt lgkmcnt(0); v_lshlrev_b32 v2, 4, v0",
     low(k, 32));
}

inline void addGlobalMemory(Table &t) {
  const char *const stores[8] = {"byte",    "short",   "dword",       "dwordx2",
                                 "dwordx3", "dwordx4", "byte_d16_hi", "short_d16_hi"};
  addSmallLoads(
      t, [](const char *n) { return std::string("global_load_") + n + " v12, v1, s[8:9] offset:3"; }, kLoadNames, 3);
  addSmallLoads(
      t, [](const char *n) { return std::string("flat_load_") + n + " v12, v[24:25] offset:2"; }, kLoadNames, 2);
  for (const std::string prefix : {"global", "flat"}) {
    const std::string place = prefix == "global" ? "v1, s[8:9]" : "v[24:25]";
    addLoad(t, prefix + "_load_dword v12, " + place + " offset:4", [](Case &k) { low(k, k.C >> 32); });
    addWideLoads(t, prefix + "_load_", "dwordx2", "dwordx3", "dwordx4", place);
    addStores(
        t,
        [=](const char *name, const char *data) {
          return prefix + "_store_" + name + " " + (prefix == "global" ? "v1, " : "v[24:25], ") + data +
                 (prefix == "global" ? ", s[8:9]" : "");
        },
        "global_load_dwordx4 v[26:29], v1, s[8:9]", stores);
  }
  addLoad(t, "global_load_dword v12, v[24:25], off offset:8", [](Case &k) { low(k, k.d); });
  OP("v_add_nc_u32 v26, 16, v1; !global_load_dword v12, v26, s[8:9] offset:-8; s_waitcnt vmcnt(0)", low(k, k.d));
  // Lanes that are not active neither load nor store.
  OP("s_mov_b32 exec_lo, vcc_lo; !global_store_dword v1, v4, s[8:9]; s_mov_b32 exec_lo, -1; s_waitcnt_vscnt null, 0; "
     "global_load_dword v12, v1, s[8:9]; s_waitcnt vmcnt(0)",
     low(k, k.vcc ? k.a : k.c));
  OP("s_mov_b32 exec_lo, vcc_lo; !global_load_dword v12, v1, s[8:9]; s_mov_b32 exec_lo, -1; s_waitcnt vmcnt(0)",
     low(k, k.vcc ? k.c : k.d));
  // Scattered: each lane reads the first number of another.
  OP("v_and_b32 v26, 31, v4; v_lshlrev_b32 v26, 5, v26; !global_load_dword v12, v26, s[8:9]; s_waitcnt vmcnt(0)",
     low(k, k.wave[k.a & 31].in[2]));
  // Flat addresses of local memory.
  OP("s_mov_b64 s[44:45], src_shared_base; v_mov_b32 v26, v1; v_mov_b32 v27, s45; !flat_load_dword v12, v[26:27] "
     "offset:8; "
     "s_waitcnt vmcnt(0) lgkmcnt(0)",
     low(k, k.d));
  OP("s_getreg_b32 s44, hwreg(HW_REG_SH_MEM_BASES, 16, 16); s_lshl_b32 s44, s44, 16; v_mov_b32 v26, v1; v_mov_b32 v27, "
     "s44; "
     "!flat_store_dword v[26:27], v4; s_waitcnt lgkmcnt(0); ds_read_b32 v12, v1; s_waitcnt lgkmcnt(0)",
     low(k, k.a));
}

inline void addLocalMemory(Table &t) {
  const char *const stores[8] = {"b8", "b16", "b32", "b64", "b96", "b128", "b8_d16_hi", "b16_d16_hi"};
  addSmallLoads(
      t, [](const char *n) { return std::string("ds_read_") + n + " v12, v1 offset:5"; }, kLocalLoadNames, 5);
  addLoad(t, "ds_read_b32 v12, v1 offset:4", [](Case &k) { low(k, k.C >> 32); });
  // Addresses wrap: a register may be negative.
  t.push_back({std::string("v_add_nc_u32 v26, 0xfffff000, v1; !ds_read_b32 v12, v26 offset:4100") + kWait,
               [](Case &k) { low(k, k.C >> 32); }});
  t.push_back(
      {std::string("v_add_nc_u32 v26, 0xfffffc08, v1; !ds_read2_b32 v[12:13], v26 offset0:254 offset1:255") + kWait,
       [](Case &k) { wide(k, k.C); }});
  OP("v_add_nc_u32 v26, 0xfffff000, v1; !ds_write_b32 v26, v4 offset:4096; s_waitcnt lgkmcnt(0); ds_read_b32 v12, v1; "
     "s_waitcnt lgkmcnt(0)",
     low(k, k.a));
  addWideLoads(t, "ds_read_", "b64", "b96", "b128", "v1");
  addStores(
      t, [](const char *name, const char *data) { return std::string("ds_write_") + name + " v1, " + data; },
      "ds_read_b128 v[26:29], v1", stores);
  addLoad(t, "ds_read2_b32 v[12:13], v1 offset0:3 offset1:0",
          [](Case &k) { wide(k, k.D >> 32 | uint64_t{k.c} << 32); });
  OP("!ds_read2_b64 v[26:29], v1 offset0:1 offset1:0; s_waitcnt lgkmcnt(0); v_mov_b32 v12, v26; v_mov_b32 v13, v29",
     wide(k, k.d | (k.C & ~uint64_t{0xffffffff})));
  OP("!ds_write2_b32 v1, v4, v6 offset0:1 offset1:0; s_waitcnt lgkmcnt(0); ds_read_b64 v[12:13], v1; s_waitcnt "
     "lgkmcnt(0)",
     wide(k, k.b | uint64_t{k.a} << 32));
  OP("!ds_write2_b64 v1, v[4:5], v[6:7] offset0:1 offset1:0; s_waitcnt lgkmcnt(0); ds_read_b128 v[26:29], v1; "
     "s_waitcnt lgkmcnt(0); v_xor_b32 v12, v26, v28; v_mov_b32 v13, v27",
     wide(k, (k.b ^ k.a) | (k.B & ~uint64_t{0xffffffff})));
  // Steps of 256 and 512 bytes: the number of another lane, eight or sixteen further.
  OP("v_and_b32 v26, 0xff, v1; !ds_read2st64_b32 v[12:13], v26 offset0:1 offset1:3; s_waitcnt lgkmcnt(0)",
     wide(k, static_cast<uint32_t>(k.wave[k.lane % 8 + 8].in[2]) |
                 static_cast<uint64_t>(static_cast<uint32_t>(k.wave[k.lane % 8 + 24].in[2])) << 32));
  OP("v_and_b32 v26, 0x1ff, v1; !ds_read2st64_b64 v[26:29], v26 offset0:0 offset1:1; s_waitcnt lgkmcnt(0); "
     "v_mov_b32 v12, v27; v_mov_b32 v13, v28",
     wide(k, k.wave[k.lane % 16].in[2] >> 32 |
                 static_cast<uint64_t>(static_cast<uint32_t>(k.wave[k.lane % 16 + 16].in[2])) << 32));
  OP("!ds_write2st64_b32 v1, v4, v6 offset0:4 offset1:8; s_waitcnt lgkmcnt(0); ds_read_b32 v12, v1 offset:1024; "
     "ds_read_b32 v13, v1 offset:2048; s_waitcnt lgkmcnt(0)",
     wide(k, k.a | uint64_t{k.b} << 32));
  OP("!ds_write2st64_b64 v1, v[4:5], v[6:7] offset0:2 offset1:4; s_waitcnt lgkmcnt(0); ds_read_b32 v12, v1 "
     "offset:1028; "
     "ds_read_b32 v13, v1 offset:2048; s_waitcnt lgkmcnt(0)",
     wide(k, k.A >> 32 | uint64_t{k.b} << 32));
}

/// Counts of the active lanes, and words by the number of the lane, behind the address in M0.
inline void addLaneAddresses(Table &t) {
  for (const bool isAppend : {true, false}) {
    const std::string name = isAppend ? "!ds_append" : "!ds_consume", off = "s_mov_b32 exec_lo, vcc_lo; ",
                      on = "; s_mov_b32 exec_lo, -1", wait = "; s_waitcnt lgkmcnt(0)",
                      load = "; v_mov_b32 v26, 0x60; ds_read_b32 v12, v26" + wait;
    auto word = [](const Case &k) { return static_cast<uint32_t>(k.wave[3].in[2]); };
    auto active = [=](const Case &k) {
      uint32_t count = 0;
      for (unsigned lane = 0; lane < kLanes; ++lane)
        count += k.wave[lane].in[3] & 1;
      return isAppend ? count : 0 - count;
    };
    t.push_back({"s_movk_i32 m0, 0x40; " + name + " v12 offset:32" + wait, [=](Case &k) { low(k, word(k)); }});
    t.push_back({"s_movk_i32 m0, 0x40; " + off + name + " v12 offset:32" + on + wait, [=](Case &k) {
                   if (k.vcc)
                     low(k, word(k));
                 }});
    t.push_back({"s_movk_i32 m0, 0x40; " + off + name + " v26 offset:32" + on + wait + load,
                 [=](Case &k) { low(k, word(k) + active(k)); }});
  }
  // Words of lanes 8 to 11.
  OP("s_movk_i32 m0, 0x100; !ds_read_addtid_b32 v12 offset:4; s_waitcnt lgkmcnt(0)", const unsigned at = 4 + 4 * k.lane;
     low(k, static_cast<uint32_t>(k.wave[8 + at / 32].in[2 + at % 16 / 8] >> at % 8 * 8)); k.isOpen = at % 32 >= 16);
  OP("s_movk_i32 m0, 0x100; !ds_write_addtid_b32 v4 offset:4; s_waitcnt lgkmcnt(0); v_lshlrev_b32 v26, 2, v0; "
     "ds_read_b32 v12, v26 offset:260; s_waitcnt lgkmcnt(0)",
     low(k, k.a));
}

inline void addScalarLoads(Table &t) {
  // The inputs of the first lane are at s[4:5]: A, B, C, D, and behind them those of the second.
  const std::string wait = "; s_waitcnt lgkmcnt(0)";
  t.push_back({"s_load_dword s38, s[4:5], 0xc" + wait, [](Case &k) { low(k, k.B >> 32); }});
  t.push_back({"s_load_dwordx2 s[38:39], s[4:5], 0x8" + wait, [](Case &k) { wide(k, k.B); }});
  t.push_back({"s_and_b32 s44, s32, 24; !s_load_dword s38, s[4:5], s44" + wait + "; s_cmp_lg_u32 s36, s36",
               [](Case &k) { low(k, k.wave[0].in[(k.a & 24) / 8]); }});
  t.push_back({"s_load_dwordx4 s[48:51], s[4:5], 0x8" + wait + "; s_mov_b32 s38, s49; s_mov_b32 s39, s50",
               [](Case &k) { wide(k, k.B >> 32 | k.C << 32); }});
  t.push_back({"s_load_dwordx8 s[48:55], s[4:5], 0x0" + wait + "; s_mov_b32 s38, s48; s_mov_b32 s39, s55",
               [](Case &k) { wide(k, k.a | (k.D & ~uint64_t{0xffffffff})); }});
  t.push_back({"s_load_dwordx16 s[48:63], s[4:5], 0x0" + wait + "; s_mov_b32 s38, s53; s_mov_b32 s39, s62",
               [](Case &k) { wide(k, k.C >> 32 | k.wave[1].in[3] << 32); }});
  t.push_back({"s_add_u32 s44, s4, 32; s_addc_u32 s45, s5, 0; !s_load_dword s38, s[44:45], -0x18" + wait +
                   "; s_cmp_lg_u32 s36, s36",
               [](Case &k) { low(k, k.b); }});
}

/// Private memory: 64 bytes of each lane, which hold C and D at 16.
inline void addPrivateMemory(Table &t) {
  const std::string fill = "v_mov_b32 v26, 16; scratch_store_dwordx4 v26, v[8:11], off; s_waitcnt_vscnt null, 0; ";
  Table loads;
  addSmallLoads(
      loads, [](const char *n) { return std::string("scratch_load_") + n + " v12, v26, off offset:3"; }, kLoadNames, 3);
  addLoad(loads, "scratch_load_dword v12, v26, off offset:4", [](Case &k) { low(k, k.C >> 32); });
  addLoad(loads, "scratch_load_dword v12, off, s44 offset:-4", [](Case &k) { low(k, k.C >> 32); });
  addWideLoads(loads, "scratch_load_", "dwordx2", "dwordx3", "dwordx4", "v26, off");
  for (Operation &each : loads) {
    const bool isScalar = each.text.find("s44") != std::string::npos;
    t.push_back({(isScalar ? "s_mov_b32 s44, 24; " : "") + fill + each.text, each.model});
  }
  const char *const stores[8] = {"byte",    "short",   "dword",       "dwordx2",
                                 "dwordx3", "dwordx4", "byte_d16_hi", "short_d16_hi"};
  Table stored;
  addStores(
      stored,
      [](const char *name, const char *data) {
        return std::string("scratch_store_") + name + " v26, " + data + ", off";
      },
      "scratch_load_dwordx4 v[26:29], v26, off", stores);
  for (Operation &each : stored)
    t.push_back({fill + each.text, each.model});
  // Flat addresses of private memory.
  OP("v_mov_b32 v26, 8; !scratch_store_dword v26, v4, off; s_waitcnt_vscnt null, 0; s_mov_b64 s[44:45], "
     "src_private_base; "
     "v_mov_b32 v27, s45; !flat_load_dword v12, v[26:27]; s_waitcnt vmcnt(0) lgkmcnt(0)",
     low(k, k.a));
}

inline void addMemory(Table &t) {
  addPrivateMemory(t);
  addGlobalMemory(t);
  addLocalMemory(t);
  addAtomics(t);
  addLaneAddresses(t);
  addTwoRows(t);
  addScalarLoads(t);
}
