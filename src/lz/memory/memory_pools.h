// SPDX-License-Identifier: MIT
// The memory pools of one device: the one behind hipMalloc, the default pool of hipMallocAsync, and those that the
// application has made.
#pragma once
#include "base/lockable.h"
#include "lz/core/handle_table.h"
#include "lz/device/device.h"
#include "lz/memory/memory_pool.h"

#include <atomic>
#include <list>

namespace hiplz {

/// Thread-safe.
class LZMemoryPools {
public:
  /// Those of a device; created at the first call.
  static LZMemoryPools &of(LZDevice &device) { return device.part<LZMemoryPools>(); }
  static constexpr DevicePart kDevicePart = DevicePart::memoryPools;

  explicit LZMemoryPools(LZDevice &device);

  /// The pool that hipMalloc allocates from.
  LZMemoryPool &application() { return application_; }
  /// The pool that the device has from the start, which cannot be destroyed.
  LZMemoryPool &standard() { return standard_; }
  /// The pool that hipMallocAsync allocates from.
  LZMemoryPool &current() { return *current_.load(std::memory_order_acquire); }
  /// The pool must be one of this device.
  void setCurrent(LZMemoryPool &pool) { current_.store(&pool, std::memory_order_release); }

  /// The pool behind a handle of the application, of any device; null if it is none. Lock-free.
  static LZMemoryPool *find(const void *handle) { return HandleTable<LZMemoryPool>::ofProcess().find(handle); }

  /// A new pool with a handle.
  LZMemoryPool &create(const LZMemoryPool::Options &options);
  /// The handle ends at once, the pool with its last block. hipErrorInvalidValue for the default pool and for one that
  /// another thread has destroyed.
  hipError_t destroy(LZMemoryPool &pool);

  /// Something was freed, or a threshold changed: the next synchronisation has work to do.
  void noteFree() { due_.store(true, std::memory_order_release); }
  /// The work that synchronising calls owe the pools; nothing if nothing was freed since the last one. Of the queue, if it is any,
  /// count commands are known to be complete.
  void synchronised(uint64_t queue = 0, uint64_t count = 0) noexcept {
    if (due_.load(std::memory_order_acquire)) [[unlikely]]
      lookAtPools(queue, count);
  }
  /// All free memory of all pools goes back to the driver.
  void trim() noexcept;

private:
  void lookAtPools(uint64_t queue, uint64_t count) noexcept;

  LZDevice &device_; // non-owning
  LZMemoryPool application_, standard_;
  std::atomic<LZMemoryPool *> current_{&standard_};
  std::atomic<bool> due_{false};
  struct Created {
    std::list<LZMemoryPool> pools;
    std::list<LZMemoryPool> ending; // destroyed by the application, not empty when last looked at
  };
  Lockable<Created> created_{LockRank::memoryPoolList};
};

} // namespace hiplz
