// SPDX-License-Identifier: MIT
// Mutexes that the compiler and, in debug builds, the lock order know about. A separate mutex is for what Lockable
// (base/lockable.h) does not fit; the data are then marked HIPLZ_GUARDED_BY.
#pragma once
#include "base/lock_order.h"
#include "base/thread_annotations.h"

#include <condition_variable>
#include <mutex>
#include <shared_mutex>
#include <utility>

namespace hiplz {

/// Any standard mutex with a rank. Not recursive. Taken through Lock and SharedLock.
template <class Standard> class HIPLZ_CAPABILITY("mutex") BasicMutex {
public:
  constexpr explicit BasicMutex(LockRank rank) : order_(rank) {}
  BasicMutex(const BasicMutex &) = delete;
  BasicMutex &operator=(const BasicMutex &) = delete;

  void lock() HIPLZ_ACQUIRE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.taking();
    standard_.lock();
    order_.taken();
  }
  void unlock() HIPLZ_RELEASE() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.releasing();
    standard_.unlock();
  }
  void lock_shared() HIPLZ_ACQUIRE_SHARED() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.taking();
    standard_.lock_shared();
    order_.taken();
  }
  void unlock_shared() HIPLZ_RELEASE_SHARED() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
    order_.releasing();
    standard_.unlock_shared();
  }

  /// For waits alone: the mutex inside, which the caller holds.
  Standard &waiting() HIPLZ_REQUIRES(this) {
    order_.waiting();
    return standard_;
  }

private:
  Standard standard_;
  [[no_unique_address]] LockOrder order_;
};

using Mutex = BasicMutex<std::mutex>;
using SharedMutex = BasicMutex<std::shared_mutex>;

/// Calls wait(std::unique_lock<std::mutex> &) for a mutex that the caller holds: what std::condition_variable needs.
template <class Wait> void waitLocked(Mutex &mutex, Wait wait) noexcept HIPLZ_REQUIRES(mutex) {
  std::unique_lock<std::mutex> standard(mutex.waiting(), std::adopt_lock);
  wait(standard);
  standard.release();
}

/// Holds a mutex, of any type with lock() and unlock(), until it is destroyed.
template <class M> class HIPLZ_SCOPED_CAPABILITY Lock {
public:
  explicit Lock(M &mutex) HIPLZ_ACQUIRE(mutex) : mutex_(mutex) { mutex.lock(); }
  Lock(const Lock &) = delete;
  Lock &operator=(const Lock &) = delete;
  ~Lock() HIPLZ_RELEASE() {
    if (held_)
      mutex_.unlock();
  }

  /// Releases the mutex early, and takes it again.
  void unlock() HIPLZ_RELEASE() {
    held_ = false;
    mutex_.unlock();
  }
  void lock() HIPLZ_ACQUIRE() {
    mutex_.lock();
    held_ = true;
  }

private:
  M &mutex_; // non-owning
  bool held_ = true;
};

/// Holds a mutex shared with other readers.
template <class M> class HIPLZ_SCOPED_CAPABILITY SharedLock {
public:
  explicit SharedLock(M &mutex) HIPLZ_ACQUIRE_SHARED(mutex) : mutex_(mutex) { mutex.lock_shared(); }
  SharedLock(const SharedLock &) = delete;
  SharedLock &operator=(const SharedLock &) = delete;
  ~SharedLock() HIPLZ_RELEASE_GENERIC() { mutex_.unlock_shared(); }

private:
  M &mutex_; // non-owning
};

} // namespace hiplz
