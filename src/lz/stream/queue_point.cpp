// SPDX-License-Identifier: MIT
// Streams as allocation in stream order sees them: points in their order, and which streams follow them.
#include "lz/stream/queue.h"

namespace hiplz {

StreamPoint LZQueue::point() {
  if (hipError_t error = prepare())
    throw HipError(error);
  if (idle())
    return {};
  StreamMarker mark = appender_.marker();
  return {id(), mark.count, std::move(mark.event), side(), &device_};
}

hipError_t LZQueue::signal(const LZEventRef &event, LZEventRef *behind) {
  if (hipError_t error = prepare())
    return error;
  LZEventRef own;
  std::lock_guard lock(appender_.mutex());
  hipError_t error = appender_.signalForeignLocked(event, own);
  if (!error && behind)
    *behind = std::move(own);
  return error;
}

hipError_t LZQueue::follow(const StreamPoint &point) {
  hipError_t error = wait(point.event);
  if (!error)
    noteFollows(point.queue, point.count);
  return error;
}

void LZQueue::noteFollows(uint64_t queue, uint64_t count) {
  std::lock_guard lock(appender_.mutex());
  order().noteFollowsLocked(queue, count);
}

bool LZQueue::follows(const StreamPoint &point) {
  std::lock_guard lock(appender_.mutex());
  return order().followsLocked(point);
}

} // namespace hiplz
