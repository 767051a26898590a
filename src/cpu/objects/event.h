// SPDX-License-Identifier: MIT
// Event pools and their events, and fences. An event is a slot of its pool, so creating one allocates nothing.
#pragma once
#include "cpu/exec/counted_event.h"
#include "cpu/objects/object.h"
#include "cpu/objects/shared_file.h"

#include <memory>
#include <new>
#include <optional>

namespace hiplz::cpu {

class CommandQueue;
class Context;
class EventPool;
class Stream;

class alignas(64) Event : public Object<Event, ze_event_handle_t> {
public:
  static constexpr uint64_t kKind = 7;
  Event(EventPool &pool, const ze_event_desc_t &desc)
      : pool(&pool), index(desc.index), signalScope(desc.signal), waitScope(desc.wait) {}
  /// Counter-based, with the flags that zeEventCounterBasedCreate takes.
  Event(uint32_t flags, ze_event_scope_flags_t signal, ze_event_scope_flags_t wait);

  EventPool *const pool = nullptr; ///< null: it was created without
  const uint32_t index = 0;
  const uint32_t counterFlags = 0; ///< of an event that was created without a pool
  const ze_event_scope_flags_t signalScope, waitScope;

  bool isCounterBased() const { return counter_.has_value(); }
  void makeCounterBased() { counter_.emplace(ordinary_.timed); }
  bool isTimed() const { return ordinary_.timed; }
  /// Whether the timestamps are in the host's time.
  bool hasMappedTimestamps() const;

  /// What a wait or a query is about at the moment.
  HeldState state() const { return counter_ ? counter_->latest() : HeldState(ordinary_); }
  /// What a command will signal that is about to be appended.
  HeldState toSignal() { return counter_ ? counter_->next() : HeldState(ordinary_); }
  /// The state of an event that can be signalled and reset by anybody. Throws Error(INVALID_ARGUMENT) if it is counter-based.
  EventState &ordinary();

  /// Waits and reports the outcome of the command that signalled.
  ze_result_t synchronize(uint64_t timeout);
  ze_result_t query() const;

private:
  mutable EventState ordinary_; // unused if counter-based
  mutable std::optional<CounterEvent> counter_;
  friend class EventPool;
};

class EventPool : public Object<EventPool, ze_event_pool_handle_t> {
public:
  static constexpr uint64_t kKind = 6;
  EventPool(Context &context, const ze_event_pool_desc_t &desc);

  /// The pool of another process. Throws Error(INVALID_ARGUMENT) if the handle is not one of a living pool.
  static EventPool &open(Context &context, const ze_ipc_event_pool_handle_t &handle);
  /// Throws Error(INVALID_ARGUMENT) unless the pool has been created for it.
  void getIpcHandle(ze_ipc_event_pool_handle_t &handle) const;
  bool isOpened() const { return opened_; }
  /// Events of the pool are counter-based. Before the first one is created.
  void makeCounterBased() { counterBased_ = true; }

  /// The event of a slot. Throws Error(INVALID_ARGUMENT) if there is no such slot or it is taken.
  Event &create(const ze_event_desc_t &desc);
  void destroy(Event &event);
  ze_event_pool_flags_t flags() const { return flags_; }
  /// ZE_EVENT_POOL_FLAG_KERNEL_MAPPED_TIMESTAMP: the clock of the device is that of the host.
  static constexpr ze_event_pool_flags_t kMappedTimestamps = ZE_BIT(3);
  bool hasTimestamps() const { return flags_ & (ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | kMappedTimestamps); }

  Context &context;

private:
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
  EventPool(Context &context, std::unique_ptr<SharedPool> shared);

  struct alignas(Event) Slot {
    std::byte memory[sizeof(Event)];
    std::atomic<bool> taken{false};
  };
  const ze_event_pool_flags_t flags_;
  const uint32_t count_;
  const bool opened_ = false;
  bool counterBased_ = false;
  std::unique_ptr<Slot[]> slots_;
  std::unique_ptr<SharedPool> shared_;
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
