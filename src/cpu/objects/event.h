// SPDX-License-Identifier: MIT
// Event pools and their events, and fences. A pool, its events and the commands that name them may go in any order: what they
// need of each other they share.
#pragma once
#include "cpu/exec/counted_event.h"
#include "cpu/objects/object.h"
#include "cpu/objects/shared_file.h"

#include <atomic>
#include <memory>
#include <new>
#include <optional>

namespace hiplz::cpu {

class CommandQueue;
class Context;
class EventPool;
struct EventPoolShare;
class Stream;

class Event : public Object<Event, ze_event_handle_t> {
public:
  static constexpr uint64_t kKind = 7;
  /// An event of a pool, in its slot.
  Event(std::shared_ptr<EventPoolShare> share, const ze_event_desc_t &desc, bool isCounterBased);
  /// Counter-based, with the flags that zeEventCounterBasedCreate takes.
  Event(uint32_t flags, ze_event_scope_flags_t signal, ze_event_scope_flags_t wait);
  ~Event();
  /// Of either kind. Commands that were given it go on with its state.
  void destroy();

  const uint32_t counterFlags = 0; ///< of an event that was created without a pool
  const ze_event_scope_flags_t signalScope, waitScope;

  /// Throws Error(INVALID_ARGUMENT) if the event was created without a pool, or the pool has been destroyed.
  EventPool &pool() const;
  bool isCounterBased() const { return counter_.has_value(); }
  bool isTimed() const { return isTimed_; }
  /// True if the timestamps are in the host's time.
  bool hasMappedTimestamps() const;

  /// The state that a wait or a query is about at the moment.
  HeldState state() const { return counter_ ? counter_->latest() : HeldState(*ordinary_); }
  /// The state that a command will signal which is about to be appended.
  HeldState toSignal() { return counter_ ? counter_->next() : HeldState(*ordinary_); }
  /// The state of an event that can be signalled and reset by anybody. It exists as long as the event; HeldState keeps it longer.
  /// Throws Error(INVALID_ARGUMENT) if the event is counter-based.
  EventState &ordinary();

  /// Waits and reports the outcome of the command that signalled.
  ze_result_t synchronize(uint64_t timeout);
  ze_result_t query() const;

private:
  const std::shared_ptr<EventPoolShare> share_; // null: it was created without a pool
  const uint32_t index_ = 0;
  const bool isTimed_;
  EventState *ordinary_ = nullptr; // null if counter-based
  mutable std::optional<CounterEvent> counter_;
};

/// Shared by a pool and its events; each of them keeps it.
struct EventPoolShare {
  /// The state of events that other processes see.
  struct SharedPool {
    SharedPool(std::shared_ptr<SharedFile> file, size_t bytes);
    ~SharedPool();
    SharedEventsHeader &header() { return *reinterpret_cast<SharedEventsHeader *>(memory); }
    const std::shared_ptr<SharedFile> file;
    const size_t bytes;
    std::byte *const memory;
    std::optional<SharedEvents> events;
  };

  /// An event's place: its handle can be checked after it has been destroyed, as long as the pool is there.
  struct Slot {
    alignas(Event) std::byte memory[sizeof(Event)];
    std::atomic<bool> taken{false};
  };

  EventPoolShare(ze_event_pool_flags_t flags, uint32_t count) : flags(flags), count(count), slots(new Slot[count]) {}

  const ze_event_pool_flags_t flags;
  const uint32_t count;
  const std::unique_ptr<Slot[]> slots;
  std::atomic<EventPool *> pool{nullptr}; ///< null when it has been destroyed
  std::shared_ptr<SharedPool> sharedPool; ///< null: the events are of this process alone
};

class EventPool : public Object<EventPool, ze_event_pool_handle_t> {
public:
  static constexpr uint64_t kKind = 6;
  EventPool(Context &context, const ze_event_pool_desc_t &desc);
  ~EventPool();

  /// The pool of another process. Throws Error(INVALID_ARGUMENT) if the handle is not one of a living pool.
  static EventPool &open(Context &context, const ze_ipc_event_pool_handle_t &handle);
  /// Throws Error(INVALID_ARGUMENT) unless the pool has been created for it.
  void getIpcHandle(ze_ipc_event_pool_handle_t &handle) const;
  bool isOpened() const { return opened_; }
  /// Events of the pool are counter-based. Before the first one is created.
  void makeCounterBased() { counterBased_ = true; }

  /// The event of an index. Throws Error(INVALID_ARGUMENT) if there is no such index or it is taken.
  Event &create(const ze_event_desc_t &desc);
  ze_event_pool_flags_t flags() const { return share_->flags; }
  /// ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP: the clock of the device is that of the host.
  static constexpr ze_event_pool_flags_t kMappedTimestamps = ZE_BIT(3);

  Context &context;

private:
  EventPool(Context &context, std::shared_ptr<EventPoolShare> share, bool opened);

  const std::shared_ptr<EventPoolShare> share_;
  const bool opened_;
  bool counterBased_ = false;
};

class Fence : public Object<Fence, ze_fence_handle_t> {
public:
  static constexpr uint64_t kKind = 8;
  explicit Fence(CommandQueue &queue) : queue(queue) {}
  ~Fence() { state.release(); }
  CommandQueue &queue;
  FenceState &state = *new FenceState;
};

} // namespace hiplz::cpu
