// SPDX-License-Identifier: MIT
// A shared lock for data that is read on hot paths by many threads and written rarely. Each reader takes one of several
// locks, chosen by its thread, so that readers do not fight for one cache line; a writer takes all of them.
#pragma once
#include "base/lock_order.h"
#include "base/thread_annotations.h"

#include <array>
#include <atomic>
#include <cstddef>
#include <shared_mutex>

namespace hiplz {

/// A mutex for Lockable, Lock and SharedLock. A shared lock must be released by its own thread.
class HIPLZ_CAPABILITY("mutex") BigReaderLock {
public:
  explicit BigReaderLock(LockRank rank) : order_(rank) {}

  void lock() HIPLZ_ACQUIRE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.taking();
    for (Shard &shard : shards_)
      shard.mutex.lock();
    order_.taken();
  }
  void unlock() HIPLZ_RELEASE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.releasing();
    for (Shard &shard : shards_)
      shard.mutex.unlock();
  }
  void lock_shared() HIPLZ_ACQUIRE_SHARED() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.taking();
    shards_[ownShard()].mutex.lock_shared();
    order_.taken();
  }
  void unlock_shared() HIPLZ_RELEASE_SHARED() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.releasing();
    shards_[ownShard()].mutex.unlock_shared();
  }

private:
  static constexpr size_t kShards = 8;
  struct alignas(64) Shard {
    std::shared_mutex mutex;
  };
  static size_t ownShard() {
    static std::atomic<size_t> threads{0};
    static thread_local const size_t shard = threads.fetch_add(1, std::memory_order_relaxed) % kShards;
    return shard;
  }
  std::array<Shard, kShards> shards_;
  [[no_unique_address]] LockOrder order_;
};

} // namespace hiplz
