// SPDX-License-Identifier: MIT
// The last accesses to a word of memory that kernels have used, for racecheck: a write and two reads of different blocks or warps.
#pragma once
#include "cpu/abi/compiled_code.h"
#include "cpu/check/block_order.h"

#include <array>
#include <bit>
#include <cstdint>

namespace hiplz::cpu::check {

constexpr uintptr_t kWord = 4;
constexpr uint32_t kLaunchBits = 20, kStepBits = 12, kSiteBits = 21;
/// Primes: what a program does again and again comes back to the same number after so many rounds, not earlier.
constexpr uint32_t kEpochs = 16381, kMeetings = 4093;
static_assert(BlockOrder::kLimit == (1u << kStepBits) - 1);

/// An access. Zero: none.
struct Side {
  uint32_t block : 31 = 0; ///< number in the launch, its lowest bits
  uint32_t flag : 1 = 0;   ///< isAtomicWrite(), isOfLanes()
  uint32_t site : kSiteBits = 0;
  uint32_t item : 10 = 0;   ///< in the block
  uint32_t orders : 1 = 0;  ///< atomic or volatile
  uint32_t epoch : 14 = 0;  ///< barriers that the work-item had passed, modulo kEpochs
  uint32_t inWarp : 12 = 0; ///< meetings of its warp that it had passed, modulo kMeetings
  uint32_t bytes : 4 = 0;   ///< of the word
  uint32_t blockScope : 1 = 0;
  uint32_t isConstant : 1 = 0;
  uint32_t launch : kLaunchBits = 0; ///< lowest bits of its number, which is not 0
  uint32_t steps : kStepBits = 0;    ///< of the block

  bool isAtomicWrite() const { return flag && orders; } ///< among the reads
  bool isOfLanes() const { return flag && !orders; }    ///< other lanes of the warp have accessed some of the bytes

  /// The same from two numbers with the members at these places: numbers stay in registers, parts of them are written one by one.
  static constexpr unsigned kSiteAt = 32, kItemAt = 53, kOrdersAt = 63;
  static constexpr unsigned kInWarpAt = 14, kBytesAt = 26, kBlockScopeAt = 30, kConstantAt = 31, kLaunchAt = 32,
                            kStepsAt = 52;
  static Side of(uint64_t low, uint64_t high) { return std::bit_cast<Side>(std::array{low, high}); }
  bool operator==(const Side &other) const {
    return std::bit_cast<std::array<uint64_t, 2>>(*this) == std::bit_cast<std::array<uint64_t, 2>>(other);
  }
};
static_assert(sizeof(Side) == 16);

/// The access of a whole word that is known by its launch and the first of the two numbers (tags.h).
inline Side sideOf(uint64_t low, uint32_t launch) {
  Side side = Side::of(low & ~(uint64_t{1} << 31), uint64_t{launch} << 32 & ((1ull << 52) - 1));
  side.bytes = 0xf;
  return side;
}

/// The number whose lowest bits these are, of a launch not long before or after another one.
inline uint32_t numberOf(uint32_t bits, uint32_t near) {
  constexpr uint32_t kAll = 1u << kLaunchBits;
  const uint32_t distance = (near - bits) & (kAll - 1);
  return distance < kAll / 2 ? near - distance : near + (kAll - distance);
}

inline bool areInOneWarp(const Side &before, const Side &now) {
  return before.item / kSubgroupSize == now.item / kSubgroupSize;
}

/// True for accesses of one block by different warps that no barrier orders.
inline bool areApart(const Side &before, const Side &now) {
  return !areInOneWarp(before, now) && before.epoch == now.epoch;
}

/// True for accesses of one block by different lanes of a warp that neither a barrier nor a warp operation orders.
inline bool areLanesApart(const Side &before, const Side &now) {
  return areInOneWarp(before, now) && before.item != now.item && before.epoch == now.epoch &&
         before.inWarp == now.inWarp;
}

/// True for accesses to different bytes that are otherwise the same, by lanes of one warp: rows of small numbers.
inline bool continues(const Side &before, const Side &now) {
  return before.launch == now.launch && before.block == now.block && areInOneWarp(before, now) &&
         before.epoch == now.epoch && before.inWarp == now.inWarp && before.steps == now.steps &&
         before.site == now.site && !before.orders && !(before.bytes & now.bytes);
}

/// A word.
struct Cell {
  Side write;
  /// Reads. The last one may be an atomic write, which does not take the place of its block's plain write in front of it, or which is
  /// another block's than the latest.
  Side first, last;

  void keep(const Side &now, bool writes) {
    if (Side &before = writes ? write : first; continues(before, now)) {
      before.bytes |= now.bytes;
      before.flag = 1;
    } else if (writes && now.orders && !write.orders && write.launch == now.launch && write.block == now.block) {
      last = now;
      last.flag = 1;
    } else if (writes && now.orders && write.orders && write.launch == now.launch && write.block != now.block &&
               (last.launch != now.launch || last.isAtomicWrite())) { // those of two blocks
      last = write;
      last.flag = 1;
      write = now;
    } else if (writes) { // of an atomic operation that is enough, and it must not take a plain read's place
      write = now;
    } else {
      const bool replacesFirst = first.launch != now.launch || (first.block == now.block && !areApart(first, now));
      (replacesFirst ? first : last) = now;
    }
  }
};

} // namespace hiplz::cpu::check
