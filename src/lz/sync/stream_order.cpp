// SPDX-License-Identifier: MIT
// See sync/stream_order.h.
#include "lz/sync/stream_order.h"
#include "lz/core/numbering.h"

#include <algorithm>

namespace hiplz {

uint64_t StreamOrder::newId() { return newNumber<StreamOrder>(); }

void StreamOrder::raiseDrained(uint64_t count) {
  uint64_t seen = drained_.load(std::memory_order_relaxed);
  while (seen < count && !drained_.compare_exchange_weak(seen, count, std::memory_order_release))
    ;
}

void StreamOrder::releaseHeldLocked() {
  const uint64_t done = drained();
  while (heldFirst_ < held_.size() && held_[heldFirst_].count <= done)
    held_[heldFirst_++].event = {};
  if (heldFirst_ == held_.size()) {
    held_.clear();
    heldFirst_ = 0;
  } else if (heldFirst_ > held_.size() / 2) {
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(heldFirst_));
    heldFirst_ = 0;
  }
}

void StreamOrder::leaveUnjoinedLocked() {
  if (!isUnjoined() || (joinedByNull_.load(std::memory_order_acquire) < submitted() && !idle()))
    return;
  unjoined_.store(false, std::memory_order_relaxed);
  unjoinedStreams_.fetch_sub(1, std::memory_order_release);
}

void StreamOrder::noteFollowsLocked(uint64_t stream, uint64_t count) {
  auto known = std::find_if(follows_.begin(), follows_.end(), [=](const auto &entry) { return entry.first == stream; });
  if (known != follows_.end()) {
    known->second = std::max(known->second, count);
    return;
  }
  if (follows_.size() == kFollowed)
    follows_.erase(follows_.begin());
  follows_.emplace_back(stream, count);
}

bool StreamOrder::followsLocked(const StreamPoint &point) const {
  return std::any_of(follows_.begin(), follows_.end(),
                     [&](const auto &entry) { return entry.first == point.queue && entry.second >= point.count; });
}

} // namespace hiplz
