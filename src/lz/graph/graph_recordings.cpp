// SPDX-License-Identifier: MIT
// See graph/graph_recordings.h.
#include "lz/graph/graph_recordings.h"

#include <algorithm>

namespace hiplz {

const LZGraphRecording &LZGraphRecordings::provide(const LZGraph &graph, const std::unordered_set<uint64_t> &disabled,
                                                   LZGraphLanes &lanes, const LZGraphNode *&culprit) {
  // The oldest is asked for the others: those that cannot be used again are made first.
  if (!current_ || (!retired_.empty() && !isSpare(retired_.front())))
    reuse(lanes);
  if (!current_) {
    const bool changeable = changes_ >= kChangesBefore && retired_.size() < kMost;
    current_ = std::make_unique<LZGraphRecording>(graph, disabled, lanes, changeable, culprit);
  }
  return *current_;
}

// Without a GPU Intel's driver executes nothing and lets nobody wait, and a thread may still have to call functions of the host.
bool LZGraphRecordings::hasEnded(const Retired &entry) {
  return !entry.done ||
         (entry.recording->hostTasks().empty() ? entry.done.isSignalled() : entry.done.query() == ZE_RESULT_SUCCESS);
}

bool LZGraphRecordings::isSpare(const Retired &entry) { return entry.reusable && entry.recording->changeable(); }

// Unless there is a current one, takes one that has ended, and drops those that are no longer needed.
void LZGraphRecordings::reuse(const LZGraphLanes &lanes) {
  std::erase_if(retired_, [&](Retired &entry) {
    if (!hasEnded(entry))
      return false;
    if (!isSpare(entry))
      return true;
    if (current_)
      return false;
    if (entry.recording->update(lanes))
      current_ = std::move(entry.recording);
    else
      changes_ = 0; // the nodes change in other ways
    return true;
  });
}

void LZGraphRecordings::outdate(Change change, const LZEventRef &done) {
  if (change == Change::other) {
    changes_ = 0;
    for (Retired &entry : retired_)
      entry.reusable = false;
  }
  if (!current_)
    return;
  changes_ += change == Change::launches;
  retired_.push_back({std::move(current_), done, change == Change::launches});
}

bool LZGraphRecordings::launches(const LZModule &module) const {
  return (current_ && current_->launches(module)) ||
         std::any_of(retired_.begin(), retired_.end(),
                     [&](const Retired &entry) { return entry.recording->launches(module); });
}

void LZGraphRecordings::clear() {
  current_.reset();
  retired_.clear();
}

} // namespace hiplz
