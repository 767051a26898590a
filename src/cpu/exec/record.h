// SPDX-License-Identifier: MIT
// The records that a command list consists of, each one command with everything that it needs at execution time. A record
// is not written after it has been appended, so a closed list can be executed any number of times. State of the
// execution is in the stream that executes.
#pragma once
#include "base/check_mark.h"
#include "cpu/abi/kernel.h"
#include "cpu/exec/shared_events.h"
#include "cpu/exec/signal.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <level_zero/ze_api.h>
#include <memory>
#include <utility>

namespace hiplz::cpu {

class RecordArena;

/// The part of an event that execution needs. The event, the commands that name it and the threads that wait for it share it
/// by reference count, so it does not matter which of them goes first, nor whether the event's pool is still there.
struct EventState {
  Signal signal;
  SharedEvent *shared = nullptr;            ///< of an event that other processes see: its state, instead of `signal`
  std::shared_ptr<SharedEvents> sharedPool; ///< and this process's end of its pool
  std::atomic<Stream *> producer{nullptr}; ///< the stream that is to signal it, so that a waiting thread can help there
  uint64_t start = 0, end = 0;             ///< of the command that signalled, in nanoseconds of now()
  bool timed = false;                      ///< start and end are wanted
  bool counted = false;                    ///< a CountedState
  std::atomic<bool> failed{false};         ///< the command that signalled was not executed: the device is lost

  EventState() = default;
  EventState(const EventState &) = delete;
  EventState &operator=(const EventState &) = delete;

  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      destroy();
  }

  bool isSignalled() const { return shared ? shared->isSignalled() : signal.isSignalled(); }
  bool hasFailed() const { return shared ? shared->hasFailed() : failed.load(std::memory_order_relaxed); }
  /// Of the command that signalled.
  ze_kernel_timestamp_result_t timestamps() const {
    const ze_kernel_timestamp_data_t times = shared
                                                 ? ze_kernel_timestamp_data_t{shared->start.load(), shared->end.load()}
                                                 : ze_kernel_timestamp_data_t{start, end};
    return {times, times};
  }

  /// Signals for a command that was executed from `start` to `end`, or was not.
  void complete(bool hasFailed) {
    if (shared)
      return sharedPool->signal(*shared, hasFailed, start, end);
    if (counted)
      return completeCounted(hasFailed);
    failed.store(hasFailed, std::memory_order_relaxed);
    signal.signal();
  }
  void reset() {
    if (shared)
      return shared->reset();
    failed.store(false, std::memory_order_relaxed);
    signal.reset();
  }

protected:
  ~EventState() = default;

private:
  void completeCounted(bool hasFailed); // counted_event.cpp, like destroy()
  void destroy();
  std::atomic<uint32_t> references_{1};
};

/// Keeps a state while this object exists.
class HeldState {
public:
  /// Takes over a reference of the caller.
  static HeldState adopt(EventState *state) { return HeldState(state); }
  explicit HeldState(EventState &state) : state_(&state) { state.retain(); }
  HeldState(HeldState &&other) noexcept : state_(std::exchange(other.state_, nullptr)) {}
  HeldState &operator=(HeldState &&other) noexcept {
    std::swap(state_, other.state_);
    return *this;
  }
  ~HeldState() {
    if (state_)
      state_->release();
  }
  EventState &operator*() const { return *state_; }
  EventState *operator->() const { return state_; }

private:
  explicit HeldState(EventState *state) : state_(state) {}
  EventState *state_;
};

enum class Op : uint16_t {
  none, ///< only waits and signals: barriers, event waits, event signals
  jump, ///< continue in the next chunk of the arena; not a command
  resetEvent,
  copy,
  copyRegion,
  fill,
  launch,
  writeTimestamp,
  queryTimestamps,
  waitMemory,
  writeMemory,
  callHost,
  executeList,
  signalFence,
  markMemory,
};

/// Common head. Waits for all of `waits`, executes, then signals `signal`.
struct alignas(64) Record {
  Op op = Op::none;
  uint32_t bytes = 0; ///< of the record in the arena
  uint32_t waitCount = 0;
  uint32_t submission = 0; ///< for checks (check/launches.h)
  EventState **waits = nullptr;
  EventState *signal = nullptr;
  EventState *timeStart = nullptr; ///< receives the time at which this record begins; `signal`, but for split commands
};

struct ResetRecord : Record {
  EventState *event;
};

struct CopyRecord : Record {
  std::byte *to;
  const std::byte *from;
  size_t size;
};

/// Rows of `width` bytes; `rows` of them in each of `slices`.
struct CopyRegionRecord : Record {
  std::byte *to;
  const std::byte *from;
  size_t width, rows, slices;
  size_t toPitch, toSlicePitch, fromPitch, fromSlicePitch;
};

struct FillRecord : Record {
  std::byte *to;
  size_t size;
  size_t patternSize;                     ///< a power of two
  std::byte pattern[128];                 ///< repeated to its full length, unless it is longer
  const std::byte *longPattern = nullptr; ///< a pattern that is longer, behind this record
};

struct LaunchRecord : Record {
  const KernelCode *kernel;
  const KernelInfo *info;
  LaunchState launch;               ///< its arguments are behind this record
  bool cooperative;                 ///< all work-groups must be able to run at the same time
  const ze_group_count_t *indirect; ///< if set, where the group counts are read when the command begins
  const uint32_t *indirectCount;    ///< if set, the command is executed only if indirectIndex < *indirectCount
  uint32_t indirectIndex;
};

struct WriteTimestampRecord : Record {
  uint64_t *to;
};

struct QueryTimestampsRecord : Record {
  std::byte *to;
  uint32_t count;
  EventState **events;
  const size_t *offsets; ///< null: dense
};

enum class MemoryComparison : uint32_t { equal, notEqual, greater, greaterEqual, less, lessEqual };

/// Waits until the value at the address, as an unsigned number on the left, compares with this one.
struct WaitMemoryRecord : Record {
  const void *address;
  uint64_t value;
  uint32_t bytes; ///< 4 or 8
  MemoryComparison comparison;
};

struct WriteMemoryRecord : Record {
  uint64_t *to;
  uint64_t value;
};

/// Calls a function of the application.
struct CallHostRecord : Record {
  void (*function)(void *);
  void *argument;
};

/// Executes a closed list. Holds a reference to its records, which is dropped after execution.
struct ExecuteListRecord : Record {
  RecordArena *list;
};

/// The part of a fence that execution needs. Programs destroy fences once an event says that the work is done, which may be before
/// the fence is signalled: so the commands that are to signal it share it with the fence.
class FenceState {
public:
  Signal signal;
  void retain() { references_.fetch_add(1, std::memory_order_relaxed); }
  void release() {
    if (references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      delete this;
  }

private:
  std::atomic<uint32_t> references_{1};
};

/// Tells the checks about memory.
struct MarkMemoryRecord : Record {
  ZeCheckMark mark;
};

/// Has a reference to the fence.
struct SignalFenceRecord : Record {
  FenceState *fence;
};

} // namespace hiplz::cpu
