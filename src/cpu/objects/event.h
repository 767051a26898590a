// Event pools and their events, and fences. An event is a slot of its pool, so creating one allocates nothing.
#pragma once
#include "cpu/exec/record.h"
#include "cpu/objects/object.h"

#include <memory>
#include <new>

namespace hiplz::cpu {

class CommandQueue;
class EventPool;
class Stream;

class alignas(64) Event : public Object<Event, ze_event_handle_t> {
public:
  static constexpr uint64_t kKind = 7;
  explicit Event(EventPool &pool, uint32_t index) : pool(pool), index(index) {}

  EventPool &pool;
  const uint32_t index;
  EventState state;

  /// Waits and says what became of the command that signalled.
  ze_result_t synchronize(uint64_t timeout);
  ze_result_t query() const;
  void reset();
};

class EventPool : public Object<EventPool, ze_event_pool_handle_t> {
public:
  static constexpr uint64_t kKind = 6;
  explicit EventPool(const ze_event_pool_desc_t &desc);

  /// The event of a slot. Throws Error(INVALID_ARGUMENT) if there is no such slot or it is taken.
  Event &create(uint32_t index);
  void destroy(Event &event);
  bool hasTimestamps() const { return flags_ & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP; }

private:
  struct alignas(Event) Slot {
    std::byte memory[sizeof(Event)];
    std::atomic<bool> taken{false};
  };
  const ze_event_pool_flags_t flags_;
  const uint32_t count_;
  std::unique_ptr<Slot[]> slots_;
};

class Fence : public Object<Fence, ze_fence_handle_t> {
public:
  static constexpr uint64_t kKind = 8;
  explicit Fence(CommandQueue &queue) : queue(queue) {}
  CommandQueue &queue;
  Signal signal;
};

} // namespace hiplz::cpu
