// SPDX-License-Identifier: MIT
// Events that several processes record and wait for. A recording takes the next of a fixed number of Level Zero events,
// which all processes share; a page that they share as well says which one is the last. So recording again does not
// disturb those who still wait for the previous recording, unless they are that many recordings behind.
#pragma once
#include "lz/memory/ipc.h"
#include "lz/sync/event_pool.h"

#include <atomic>
#include <memory>
#include <vector>

namespace hiplz {

class LZDevice;
class LZQueue;

/// Thread-safe, and between processes.
class LZSharedEvent {
public:
  /// A new event that was never recorded. Throws HipError (hipErrorNotSupported if the driver shares no events).
  explicit LZSharedEvent(LZDevice &device);
  /// The event of another process that a handle describes. Throws HipError: hipErrorInvalidValue for bytes that are no
  /// handle or whose process has ended, hipErrorInvalidContext for an event of this process.
  LZSharedEvent(LZDevice &device, const IpcBytes &handle);
  LZSharedEvent(const LZSharedEvent &) = delete;
  LZSharedEvent &operator=(const LZSharedEvent &) = delete;
  ~LZSharedEvent();

  /// The description for other processes. It is valid until the object is destroyed.
  IpcBytes handle() const;

  /// Records: the event that the queue signals. Waits on the host if so many recordings are still pending that the
  /// oldest has to be used again. Throws HipError.
  LZEventRef record(LZQueue &queue);

  /// The event of the last recording in any process; empty if there is none.
  LZEventRef last() const;

private:
  struct State;
  void map(int descriptor);
  void takeSlots(std::unique_ptr<LZEventPool> pool);

  struct Unmap {
    void operator()(State *state) const noexcept;
  };
  int descriptor_ = -1; // of the page; of the process that made it
  std::unique_ptr<State, Unmap> state_;
  std::unique_ptr<LZEventPool> pool_;
  std::vector<LZEventRef> slots_; // all events of the pool, so that they do not go back before the end
};

} // namespace hiplz
