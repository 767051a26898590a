// SPDX-License-Identifier: MIT
// The object behind hipEvent_t: the last recording of an event. Each recording takes a fresh Level Zero event, so recording
// again never disturbs those who still wait for the previous recording.
#pragma once
#include "base/lockable.h"
#include "lz/core/error.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/ipc_event.h"
#include "lz/sync/event_pool.h"

#include <atomic>
#include <chrono>
#include <memory>

namespace hiplz {

class LZDevice;
class LZPauses;
class LZQueue;

/// Thread-safe. No lock is held while the host waits.
class LZEvent {
public:
  /// flags are those of hipEventCreateWithFlags.
  LZEvent(LZDevice &device, unsigned flags) : device_(device), flags_(flags) {}
  /// An event that other processes know, too.
  LZEvent(LZDevice &device, unsigned flags, std::unique_ptr<LZSharedEvent> shared)
      : device_(device), flags_(flags), shared_(std::move(shared)) {}

  /// An event that is one of the application (LZEventPool::adopt), which every recording signals.
  LZEvent(LZDevice &device, LZEventRef native);

  /// True if it is: such an event cannot be recorded by graphs.
  bool native() const { return static_cast<bool>(native_); }

  LZDevice &device() const { return device_; }
  unsigned flags() const { return flags_; }
  /// Null unless other processes know the event.
  LZSharedEvent *shared() const { return shared_.get(); }
  bool timed() const { return (flags_ & hipEventDisableTiming) == 0; }

  /// Marks the work submitted to the queue so far. The queue must belong to the event's device
  /// (hipErrorInvalidHandle). May throw HipError.
  hipError_t record(LZQueue &queue);

  /// In a captured stream the two calls with an event from outside of the graph: nodes that record and wait when the graph
  /// is executed. In other streams they are the same as record and waitIn.
  hipError_t recordExternal(LZQueue &queue);
  hipError_t waitExternalIn(LZQueue &queue);

  /// The same as record(), for a queue that has recorded `event` by itself, after `count` of its commands.
  void setRecording(LZEventRef event, const LZQueue &queue, uint64_t count);
  /// The Level Zero event of the last recording; empty if there is none.
  LZEventRef lastEvent() { return last().event; }

  /// True if the last recording was in a stream other than the null stream that was not captured.
  bool recordedInOwnStream();

  /// hipSuccess if never recorded or complete, else hipErrorNotReady or a fault.
  hipError_t query();
  hipError_t synchronize();

  /// For what no capture can take: hipSuccess if the last recording was not in a captured stream, else an error, and the capture
  /// is invalid.
  hipError_t refuseCaptured();

  /// Makes the queue wait for the last recording; nothing if there is none.
  hipError_t waitIn(LZQueue &queue);

  /// Milliseconds between the completion of two recordings, without those for which their stream waited for the compilation of
  /// a kernel. hipErrorInvalidHandle if one was never recorded, has no
  /// time or is of another device; hipErrorNotReady if one is not complete.
  static hipError_t elapsed(float &milliseconds, LZEvent &start, LZEvent &stop);

private:
  struct Recording {
    LZEventRef event;
    uint64_t queue = 0; // LZQueue::id()
    uint64_t count = 0; // commands of the queue that the recording follows
    std::chrono::steady_clock::time_point hostTime;
  };
  Recording last();
  CaptureMark mark();
  hipError_t outcome(ze_result_t result, const char *call);
  hipError_t recordNative(LZQueue &queue);
  void setRecording(Recording recording, const std::shared_ptr<LZPauses> *pauses = nullptr);
  static double pausesBetween(const Recording &first, const Recording &second, LZEvent &later);

  LZDevice &device_; // non-owning
  const unsigned flags_;
  const std::unique_ptr<LZSharedEvent> shared_;
  const LZEventRef native_;
  struct State {
    Recording recording;
    std::shared_ptr<LZPauses> pauses; // of the queue of the recording, if the event is timed
    LZEventRef recorded;              // of a native event: signalled when it has been recorded
    CaptureMark mark;                 // set if the last recording was in a captured stream
  };
  Lockable<State> state_{LockRank::event};
  std::atomic<bool> marked_{false}; // whether mark is set; written under the lock
};

} // namespace hiplz
