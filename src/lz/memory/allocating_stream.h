// SPDX-License-Identifier: MIT
// A stream as allocation in stream order sees it. Streams stand above memory, which they use themselves; LZQueue implements
// what a pool has to ask of the stream that it allocates for.
#pragma once
#include "lz/core/error.h"
#include "lz/sync/stream_point.h"

namespace hiplz {

/// Thread-safe.
class AllocatingStream {
public:
  /// LZQueue::id().
  virtual uint64_t streamId() const = 0;
  /// Which of the default stream's rules hold for it, and on which device.
  virtual StreamPoint::Side side() const = 0;
  virtual LZDevice &device() const = 0;

  /// True if the stream has waited for an event that follows the point.
  virtual bool follows(const StreamPoint &point) = 0;
  /// Orders the stream behind what the default stream's rules say, as if a command were submitted now.
  virtual hipError_t joinDefault() = 0;
  /// Makes later commands of the stream wait for the point.
  virtual hipError_t follow(const StreamPoint &point) = 0;

protected:
  ~AllocatingStream() = default;
};

} // namespace hiplz
