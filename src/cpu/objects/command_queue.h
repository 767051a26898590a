// SPDX-License-Identifier: MIT
// A command queue: a stream whose records execute whole command lists.
#pragma once
#include "base/mutex.h"
#include "cpu/exec/stream.h"
#include "cpu/objects/event.h"

#include <span>

namespace hiplz::cpu {

class CommandList;
class Context;
class Device;

class CommandQueue : public Object<CommandQueue, ze_command_queue_handle_t> {
public:
  static constexpr uint64_t kKind = 4;
  CommandQueue(Context &context, Device &device, const ze_command_queue_desc_t &desc, uint32_t maxThreads);
  ~CommandQueue();

  /// Submits closed lists, then the signal of a fence (null allowed). Any thread.
  ze_result_t execute(std::span<CommandList *const> lists, Fence *fence);
  /// Waits for everything submitted so far.
  ze_result_t synchronize(uint64_t timeout);
  ze_result_t synchronize(Fence &fence, uint64_t timeout);
  ze_result_t query(const Fence &fence) const;

  Device &device;
  const ze_command_queue_desc_t desc; ///< as it was created, without extensions

private:
  Context &context_;
  Stream *const stream_;
  const bool synchronous_;
  Mutex mutex_{LockRank::cpuQueue}; // guards appending to stream_; waiting for it needs no lock
};

/// A description that may be kept.
ze_command_queue_desc_t withoutExtensions(ze_command_queue_desc_t desc);

/// Result of a wait that ended: lost devices are reported by every synchronising call.
ze_result_t synchronizeStream(Stream &stream, const Goal &goal, uint64_t timeout);

} // namespace hiplz::cpu
