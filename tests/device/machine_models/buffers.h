// SPDX-License-Identifier: MIT
// Models of buffer instructions, see model.h. Memory is as in memory.h; s[40:43] describe it as a buffer whose range is checked by bytes.
#pragma once
#include "memory.h"

/// The word of global memory at an address that is in the first half of a lane's 32 bytes.
inline uint32_t wordAt(const Case &k, uint64_t address) {
  return static_cast<uint32_t>(k.wave[address / 32].in[2 + address % 32 / 8] >> address % 8 * 8);
}

// The four ways of OOB_SELECT, with records of 32 bytes that the lanes choose, and offsets from their beginning.
inline void addRangeChecks(Table &t) {
  const std::string choose = "v_and_b32 v26, 31, v4; v_and_b32 v27, 44, v6; ",
                    load = "!buffer_load_dword v12, v[26:27], s[40:43], 0 idxen offen; s_waitcnt vmcnt(0)",
                    stride = "s_or_b32 s41, s41, 0x200000; ";
  auto add = [&](const std::string &descriptor, bool (*isInside)(uint32_t index, uint32_t offset)) {
    t.push_back({choose + stride + descriptor + load, [=](Case &k) {
                   const uint32_t index = k.a & 31, offset = k.b & 44;
                   low(k, isInside(index, offset) ? wordAt(k, index * 32 + offset) : 0);
                 }});
  };
  add("s_mov_b32 s42, 24; s_mov_b32 s43, 0x01016fac; ",
      [](uint32_t index, uint32_t offset) { return index < 24 && offset < 32; });
  add("s_mov_b32 s42, 24; s_mov_b32 s43, 0x11016fac; ", [](uint32_t index, uint32_t) { return index < 24; });
  add("s_mov_b32 s42, 0; s_mov_b32 s43, 0x21016fac; ", [](uint32_t, uint32_t) { return false; });
  add("s_mov_b32 s42, 1; v_and_b32 v26, 15, v26; s_mov_b32 s43, 0x21016fac; ", [](uint32_t, uint32_t) { return true; });
  t.back().model = [](Case &k) { low(k, wordAt(k, (k.a & 15) * 32 + (k.b & 44))); };
  add("s_movk_i32 s42, 600; s_mov_b32 s43, 0x31016fac; ",
      [](uint32_t index, uint32_t offset) { return index * 32 + offset + 4 <= 600; });
  // A stride of 0 is a record without bytes.
  OP("s_mov_b32 s42, 24; s_mov_b32 s43, 0x01016fac; !buffer_load_dword v12, v1, s[40:43], 0 offen; s_waitcnt vmcnt(0)",
     low(k, 0));
  // The scalar offset does not count.
  OP("s_movk_i32 s42, 0x200; s_movk_i32 s44, 0x200; !buffer_load_dword v12, v1, s[40:43], s44 offen; s_waitcnt "
     "vmcnt(0)",
     low(k, k.lane < 16 ? static_cast<uint32_t>(k.wave[k.lane + 16].in[2]) : 0));
  // A word that is partly out of range is all out of range.
  OP("s_movk_i32 s42, 0x206; !buffer_load_dwordx4 v[26:29], v1, s[40:43], 0 offen; s_waitcnt vmcnt(0); v_mov_b32 v12, "
     "v26; v_mov_b32 v13, v27",
     wide(k, k.lane < 16    ? k.C
             : k.lane == 16 ? k.c
                            : 0));
  OP("s_movk_i32 s42, 0x208; !buffer_load_dwordx3 v[26:28], v1, s[40:43], 0 offen; s_waitcnt vmcnt(0); v_mov_b32 v12, "
     "v27; v_mov_b32 v13, v28",
     wide(k, k.lane < 16    ? (k.C >> 32 | static_cast<uint64_t>(k.d) << 32)
             : k.lane == 16 ? k.C >> 32
                            : 0));
  OP("s_movk_i32 s42, 0x204; !buffer_store_dwordx2 v[4:5], v1, s[40:43], 0 offen; s_waitcnt_vscnt null, 0; "
     "global_load_dwordx2 v[12:13], v1, s[8:9]; s_waitcnt vmcnt(0)",
     wide(k, k.lane < 16    ? k.A
             : k.lane == 16 ? (k.C & ~uint64_t{0xffffffff}) | k.a
                            : k.C));
  OP("s_movk_i32 s42, 0x204; !buffer_atomic_swap_x2 v[4:5], v1, s[40:43], 0 offen; s_waitcnt_vscnt null, 0; "
     "global_load_dwordx2 v[12:13], v1, s[8:9]; s_waitcnt vmcnt(0)",
     wide(k, k.lane < 16 ? k.A : k.C));
  OP("s_movk_i32 s42, 0x201; !buffer_load_ushort v12, v1, s[40:43], 0 offen; s_waitcnt vmcnt(0)",
     low(k, k.lane < 16 ? k.c & 0xffff : 0));
}

// Records of 16 bytes, of which 8 or 16 are interleaved word by word. Of a wave's numbers those without bit 2 are used, whose words lie
// in the first half of 32 bytes.
inline void addInterleavedBuffers(Table &t) {
  auto add = [&](unsigned together, const std::string &descriptor, uint64_t limit, bool isRaw) {
    t.push_back({"v_and_b32 v26, 27, v4; v_and_b32 v27, 12, v6; s_or_b32 s41, s41, 0x80100000; " + descriptor +
                     "!buffer_load_dword v12, v[26:27], s[40:43], 0 idxen offen; s_waitcnt vmcnt(0)",
                 [=](Case &k) {
                   const uint64_t index = k.a & 27, offset = k.b & 12;
                   const uint64_t address =
                       (index / together * 16 + offset / 4 * 4) * together + index % together * 4 + offset % 4;
                   low(k, (isRaw ? address + 4 : index + 1) <= limit ? wordAt(k, address) : 0);
                 }});
  };
  add(8, "s_mov_b32 s42, 20; s_mov_b32 s43, 0x11016fac; ", 20, false);
  add(16, "s_mov_b32 s42, 20; s_mov_b32 s43, 0x11216fac; ", 20, false);
  add(8, "s_movk_i32 s42, 300; s_mov_b32 s43, 0x31016fac; ", 300, true);
  // The lane is a part of the index.
  OP("s_or_b32 s41, s41, 0x200000; s_mov_b32 s42, 24; s_mov_b32 s43, 0x11816fac; !buffer_load_dword v12, off, "
     "s[40:43], 0 "
     "offset:8; s_waitcnt vmcnt(0)",
     low(k, k.lane < 24 ? k.d : 0));
}

/// Scalar loads from a buffer that is the inputs: 32 bytes for each lane at s[4:5].
inline void addScalarBufferLoads(Table &t) {
  const std::string buffer = "s_mov_b32 s40, s4; s_mov_b32 s41, s5; s_movk_i32 s42, 0x40; s_mov_b32 s43, 0x31016fac; !",
                    wait = "; s_waitcnt lgkmcnt(0)", both = "; s_mov_b32 s38, s49; s_mov_b32 s39, s50",
                    none = "; s_cmp_lg_u32 s36, s36";
  t.push_back({buffer + "s_buffer_load_dword s38, s[40:43], 0xc" + wait + none, [](Case &k) { low(k, k.B >> 32); }});
  t.push_back({buffer + "s_buffer_load_dwordx2 s[38:39], s[40:43], 0x8" + wait + none, [](Case &k) { wide(k, k.B); }});
  t.push_back({"s_and_b32 s44, s32, 24; " + buffer + "s_buffer_load_dword s38, s[40:43], s44" + wait + none,
               [](Case &k) { low(k, k.wave[0].in[(k.a & 24) / 8]); }});
  t.push_back({buffer + "s_buffer_load_dwordx4 s[48:51], s[40:43], 0x8" + wait + both + none,
               [](Case &k) { wide(k, k.B >> 32 | k.C << 32); }});
  // The last two of four words, half of eight and all of sixteen are out of range.
  t.push_back({buffer + "s_buffer_load_dwordx4 s[48:51], s[40:43], 0x38" + wait + both + none,
               [](Case &k) { wide(k, k.wave[1].in[3] >> 32); }});
  t.push_back({buffer + "s_buffer_load_dwordx8 s[48:55], s[40:43], 0x30" + wait +
                   "; s_mov_b32 s38, s51; s_mov_b32 s39, s52" + none,
               [](Case &k) { wide(k, k.wave[1].in[3] >> 32); }});
  t.push_back(
      {buffer + "s_buffer_load_dwordx16 s[48:63], s[40:43], 0x80" + wait + both + none, [](Case &k) { wide(k, 0); }});
  // One record of 16 bytes.
  t.push_back({"s_mov_b32 s40, s4; s_or_b32 s41, s5, 0x100000; s_mov_b32 s42, 1; s_mov_b32 s43, 0x31016fac; "
               "!s_buffer_load_dwordx2 s[38:39], s[40:43], 0xc" +
                   wait + none,
               [](Case &k) { wide(k, k.B >> 32); }});
}

inline void addBuffers(Table &t) {
  addScalarBufferLoads(t);
  const std::string place = "v1, s[40:43], 0 offen";
  for (unsigned i = 0; i < 10; ++i) {
    const std::string name = std::string("buffer_load_") + kLoadNames[i];
    addLoad(t, name + " v12, " + place + " offset:2", [](Case &) {});
    t.pop_back();
  }
  addSmallLoads(
      t, [=](const char *n) { return std::string("buffer_load_") + n + " v12, " + place + " offset:3"; }, kLoadNames,
      3);
  addLoad(t, "buffer_load_dword v12, " + place + " offset:4", [](Case &k) { low(k, k.C >> 32); });
  addWideLoads(t, "buffer_load_", "dwordx2", "dwordx3", "dwordx4", place);
  const char *const stores[8] = {"byte",    "short",   "dword",       "dwordx2",
                                 "dwordx3", "dwordx4", "byte_d16_hi", "short_d16_hi"};
  addStores(
      t,
      [=](const char *name, const char *data) {
        return std::string("buffer_store_") + name + " " + data + ", " + place;
      },
      "global_load_dwordx4 v[26:29], v1, s[8:9]", stores);
  // Private memory, of 32 bytes.
  OP("s_mov_b32 s42, 32; s_mov_b32 s43, 0x800000; v_mov_b32 v26, 0xfffffc00; !buffer_load_dword v12, v26, s[40:43], 0 "
     "offen offset:1028; s_waitcnt vmcnt(0)",
     low(k, k.C >> 32));
  OP("s_mov_b32 s44, 4; !buffer_load_dword v12, v1, s[40:43], s44 offen; s_waitcnt vmcnt(0)", low(k, k.C >> 32));
  // The end: half of the lanes lie behind it.
  OP("s_movk_i32 s42, 0x200; !buffer_load_dword v12, v1, s[40:43], 0 offen; s_waitcnt vmcnt(0)",
     low(k, k.lane < 16 ? k.c : 0));
  OP("s_movk_i32 s42, 0x200; !buffer_store_dword v4, v1, s[40:43], 0 offen; s_waitcnt_vscnt null, 0; "
     "global_load_dword v12, v1, s[8:9]; s_waitcnt vmcnt(0)",
     low(k, k.lane < 16 ? k.a : k.c));
  addRangeChecks(t);
  addInterleavedBuffers(t);
}
