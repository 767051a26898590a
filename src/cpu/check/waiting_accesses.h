// SPDX-License-Identifier: MIT
// The accesses to shared memory since the last barrier of a block whose work-items all come to the same barriers. Barriers alone order them, so
// they can wait until the next barrier. Then most of them are found to be in order together, and need no history (shared_history.h):
// whatever comes behind the barrier cannot race with them.
#pragma once
#include "cpu/abi/checked_group.h"
#include "cpu/check/lane_access.h"

#include <array>
#include <cstddef>
#include <vector>

namespace hiplz::cpu::check {

/// Words of shared memory, or bytes.
struct AccessSpan {
  uint32_t begin, end;
};

/// Of one worker; it serves one block after the other.
class WaitingAccesses {
public:
  explicit WaitingAccesses(CheckedGroup &group) : group_(group) {}

  /// Takes a plain access to shared memory, which begins at `local`. False if there is no room.
  bool add(const LaneAccess &access, const std::byte *local);

  /// False if it is certain that no two of the accesses race. `bytes`: the block's shared memory.
  bool mayRace(uint64_t bytes);

  /// Calls `visit` for each, in their order. `item`: any work-item of the block.
  template <class Visit> void forEach(WorkItem item, const std::byte *local, Visit visit) const {
    for (const Access *access = begin(); access != end(); ++access) {
      item.linearId = access->item;
      if (!isIrregular(*access)) {
        visit(LaneAccess(item, local + access->at, access->stride, access->bytes, *access->site, access->lanes));
        continue;
      }
      std::array<const void *, kSubgroupSize> addresses;
      for (uint32_t lane = 0; lane < kSubgroupSize; ++lane)
        addresses[lane] = local + offset(*access, lane);
      visit(LaneAccess(item, addresses.data(), access->bytes, *access->site, access->lanes));
    }
  }

  void clear() {
    group_.waitingCount = 0;
    offsets_.clear();
  }

private:
  using Access = WaitingAccess;
  using Words = std::vector<uint64_t>;             ///< a bit for each word of shared memory
  static constexpr int32_t kIrregular = INT32_MIN; ///< a stride: the offsets of the lanes are `offsets_[at + i]`

  static bool isIrregular(const Access &access) { return access.stride == kIrregular; }
  const Access *begin() const { return group_.waiting; }
  const Access *end() const { return group_.waiting + group_.waitingCount; }
  uint32_t offset(const Access &access, uint32_t lane) const {
    return isIrregular(access) ? offsets_[static_cast<uint32_t>(access.at) + lane]
                               : static_cast<uint32_t>(access.at + static_cast<int32_t>(lane) * access.stride);
  }
  template <class Visit> void forEachPart(const Access &access, Visit visit) const;
  bool areInRows() const;
  bool areApart();
  bool meets(AccessSpan span, bool isWrite);
  void mark(AccessSpan span, bool isWrite);
  bool meetsOthers(const Access *from, const Access *to);
  bool meetsItself(const Access *from, const Access *to);
  bool lanesMeet(const Access *from, const Access *to);

  CheckedGroup &group_;
  std::vector<uint16_t> offsets_;
  Words written_, accessed_;
  std::vector<uint8_t> writers_, readers_; ///< lanes, for each word; see lanesMeet()
};

} // namespace hiplz::cpu::check
