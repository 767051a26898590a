// SPDX-License-Identifier: MIT
// Where the aggregates lie that a kernel takes through memory (docs/design/modules.md): pinned memory of one queue, which
// is used again when the launches that read it have ended.
#pragma once
#include "lz/core/ze_memory.h"
#include "lz/sync/event_pool.h"

#include <cstddef>
#include <deque>
#include <utility>

namespace hiplz {

class LZDevice;

/// Guarded by the queue's lock. No memory is given back before the queue is destroyed, but there is never more of it than
/// the launches that were pending at the same time needed.
class LZArgumentMemory {
public:
  LZArgumentMemory() = default;
  LZArgumentMemory(const LZArgumentMemory &) = delete;
  LZArgumentMemory &operator=(const LZArgumentMemory &) = delete;

  /// Memory for the arguments of the next launch. mark() returns an event that the queue signals when everything submitted
  /// so far has ended. Throws HipError.
  template <class Mark> std::byte *take(LZDevice &device, size_t bytes, Mark mark) {
    if (current_.memory && current_.bytes - used_ < bytes) {
      current_.done = mark();
      full_.push_back(std::exchange(current_, {}));
    }
    if (!current_.memory)
      provide(device, bytes);
    return current_.memory.get() + std::exchange(used_, used_ + bytes);
  }

private:
  struct Block {
    ZeMemory memory;
    size_t bytes = 0;
    LZEventRef done; // after the last launch that reads it
  };
  void provide(LZDevice &device, size_t bytes);

  Block current_;
  size_t used_ = 0;        // of current_
  std::deque<Block> full_; // in the order in which they became full
};

} // namespace hiplz
