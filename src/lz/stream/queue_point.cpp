// SPDX-License-Identifier: MIT
// What allocation in stream order needs to know of streams: points in their order, and which streams follow them.
#include "lz/device/device.h"
#include "lz/stream/queue.h"

#include <algorithm>

namespace hiplz {
namespace {
// Of more streams than this, a stream forgets that it waited for their events, the oldest first. It costs nothing but
// a chance to reuse their memory without another wait.
constexpr size_t kFollowed = 32;
} // namespace

uint64_t LZQueue::newId() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

StreamPoint LZQueue::point() {
  if (hipError_t error = prepare())
    throw HipError(error);
  if (idle())
    return {};
  Held mark = marker();
  const auto side = kind_ == Kind::null       ? StreamPoint::Side::null
                    : kind_ == Kind::blocking ? StreamPoint::Side::blocking
                                              : StreamPoint::Side::independent;
  return {id_, mark.count, std::move(mark.event), side, &device_};
}

hipError_t LZQueue::signal(const LZEventRef &event, LZEventRef *behind) {
  if (hipError_t error = prepare())
    return error;
  std::lock_guard lock(mutex_);
  Links links = linksLocked();
  // The event may be reset or signalled for another recording at any time, so it must not stand for this moment: one of
  // the runtime's own does, and the barrier without a list of events waits for everything before it.
  const LZEventRef own = device_.driver().events().acquire();
  ze_result_t result = zeCommandListAppendBarrier(list_.get(), event.ze(), links.count, links.list());
  if (result == ZE_RESULT_SUCCESS)
    result = zeCommandListAppendBarrier(list_.get(), own.ze(), 0, nullptr);
  if (lists_ && result == ZE_RESULT_SUCCESS)
    result = submitListLocked(submitted() + 1);
  if (result != ZE_RESULT_SUCCESS)
    return failed(result, "zeCommandListAppendBarrier");
  countLocked();
  holdLocked(event);
  advanceLocked(own);
  if (behind)
    *behind = own;
  return hipSuccess;
}

void LZQueue::noteFollows(uint64_t queue, uint64_t count) {
  std::lock_guard lock(mutex_);
  auto known = std::find_if(follows_.begin(), follows_.end(), [=](const auto &entry) { return entry.first == queue; });
  if (known != follows_.end()) {
    known->second = std::max(known->second, count);
    return;
  }
  if (follows_.size() == kFollowed)
    follows_.erase(follows_.begin());
  follows_.emplace_back(queue, count);
}

bool LZQueue::follows(const StreamPoint &point) {
  std::lock_guard lock(mutex_);
  return std::any_of(follows_.begin(), follows_.end(),
                     [&](const auto &entry) { return entry.first == point.queue && entry.second >= point.count; });
}

} // namespace hiplz
