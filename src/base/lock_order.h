// SPDX-License-Identifier: MIT
// The order in which locks are taken. Each lock has a rank, given where it is declared; a thread takes locks in order
// of increasing rank only, so no two threads can wait for each other. Debug builds and those with a sanitizer check
// this whenever a lock is taken; in others a rank costs nothing.
#pragma once
#include "base/sanitizer.h"

#include <cstdint>

#ifndef HIPLZ_CHECK_LOCK_ORDER
#if !defined(NDEBUG) || HIPLZ_ADDRESS_SANITIZER || HIPLZ_THREAD_SANITIZER
#define HIPLZ_CHECK_LOCK_ORDER 1
#else
#define HIPLZ_CHECK_LOCK_ORDER 0
#endif
#endif

namespace hiplz {

/// The locks of the project, in the order in which they are taken (base/locks.def).
enum class LockRank : uint8_t {
#define HIPLZ_LOCK(name, ...) name,
#include "base/locks.def"
#undef HIPLZ_LOCK
};

/// The name of the lock in base/locks.def.
const char *lockName(LockRank rank);

/// A lock's rank. All functions concern the calling thread. Each library that links src/base keeps its
/// own record, which suits a driver: it takes its locks after its caller's, and calls nobody back under them.
class LockOrder {
#if HIPLZ_CHECK_LOCK_ORDER
public:
  constexpr explicit LockOrder(LockRank rank) : rank_(rank) {}

  /// Call before waiting for the lock: the process aborts, with the names of both locks on standard error, if the thread
  /// holds one of the same or a higher rank.
  void taking() const { check(rank_); }
  /// Call when the thread has acquired the lock, and before it releases it.
  void taken() const { push(rank_); }
  void releasing() const { pop(rank_); }
  /// Call before waiting for a condition, which releases the lock and takes it again: it must be the last one taken.
  void waiting() const {
    pop(rank_);
    check(rank_);
    push(rank_);
  }

private:
  static void check(LockRank rank);
  static void push(LockRank rank);
  static void pop(LockRank rank);
  LockRank rank_;
#else
public:
  constexpr explicit LockOrder(LockRank) {}
  void taking() const {}
  void taken() const {}
  void releasing() const {}
  void waiting() const {}
#endif
};

} // namespace hiplz
