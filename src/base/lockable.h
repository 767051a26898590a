// SPDX-License-Identifier: MIT
// Data together with the mutex that guards them. The data can only be reached through the mutex, so nobody can forget
// it.
#pragma once
#include "base/mutex.h"

#include <condition_variable>

namespace hiplz {

/// A T that is reached through lock(), and where the mutex can be shared, through lockShared(). M is a mutex type made from
/// a LockRank: Mutex, SharedMutex, BigReaderLock, SpinLock. A const Lockable gives a const T.
template <class T, class M = Mutex> class Lockable {
public:
  /// The other arguments are T's.
  template <class... Arguments>
  constexpr explicit Lockable(LockRank rank, Arguments &&...arguments)
      : mutex_(rank), value_{std::forward<Arguments>(arguments)...} {}
  Lockable(const Lockable &) = delete;
  Lockable &operator=(const Lockable &) = delete;

  /// Like a pointer to the data, which it keeps locked until it is destroyed. Stays where it was made; belongs to one
  /// thread. A reference to the data must not outlive it.
  template <class Value> class [[nodiscard]] Guard {
  public:
    Guard(const Guard &) = delete;
    Guard &operator=(const Guard &) = delete;
    ~Guard() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
      if (held_)
        mutex_.unlock();
    }

    Value *operator->() const { return &value_; }
    Value &operator*() const { return value_; }

    /// Releases the lock early; until lock() the data are off limits, apart from conditions to notify.
    void unlock() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
      held_ = false;
      mutex_.unlock();
    }
    void lock() HIPLZ_NO_THREAD_SAFETY_ANALYSIS {
      mutex_.lock();
      held_ = true;
    }

    /// Releases the lock, sleeps until the condition is notified or the time is up, and takes the lock again: like the
    /// methods of std::condition_variable, with or without a predicate. The lock must be the last one that the thread
    /// has taken.
    template <class... Predicate> void wait(std::condition_variable &condition, Predicate... predicate) {
      waiting([&](auto &mutex) { condition.wait(mutex, predicate...); });
    }
    template <class Duration, class... Predicate>
    void waitFor(std::condition_variable &condition, const Duration &duration, Predicate... predicate) {
      waiting([&](auto &mutex) { condition.wait_for(mutex, duration, predicate...); });
    }
    template <class Time, class... Predicate>
    void waitUntil(std::condition_variable &condition, const Time &time, Predicate... predicate) {
      waiting([&](auto &mutex) { condition.wait_until(mutex, time, predicate...); });
    }

  private:
    friend class Lockable;
    Guard(M &mutex, Value &value) HIPLZ_NO_THREAD_SAFETY_ANALYSIS : mutex_(mutex), value_(value) { mutex_.lock(); }
    template <class Wait> void waiting(Wait wait) HIPLZ_NO_THREAD_SAFETY_ANALYSIS { waitLocked(mutex_, wait); }
    M &mutex_; // non-owning, as is the value
    Value &value_;
    bool held_ = true;
  };

  /// The same for readers, who do not exclude each other.
  class [[nodiscard]] SharedGuard {
  public:
    SharedGuard(const SharedGuard &) = delete;
    SharedGuard &operator=(const SharedGuard &) = delete;
    ~SharedGuard() HIPLZ_NO_THREAD_SAFETY_ANALYSIS { mutex_.unlock_shared(); }

    const T *operator->() const { return &value_; }
    const T &operator*() const { return value_; }

  private:
    friend class Lockable;
    SharedGuard(M &mutex, const T &value) HIPLZ_NO_THREAD_SAFETY_ANALYSIS : mutex_(mutex), value_(value) {
      mutex_.lock_shared();
    }
    M &mutex_; // non-owning, as is the value
    const T &value_;
  };

  Guard<T> lock() { return {mutex_, value_}; }
  Guard<const T> lock() const { return {mutex_, value_}; }
  SharedGuard lockShared() const { return {mutex_, value_}; }

private:
  mutable M mutex_;
  T value_;
};

} // namespace hiplz
