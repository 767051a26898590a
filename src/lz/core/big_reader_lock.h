// SPDX-License-Identifier: MIT
// A shared lock for data that is read on hot paths by many threads and written rarely. Each reader takes one of several
// locks, chosen by its thread, so that readers do not fight for one cache line; a writer takes all of them.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <shared_mutex>

namespace hiplz {

/// Meets the requirements of std::unique_lock and std::shared_lock. A shared lock must be released by its own thread.
class BigReaderLock {
public:
  void lock() {
    for (Shard &shard : shards_)
      shard.mutex.lock();
  }
  void unlock() {
    for (Shard &shard : shards_)
      shard.mutex.unlock();
  }
  void lock_shared() { shards_[ownShard()].mutex.lock_shared(); }
  void unlock_shared() { shards_[ownShard()].mutex.unlock_shared(); }

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
};

} // namespace hiplz
