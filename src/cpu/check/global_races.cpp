// SPDX-License-Identifier: MIT
// See global_races.h: what kernels access. A row of a warp is looked at line by line (lines.h), and what has no place there word by word: atomic
// and volatile accesses, and those to parts of words.
#include "cpu/check/global_races.h"
#include "cpu/check/cells.h"
#include "cpu/check/global_access.h"
#include "cpu/check/launch_uses.h"
#include "cpu/check/lines.h"
#include "cpu/check/pages.h"
#include "cpu/check/race_launch.h"
#include "cpu/check/regions.h"
#include "cpu/check/shadow.h"
#include "cpu/check/tag_accesses.h"
#include "cpu/check/tags.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

namespace hiplz::cpu::check {
namespace {

/// Like areLanesApart(), also if there have been operations of tiles, and if lanes have not passed the same operations.
bool areLanesApart(const Side &before, const Side &now, const Group &group) {
  if (!group.tiles.isAny())
    return areLanesApart(before, now) && group.met[before.item] == group.met[now.item];
  if (!areInOneWarp(before, now) || before.item == now.item || before.epoch != now.epoch)
    return false;
  const uint32_t met = group.met[before.item], since = (met % kMeetings + kMeetings - before.inWarp) % kMeetings;
  return !group.tiles.areOrdered(before.item, met - since, now.item);
}

/// False if it can be seen at once that there is no race.
bool mayRace(const Side &before, const Side &now, const Group &group) {
  const RaceLaunch &launch = *group.race;
  if (!before.launch || !(before.bytes & now.bytes))
    return false;
  if (before.launch != now.launch)
    return numberOf(before.launch, launch.number) > launch.orderedUpTo;
  if (before.block != now.block || areApart(before, now))
    return true;
  return !before.isOfLanes() && areLanesApart(before, now, group);
}

/// Those that the history of words has to know.
class GlobalAccesses : WarpAccesses {
public:
  GlobalAccesses(Group &group, const LaneAccess &lanes)
      : WarpAccesses(group, lanes), high_(uint64_t{(lanes.site.flags & checkBlockScope) != 0} << Side::kBlockScopeAt |
                                          uint64_t{(lanes.site.flags & checkConstant) != 0} << Side::kConstantAt |
                                          uint64_t{launch_.number & ((1u << kLaunchBits) - 1)} << Side::kLaunchAt) {}

  void run() {
    if (!addRow())
      forEachLane([&](uint32_t lane) { addLane(lane); });
    guard_.release();
    if (TagAccesses::mayBeAny(lanes_))
      TagAccesses(access_.group, lanes_).leaveBesideHistory();
    lookForNewCopies();
  }

private:
  void lookForNewCopies() {
    // A copy that has begun meanwhile may have looked at the memory before the accesses were kept.
    if (SeenCopies &seen = access_.group.copies; launch_.hasNewCopies(seen)) [[unlikely]] {
      launch_.copies(seen);
      forEachLane([&](uint32_t lane) {
        beLane(lane);
        compareWithCopies(copies_, access_);
      });
    }
  }

  /// Where a work-item accesses whole words, or neighbouring ones at distances that are powers of two and divide a line.
  struct Words {
    uintptr_t begin, end, stride; ///< 0: one work-item
    uint32_t item;                ///< the first
    uint32_t lanes = ~0u; ///< bit i: the work-item `item + i`; others are missing only where each accesses one word

    /// The access to a line; the two numbers are those of Side::of().
    LineAccess on(uintptr_t line, uint64_t low, uint64_t high, uint64_t bytes) const {
      const uintptr_t from = std::max(begin, line) - line, to = std::min(end, line + kLineBytes) - line;
      uint32_t words = ((1u << to / kWord) - 1) & ~((1u << from / kWord) - 1);
      uint64_t first = item;
      int shift = std::countr_zero(kLineWords);
      if (stride) {
        if (bytes < stride) { // of each distance only some
          uint32_t some = ((1u << bytes / kWord) - 1) << (begin & (stride - 1)) / kWord;
          for (uintptr_t period = stride / kWord; period < kLineWords; period *= 2)
            some |= some << period;
          words &= some;
        }
        if (lanes != ~0u)
          words &= begin >= line ? lanes << from / kWord : lanes >> (line - begin) / kWord;
        const auto items = static_cast<intptr_t>(line - (begin & ~(stride - 1))) >> std::countr_zero(stride);
        first = (first + static_cast<uint64_t>(items)) % LineAccess::kItems;
        shift = std::countr_zero(stride / kWord);
      }
      return {Side::of(low | first << Side::kItemAt, high | static_cast<uint64_t>(shift) << Side::kBytesAt),
              static_cast<uint16_t>(words)};
    }
  };

  // False if each lane has to be looked at.
  bool addRow() {
    const Row &row = lanes_.row;
    if (!row || orders_ || row.begin % kWord || lanes_.bytes % kWord || !areTogether(access_.group, lanes_))
      return false;
    const uintptr_t end = row.last() + lanes_.bytes;
    if (!parameterOf(lanes_.site) &&
        (isOwn(reinterpret_cast<const void *>(row.begin)) || isOwn(reinterpret_cast<const void *>(row.last()))))
      return false;
    if (std::any_of(copies_.begin(), copies_.end(),
                    [&](const HostAccess &copy) { return touches(copy.region, row.begin, end); }))
      return false;
    const uint32_t others = row.stride - 1; // the lower bits of a power of two
    const bool isPattern =
        !(row.stride & others) && row.stride <= kLineBytes && (row.begin & others) + lanes_.bytes <= row.stride;
    if (row.stride ? !isPattern : row.count > 1 && access_.writes())
      return false;
    const bool isSparse = row.stride && lanes_.hasHoles();
    if (isSparse && row.stride != kWord)
      return false;
    come(lanes_.firstItem());
    isCommon_ = !row.stride && row.count > 1;
    add({row.begin, end, row.stride, isCommon_ ? lanes_.lastItem() : lanes_.firstItem(),
         isSparse ? lanes_.lanes >> lanes_.firstLane() : ~0u});
    return true;
  }

  void addLane(uint32_t lane) {
    beLane(lane);
    const uint32_t item = access_.item;
    come(item);
    if (orders_ && access_.writes())
      hasOrder();
    if (!copies_.empty()) [[unlikely]]
      compareWithCopies(copies_, access_);
    const auto begin = reinterpret_cast<uintptr_t>(access_.address), end = begin + access_.bytes;
    if (!orders_ && begin % kWord == 0 && end % kWord == 0 && !(access_.bytes == kWord && lineOf(begin).isDivided()))
      return add({begin, end, 0, item});
    bool found = false; // one is enough
    for (uintptr_t word = begin & ~(kWord - 1); word < end; word += kWord) {
      const uint64_t bytes = bytesOfWord(word, begin, end);
      found = compare(word, Side::of(low_ | uint64_t{item} << Side::kItemAt, high() | bytes << Side::kBytesAt), found);
    }
  }

  // How far the work-item is.
  void come(uint32_t item) {
    Group &group = access_.group;
    progress_ = group.passedBy(item) % kEpochs | uint64_t{group.met[item] % kMeetings} << Side::kInWarpAt;
    if (group.order)
      progress_ |= uint64_t{group.order->stepsAtAccess(orders_)} << Side::kStepsAt;
  }
  uint64_t high() const { return high_ | progress_; }

  // A write that others may read as a sign.
  void hasOrder() {
    guard_.release(); // the order of blocks has a lock of its own
    Group &group = access_.group;
    group.warpOrder.writes(access_.item / kSubgroupSize, access_.address);
    if (!group.order)
      group.order = &launch_.blocks.block(group.number);
    launch_.blocks.writes(*group.order, group.number, access_.address, access_.site.flags & checkBlockScope,
                          access_.site.flags & checkReleases);
  }

  void add(const Words &words) {
    for (uintptr_t at = words.begin & ~(kLineBytes - 1); at < words.end; at += kLineBytes)
      if (const LineAccess now = words.on(at, low_, high(), access_.bytes); now.words)
        addLine(at, words, now);
  }

  void addLine(uintptr_t at, const Words &words, const LineAccess &now) {
    Line &line = lineOf(at);
    if (!line.isDivided()) {
      Line::Suspects suspects;
      const auto mayRaceHere = [&](const Side &before, const Side &one) { return mayRace(before, one); };
      if (line.keep(now, access_.writes(), mayRaceHere, launch_.number, launch_.orderedUpTo, suspects)) {
        if (suspects.count)
          relateAll(suspects, words);
        return;
      }
    } else if (access_.writes() && now.words == UINT16_MAX && isForgotten(at)) {
      line.become(now);
      return;
    }
    bool found = false;
    for (uint32_t left = now.words; left; left &= left - 1) {
      const auto word = static_cast<unsigned>(std::countr_zero(left));
      const Side one = now.at(word);
      beItem(one.item, words);
      found = compare(at + word * kWord, one, found);
    }
  }

  // Where all lanes read a word, the last one stands for all, but the first one for a race with what that one has written.
  uint32_t itemBeside(const Side &before, const Side &now) const {
    return isCommon_ && before.item == now.item && before.block == now.block ? lanes_.firstItem() : now.item;
  }
  bool mayRace(const Side &before, Side now) const {
    if (before.isConstant && before.site == now.site && access_.group.sameValue == SameValue{launch_.number, now.site})
        [[unlikely]]
      return false;
    now.item = itemBeside(before, now);
    return check::mayRace(before, now, access_.group);
  }

  // Whose access findings are of.
  void beItem(uint32_t item, const Words &words) {
    access_.item = item;
    access_.address = reinterpret_cast<const void *>(words.begin + (item - words.item) * words.stride);
  }

  void relateAll(const Line::Suspects &suspects, const Words &words) {
    guard_.release();
    for (unsigned i = 0; i < suspects.count; ++i) {
      const auto &[before, now] = suspects.all[i];
      if (const Relation relation = relate(before, now, access_.site, access_.group); relation != Relation::ordered) {
        beItem(itemBeside(before, now), words);
        return noteRace(before, relation, access_);
      }
    }
  }

  // True if all accesses to the line's words come before this launch.
  bool isForgotten(uintptr_t at) const {
    const auto isOld = [&](const Side &side) {
      return !side.launch || numberOf(side.launch, launch_.number) <= launch_.orderedUpTo;
    };
    const Cell *cells = page_->cellsOf(at);
    return std::all_of(cells, cells + kLineWords,
                       [&](const Cell &cell) { return isOld(cell.write) && isOld(cell.first) && isOld(cell.last); });
  }

  // With its lock, which is kept up to the next one.
  Line &lineOf(uintptr_t address) {
    const uintptr_t number = address / kPageBytes;
    LastPage &last = access_.group.pages[number % access_.group.pages.size()];
    if (number != last.number) [[unlikely]]
      last = {number, &pages_.page(number)};
    page_ = last.page;
    guard_.take(pages_.lockOf(address));
    return page_->lineOf(address);
  }

  // Of a word, whose line is divided for it. True if there is a race, if not before.
  bool compare(uintptr_t word, const Side &now, bool found) {
    if (!lineOf(word).isDivided())
      page_->divide(word);
    Cell &cell = page_->cellOf(word);
    Side suspects[3];
    unsigned count = 0;
    const bool writes = access_.writes();
    if (mayRace(cell.write, now))
      suspects[count++] = cell.write;
    if (writes && mayRace(cell.first, now))
      suspects[count++] = cell.first;
    if ((writes || cell.last.isAtomicWrite()) && mayRace(cell.last, now))
      suspects[count++] = cell.last;
    cell.keep(now, writes);
    if (!count || found) [[likely]]
      return found;
    guard_.release();
    for (unsigned i = 0; i < count; ++i)
      if (const Relation relation = relate(suspects[i], now, access_.site, access_.group);
          relation != Relation::ordered) {
        access_.item = itemBeside(suspects[i], now);
        noteRace(suspects[i], relation, access_);
        return true;
      }
    return false;
  }

  Pages &pages_ = Pages::get();
  Guard guard_;
  bool isCommon_ = false; ///< all lanes read one address
  const uint64_t high_;   ///< what all lanes have in common, the second number for Side::of()
  uint64_t progress_ = 0; ///< how far they are, a part of the second number
  Page *page_ = nullptr;  ///< of the last line
};

} // namespace

void accessGlobal(const LaneAccess &access, Group &group) {
  if (access.site.flags & checkOfRuntime || !group.race) // our own
    return;
  const CheckTags *const tags = tagsOfUse(*group.launch, parameterOf(access.site));
  if (!tags)
    return GlobalAccesses(group, access).run();
  if (const Row &row = access.row;
      row && row.begin >= tags->begin && row.last() + access.bytes <= tags->begin + tags->bytes)
    return TagAccesses(group, access).leaveAll(*tags);
  LaneAccess inside = access, outside = access;
  for (uint32_t lanes = access.lanes; lanes; lanes &= lanes - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(lanes));
    const uintptr_t offset = reinterpret_cast<uintptr_t>(access.addressOf(lane)) - tags->begin;
    const bool isInside = offset < tags->bytes && access.bytes <= tags->bytes - offset;
    (isInside ? outside : inside).lanes &= ~(1u << lane);
  }
  if (inside.lanes)
    TagAccesses(group, inside).leaveAll(*tags);
  if (outside.lanes) {
    outside.row = outside.lanes == access.lanes ? access.row : Row{};
    GlobalAccesses(group, outside).run();
  }
}

} // namespace hiplz::cpu::check
