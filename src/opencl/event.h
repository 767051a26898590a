// SPDX-License-Identifier: MIT
// Events. OpenCL's are made by the command that signals them and never change back; those of Level Zero exist before, are awaited
// before, and are signalled and reset by the host and by commands. So an event is a row of epochs, each from one reset to the next.
// Commands are enqueued at once, so a wait, a signal or a reset by a command is about the last epoch; what the host does or asks is
// about the first one, which ends when the command that resets the event has been executed. An epoch may have several commands that
// signal: the host resets an event between two of them, when the second one has been enqueued already.
#pragma once
#include "opencl/context.h"

#include <condition_variable>
#include <deque>
#include <memory>

namespace hiplz::opencl {

/// The state of an event, which commands keep beyond its handle. Thread-safe.
class EventState : public std::enable_shared_from_this<EventState> {
public:
  EventState(Context &context, bool isTimed) : context_(context), isTimed_(isTimed) {}

  // For commands that are enqueued now.

  /// The events of OpenCL to wait for; empty if the event is signalled.
  ClEvent toAwait();
  /// The event is signalled by this command.
  void signalledBy(ClEvent command);
  /// The event is reset when this command has been executed.
  void resetBy(const ClEvent &command);

  // For the host.
  void signal(uint64_t time);
  void reset();
  ze_result_t query();
  /// Waits, in nanoseconds. READY, NOT_READY or DEVICE_LOST.
  ze_result_t synchronize(uint64_t timeout);
  /// Throws Error(NOT_AVAILABLE) unless it is signalled.
  ze_kernel_timestamp_result_t timestamps();
  /// Those of the last epoch, which are known when the command that signals it has been executed.
  ClEvent lastCommand();
  bool isTimed() const { return isTimed_; }

private:
  struct Epoch {
    std::vector<ClEvent> commands; // that signal it, in order, from the last one that has been executed
    ClEvent user;                  // for those who waited before there was one
    ClEvent end;                   // the command that resets the event
    ClEvent watched;               // the command whose end is announced to waiting threads
    std::vector<ClEvent> dropped;  // of commands, while threads wait for one in OpenCL
    uint32_t waiting = 0;          // those threads. A reference of OpenCL's for each wait would cost 0.09 us
    bool isOver = false;           // the first of the commands has ended well. Only timed events still have it
    bool byHost = false;           // signalled
    uint64_t hostTime = 0;
  };
  /// The epoch that the host sees.
  Epoch &now();
  ze_result_t outcomeOf(Epoch &epoch);
  /// The first of the epoch's commands has been executed. Its event is dropped unless somebody may ask for its times: Intel's runtime takes
  /// 0.08 us longer for each command while an event of an earlier one is held.
  void noteOver(Epoch &epoch);
  /// Drops commands behind which others have been executed.
  static void forgetEarlier(Epoch &epoch);
  /// Drops those commands of which `isOld` is true.
  template <class IsOld> static void drop(Epoch &epoch, IsOld isOld);
  /// Calls the function when the command has been executed, on some thread. Needs no lock.
  template <class Function> void whenDone(const ClEvent &command, Function function);

  Context &context_;
  const bool isTimed_;
  Mutex mutex_{LockRank::openclEvent};
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Epoch>> epochs_{std::make_shared<Epoch>()}; // never empty
};

/// Waits, for as long as it takes. False if the command has failed.
bool waitFor(cl_event command);

/// True for times that applications mean as no limit, in nanoseconds.
constexpr bool isForever(uint64_t timeout) { return timeout >= static_cast<uint64_t>(INT64_MAX / 2); }

/// The times of a command, in the device's nanoseconds. The end never precedes the beginning.
ze_kernel_timestamp_result_t timesOf(cl_event command);

class EventPool : public driver::Object<EventPool, ze_event_pool_handle_t> {
public:
  static constexpr uint64_t kKind = 0x106;
  EventPool(Context &context, const ze_event_pool_desc_t &desc)
      : context(context), flags(desc.flags), taken(desc.count) {}

  Context &context;
  const ze_event_pool_flags_t flags;
  Mutex mutex{LockRank::openclEventPool};
  std::vector<bool> taken; ///< indices of living events
};

class Event : public driver::Object<Event, ze_event_handle_t> {
public:
  static constexpr uint64_t kKind = 0x107;
  /// Throws Error(INVALID_ARGUMENT) if the pool has no such index or it is taken.
  Event(EventPool &pool, uint32_t index);
  ~Event();

  EventPool &pool;
  const uint32_t index;
  const std::shared_ptr<EventState> state;
};

} // namespace hiplz::opencl
