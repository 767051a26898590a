// SPDX-License-Identifier: MIT
// The last accesses to 64 bytes of global memory. Mostly the words of a line are accessed by neighbouring work-items of a warp, so an access
// is kept once for all of them: four reads, and two writes of different words. A line whose accesses do not fit is divided: each of its words
// has a cell then (cells.h).
#pragma once
#include "cpu/check/cells.h"

#include <array>
#include <bit>
#include <cstdint>
#include <optional>

namespace hiplz::cpu::check {

constexpr uintptr_t kLineBytes = 64;
constexpr unsigned kLineWords = kLineBytes / kWord;

/// Accesses of neighbouring work-items to the words of a line. `side` is the first word's, also if that is not among the words, with
/// numbers of work-items modulo kItems; its `bytes` are the binary logarithm of how many words lie from one work-item to the next.
struct LineAccess {
  static constexpr uint32_t kItems = 1024;
  Side side;
  uint16_t words = 0; ///< bit i: word i

  /// That of one word.
  Side at(unsigned word) const {
    Side one = side;
    one.item = (side.item + (word >> side.bytes)) % kItems;
    one.bytes = 0xf;
    return one;
  }
};

class alignas(128) Line {
  static constexpr unsigned kReads = 4, kSlots = 6; // reads, and writes behind them

public:
  /// Two accesses to a word that may be a race.
  struct Suspect {
    Side before, now;
  };
  /// Those of one access.
  struct Suspects {
    std::array<Suspect, kSlots> all;
    unsigned count = 0;
  };

  /// Looks for races with what the line knows and keeps the access, which is neither atomic nor volatile. Launches with numbers up to
  /// `orderedUpTo` come before `launch`, which is the access's. False if there is no room: then the line has to be divided.
  template <class MayRace>
  bool keep(const LineAccess &now, bool writes, const MayRace &mayRace, uint32_t launch, uint32_t orderedUpTo,
            Suspects &suspects) {
    suspects.count = 0;
    const uint32_t latest = numberOf(latest_, launch);
    if (!latest_ || latest <= orderedUpTo) {
      keepFirst(now, writes);
      return true;
    }
    if (latest < launch)
      latest_ = now.side.launch;
    const uint32_t written = words_[kReads] | words_[kReads + 1];
    if (!writes && !(written & now.words) && isKnown(now))
      return true;
    for (unsigned i = writes ? 0 : kReads; i < kSlots; ++i)
      if (const uint32_t common = words_[i] & now.words)
        if (const auto suspect = compare({sides_[i], words_[i]}, now, common, mayRace))
          suspects.all[suspects.count++] = *suspect;
    const auto before = words_;
    if (writes ? keepWrite(now, launch, orderedUpTo) : keepRead(now, launch, orderedUpTo))
      return true;
    words_ = before;
    return false;
  }

  /// The line's history of one of its words.
  Cell cellOf(unsigned word) const {
    Cell cell;
    for (unsigned i = 0; i < kSlots; ++i)
      if (words_[i] >> word & 1)
        (i >= kReads         ? cell.write
         : cell.first.launch ? cell.last
                             : cell.first) = LineAccess{sides_[i], words_[i]}.at(word);
    return cell;
  }

  /// From now on there are cells for the words, which get what the line knows.
  void divide(Cell *cells) {
    for (unsigned word = 0; word < kLineWords; ++word)
      cells[word] = cellOf(word);
    words_ = {};
    isDivided_ = true;
  }
  bool isDivided() const { return isDivided_; }

  void forget(uint32_t words) {
    for (uint16_t &each : words_)
      each &= static_cast<uint16_t>(~words);
  }

  /// The line is not divided any more, and knows this write alone.
  void become(const LineAccess &write) {
    keepFirst(write, true);
    isDivided_ = false;
  }

private:
  // All that is known comes before the access.
  void keepFirst(const LineAccess &now, bool writes) {
    latest_ = now.side.launch;
    if (writes)
      words_ = {};
    else
      for (unsigned i = 0; i < kReads; ++i)
        words_[i] &= static_cast<uint16_t>(~now.words);
    if (const unsigned from = writes ? kReads : 0, to = writes ? kSlots : kReads; !put(now, from, to)) {
      sides_[from] = now.side;
      words_[from] = now.words;
    }
  }

  bool isKnown(const LineAccess &read) const {
    for (unsigned i = 0; i < kReads; ++i)
      if (!(read.words & ~words_[i]) && sides_[i] == read.side)
        return true;
    return false;
  }

  template <class MayRace>
  static std::optional<Suspect> compare(const LineAccess &before, const LineAccess &now, uint32_t common,
                                        const MayRace &mayRace) {
    // With as many words from one work-item to the next, what holds for one word holds for all.
    if (before.side.bytes == now.side.bytes)
      common &= -common;
    for (; common; common &= common - 1) {
      const auto word = static_cast<unsigned>(std::countr_zero(common));
      if (const Side one = before.at(word), other = now.at(word); mayRace(one, other))
        return Suspect{one, other};
    }
    return std::nullopt;
  }

  bool put(const LineAccess &now, unsigned from, unsigned to) {
    for (unsigned i = from; i < to; ++i)
      if (!words_[i]) {
        sides_[i] = now.side;
        words_[i] = now.words;
        return true;
      }
    return false;
  }

  // Writes that come before the launch make room for its own.
  bool keepWrite(const LineAccess &now, uint32_t launch, uint32_t orderedUpTo) {
    for (unsigned i = kReads; i < kSlots; ++i)
      words_[i] &= static_cast<uint16_t>(~now.words);
    if (put(now, kReads, kSlots))
      return true;
    for (unsigned i = kReads; i < kSlots; ++i)
      if (numberOf(sides_[i].launch, launch) <= orderedUpTo)
        words_[i] = 0;
    return put(now, kReads, kSlots);
  }

  // Of the reads of a word, those of other warps of the launch are kept, as long as there is room, and else two of them.
  bool keepRead(const LineAccess &now, uint32_t launch, uint32_t orderedUpTo) {
    const Side one = now.at(static_cast<unsigned>(std::countr_zero(now.words)));
    uint32_t once = 0, twice = 0; // words that so many of the others have read
    for (unsigned i = 0; i < kReads; ++i) {
      if (!words_[i])
        continue;
      const Side before = LineAccess{sides_[i], words_[i]}.at(static_cast<unsigned>(std::countr_zero(words_[i])));
      const bool isOfLaunch = before.launch == one.launch;
      if (isOfLaunch ? before.block == one.block && !areApart(before, one)
                     : numberOf(before.launch, launch) <= orderedUpTo)
        words_[i] &= static_cast<uint16_t>(~now.words);
      if (isOfLaunch && before.steps == one.steps) {
        twice |= once & words_[i];
        once |= words_[i];
      }
    }
    return put(now, 0, kReads) || !(now.words & ~twice);
  }

  std::array<uint16_t, kSlots> words_{}; ///< of the reads, then of the writes
  bool isDivided_ = false;
  uint32_t latest_ = 0; ///< the launch with the greatest number, as in Side; 0: none
  std::array<Side, kSlots> sides_;
};
static_assert(sizeof(Line) == 128);

} // namespace hiplz::cpu::check
