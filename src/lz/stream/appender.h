// SPDX-License-Identifier: MIT
// The part of a stream that appends its commands: its list, its lock, its order, and how a command is put behind those that
// precede it. Drivers with in-order lists keep that order themselves; for the others each command signals an event that
// the next one waits for, which costs the host less than barriers between them (0.5 us a command instead of 3 us on
// Intel's driver of 2022).
#pragma once
#include "base/mutex.h"
#include "lz/core/error.h"
#include "lz/core/ze_handle.h"
#include "lz/device/device.h"
#include "lz/stream/closed_lists.h"
#include "lz/stream/command_profile.h"
#include "lz/sync/stream_order.h"

#include <memory>
#include <mutex>
#include <type_traits>

namespace hiplz {

/// The methods called ...Locked need mutex(). The lock is never held while the host waits, and never together with that of
/// another stream. Methods may throw HipError where they create Level Zero objects.
class LZAppender {
public:
  /// A new immediate list, on so many of the compute units (0: all). `side` and `unjoined` as for StreamOrder. Throws HipError;
  /// hipErrorNotSupported if the driver cannot restrict lists.
  LZAppender(LZDevice &device, StreamOrder::Side side, std::atomic<uint32_t> &unjoined, int priority,
             uint32_t units = 0);
  /// On native handles, which are borrowed until own() is called: an immediate list, or else a queue of this group.
  LZAppender(LZDevice &device, StreamOrder::Side side, std::atomic<uint32_t> &unjoined, ze_command_list_handle_t list,
             ze_command_queue_handle_t queue, uint32_t ordinal);
  LZAppender(const LZAppender &) = delete;
  LZAppender &operator=(const LZAppender &) = delete;

  LZDevice &device() const { return device_; }
  Mutex &mutex() { return mutex_; }
  StreamOrder &order() { return order_; }
  const StreamOrder &order() const { return order_; }
  /// Made from native handles: there may be commands of the application that are not counted.
  bool native() const { return native_; }
  /// Commands go into closed lists for a queue: it takes no closed lists of others.
  bool onQueue() const { return lists_ != nullptr; }
  /// The native handles; one of them is null. ownNative() makes them the stream's own.
  ze_command_list_handle_t nativeList() const { return lists_ ? nullptr : list_.get(); }
  ze_command_queue_handle_t nativeQueue() const { return lists_ ? lists_->ze() : nullptr; }
  void ownNative();

  /// The list that takes the command that is being appended.
  ze_command_list_handle_t listLocked() const { return list_.get(); }

  /// Appends one command after all that precede it. append(signal, waitCount, waits) appends it with these events and
  /// returns the ze_result_t. If the program is profiled, describe() tells what the command is (a CommandNote); without it the
  /// command is not in the profile.
  template <class Append, class Describe = std::nullptr_t>
  hipError_t appendLocked(Append append, Describe describe = nullptr) {
    readyLocked();
    LZEventRef done;
    Links links{0, nullptr};
    const ProfilerHooks *hooks = nullptr;
    if constexpr (!std::is_null_pointer_v<Describe>)
      hooks = profilerOf(trace::kCommands);
    if (hooks) [[unlikely]]
      done = device_.driver().timedEvents().acquire();
    if (order_.chained()) {
      if (!done)
        done = device_.driver().events().acquire();
      links = linksLocked();
    }
    ze_result_t result = append(done ? done.ze() : nullptr, links.count, links.list());
    if (lists_ && result == ZE_RESULT_SUCCESS) [[unlikely]]
      result = submitListLocked(order_.submitted() + 1);
    if (result != ZE_RESULT_SUCCESS) [[unlikely]]
      return failedToAppend(result, "appending a command");
    order_.countLocked();
    if (order_.chained())
      order_.advanceLocked(done, *this);
    if constexpr (!std::is_null_pointer_v<Describe>)
      if (hooks) [[unlikely]]
        LZCommandProfile::submitted(*hooks, device_, order_.id(), describe(), std::move(done));
    return hipSuccess;
  }

  /// The list ends with the signal of this event. With Counts::yes that is a command of the stream.
  enum class Counts { no, yes };
  void signalLocked(const LZEventRef &event, Counts counts);
  /// The same for an event that is not one of the runtime's recycled ones. Returns an event that is signalled right behind.
  hipError_t signalForeignLocked(const LZEventRef &event, LZEventRef &behind);
  /// Later commands wait for the event. A wait for the runtime's own host is not in the profile.
  enum class Profiled { no, yes };
  hipError_t appendWaitLocked(const LZEventRef &event, Profiled profiled = Profiled::yes);
  /// A command that was appended by other means, with the event that it signals, or none.
  void appendedLocked(const LZEventRef &event) {
    order_.countLocked();
    if (event)
      order_.advanceLocked(event, *this);
  }

  /// An event that covers everything submitted; made if there is none.
  const StreamMarker &markerLocked() {
    const StreamMarker *known = order_.markerLocked();
    if (!known) {
      signalLocked(device_.driver().events().acquire(), Counts::no);
      known = order_.markerLocked();
    }
    return *known;
  }
  /// The same for anybody; of a native stream, what the application has appended included.
  StreamMarker marker();

  bool isSignalled(const LZEventRef &event) const { return event.query() == ZE_RESULT_SUCCESS; }

  /// A failed append or wait: returns the error. A lost device stays lost: Level Zero has no way back but a new process.
  hipError_t failed(ze_result_t result, const char *call);
  /// The same for an append. Work that is lost with the device fails like pending work: the next call reports it.
  hipError_t failedToAppend(ze_result_t result, const char *call) {
    const hipError_t error = failed(result, call);
    return result == ZE_RESULT_ERROR_DEVICE_LOST ? hipSuccess : error;
  }

private:
  struct Links {
    uint32_t count;
    ze_event_handle_t event;
    ze_event_handle_t *list() { return count ? &event : nullptr; }
  };
  Links linksLocked() {
    const LZEventRef &link = order_.linkLocked();
    return link ? Links{1, link.ze()} : Links{0, nullptr};
  }
  /// Everything that the next command needs besides its own events. Throws HipError.
  void readyLocked() {
    order_.reserveLocked();
    if (!list_) [[unlikely]]
      list_ = lists_->next(order_.drained());
  }
  ze_result_t submitListLocked(uint64_t count);

  LZDevice &device_; // non-owning
  StreamOrder order_;
  const bool native_ = false;
  Mutex mutex_{LockRank::stream};        // guards what follows, and the order
  std::unique_ptr<LZClosedLists> lists_; // if it is on a queue; destroyed after list_
  ZeCommandList list_;                   // of a queue: the one that takes the next command; empty behind each command
};

} // namespace hiplz
