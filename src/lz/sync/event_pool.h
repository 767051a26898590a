// SPDX-License-Identifier: MIT
// Level Zero events for everything in the runtime that needs one: user events, waits between queues, host waits,
// callbacks. Creating an event costs microseconds, so events are made in blocks and recycled. An event must not be reset
// while a command that signals it or waits for it is still pending; therefore every user of one holds a reference, a
// queue until its commands have completed, and the pool gets the event back with the last reference.
#pragma once
#include "base/lockable.h"
#include "lz/core/ze_handle.h"

#include <atomic>
#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

namespace hiplz {

class LZEventPool;

/// One Level Zero event. Lives as long as its pool; used through LZEventRef.
class LZEventSlot {
public:
  LZEventSlot(LZEventPool &pool, ZeEvent event, bool native = false)
      : pool_(pool), event_(std::move(event)), native_(native) {}
  LZEventSlot(const LZEventSlot &) = delete;
  LZEventSlot &operator=(const LZEventSlot &) = delete;

  ze_event_handle_t ze() const { return event_.get(); }
  LZEventPool &pool() const { return pool_; }

private:
  friend class LZEventRef;
  friend class LZEventPool;
  LZEventPool &pool_; // non-owning
  ZeEvent event_;
  const bool native_; // not one of the pool's: it ends with its last reference
  std::atomic<bool> seenSignalled_{false};
  std::atomic<uint32_t> references_{0}; // the last release (acquire-release) makes the slot free
};

/// A counted reference to an event. Copying and dropping are lock-free, apart from the last drop.
class LZEventRef {
public:
  LZEventRef() = default;
  LZEventRef(const LZEventRef &other) noexcept : slot_(other.slot_) { retain(); }
  LZEventRef(LZEventRef &&other) noexcept : slot_(std::exchange(other.slot_, nullptr)) {}
  LZEventRef &operator=(LZEventRef other) noexcept {
    std::swap(slot_, other.slot_);
    return *this;
  }
  ~LZEventRef() { release(); }

  explicit operator bool() const noexcept { return slot_ != nullptr; }
  ze_event_handle_t ze() const noexcept { return slot_->ze(); }
  LZEventPool &pool() const noexcept { return slot_->pool(); }

  /// True once the event has been signalled; throws nothing, a lost device counts as an error result.
  ze_result_t query() const noexcept { return zeEventQueryStatus(ze()); }
  /// Sleeps in the driver until the event is signalled. Where the driver fails to wait, asks it again some times, for up to
  /// 30 ms in all: what is waited for goes on, and callers give memory back that it uses. A lost device has nothing that goes on.
  ze_result_t wait() const noexcept;
  /// Signals it from the host, for which a stream waits: the same attempts as by wait().
  ze_result_t signal() const noexcept;
  /// Makes it an event that is not signalled, likewise. Nothing that refers to it may be pending.
  ze_result_t reset() const noexcept;

  /// Somebody has waited for it: it is signalled as long as anybody refers to it. For events that nobody resets meanwhile.
  void noteSignalled() const noexcept { slot_->seenSignalled_.store(true, std::memory_order_release); }
  /// The same as a query, without asking the driver about what has been noted.
  bool isSignalled() const noexcept {
    return slot_->seenSignalled_.load(std::memory_order_acquire) || query() == ZE_RESULT_SUCCESS;
  }

private:
  friend class LZEventPool;
  explicit LZEventRef(LZEventSlot *slot) noexcept : slot_(slot) { retain(); }
  void retain() noexcept {
    if (slot_)
      slot_->references_.fetch_add(1, std::memory_order_relaxed);
  }
  // A launch drops several empty references, and no call is made for these.
  void release() noexcept {
    if (slot_)
      drop();
    slot_ = nullptr;
  }
  void drop() noexcept;
  LZEventSlot *slot_ = nullptr;
};

/// The events of one driver's context of one kind. Thread-safe.
class LZEventPool {
public:
  /// Neither handle is owned; zeContext must outlive the pool. Creates nothing yet.
  LZEventPool(ze_context_handle_t zeContext, bool timestamps) : zeContext_(zeContext), timestamps_(timestamps) {}

  /// All events of a pool that processes share; they are for at() alone, and in the state in which others left them.
  /// Throws HipError.
  template <class Pool>
  LZEventPool(ze_context_handle_t zeContext, Pool pool, uint32_t count) : LZEventPool(zeContext, false) {
    const auto events = events_.lock();
    addSlots(*events, pool.get(), count);
    events->keep(std::move(pool));
    events->free.clear();
  }
  LZEventRef at(uint32_t index) { return LZEventRef(&events_.lock()->slots[index]); }
  /// True if nobody refers to any event.
  bool unused();

  /// An event that is not signalled. Allocates only when all events are in use. Throws HipError.
  LZEventRef acquire();

  /// A reference to an event of the application, which is borrowed until own() is called.
  LZEventRef adopt(ze_event_handle_t native);
  static void own(LZEventRef &adopted) { adopted.slot_->event_.own(); }

  bool timestamps() const { return timestamps_; }
  ze_context_handle_t zeContext() const { return zeContext_; }

private:
  friend class LZEventRef;
  void giveBack(LZEventSlot *slot) noexcept;
  struct Events {
    std::vector<ZeEventPool> zePools;
    ZeOpenedEventPool opened;
    std::deque<LZEventSlot> slots;
    std::vector<LZEventSlot *> free; // its capacity is always enough for all slots
    void keep(ZeEventPool pool) { zePools.push_back(std::move(pool)); }
    void keep(ZeOpenedEventPool pool) { opened = std::move(pool); }
  };
  void grow(Events &events);
  void addSlots(Events &events, ze_event_pool_handle_t pool, uint32_t count);

  ze_context_handle_t zeContext_;
  bool timestamps_;
  Lockable<Events> events_{LockRank::eventPool};
};

} // namespace hiplz
