// SPDX-License-Identifier: MIT
// A moment in the order of a stream: what had been submitted to it before. Memory that is freed in stream order remembers
// one, and another stream may use the memory when its own order follows from it.
#pragma once
#include "lz/sync/event_pool.h"

#include <cstdint>

namespace hiplz {

class LZDevice;

/// A plain value. Counts of two points of one stream tell which one comes first.
struct StreamPoint {
  uint64_t queue = 0; // LZQueue::id(); 0: in no stream's order
  uint64_t count = 0; // of the stream's commands
  LZEventRef event;   // signalled when the moment has come; empty: it had come when the point was made
  // If the stream and the null stream of its device wait for each other, and which of them it is.
  enum class Side : uint8_t { independent, null, blocking } side = Side::independent;
  const LZDevice *device = nullptr; // only compared
};

} // namespace hiplz
