// SPDX-License-Identifier: MIT
// A stream on a command queue: unlike with an ordinary one, commands go into regular command lists, which are closed
// and executed one by one, and are used again when the queue is past them.
#pragma once
#include "lz/core/ze_handle.h"

#include <cstdint>
#include <deque>
#include <utility>

namespace hiplz {

class LZDevice;

/// Guarded by the lock of its LZAppender.
class LZClosedLists {
public:
  /// The queue is borrowed until own() is called.
  LZClosedLists(LZDevice &device, ze_command_queue_handle_t queue, uint32_t ordinal)
      : device_(device), queue_(queue, false), ordinal_(ordinal) {}
  /// Waits until the queue has executed everything.
  ~LZClosedLists();

  ze_command_queue_handle_t ze() const { return queue_.get(); }
  void own() { queue_.own(); }

  /// An open list, new or used before `drained` commands were complete. Throws HipError.
  ZeCommandList next(uint64_t drained);

  /// Closes and executes a list whose last command is the `count`th of the stream.
  ze_result_t submit(ZeCommandList list, uint64_t count);

private:
  struct Submitted {
    uint64_t count;
    ZeCommandList list;
  };
  LZDevice &device_; // non-owning
  ZeCommandQueue queue_;
  const uint32_t ordinal_;
  std::deque<Submitted> submitted_; // in the order of count
};

} // namespace hiplz
