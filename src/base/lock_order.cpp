// SPDX-License-Identifier: MIT
// The locks that a thread holds, in an array without a destructor, so that they are known until the thread's very end.
#include "base/lock_order.h"

#include <cstdio>
#include <cstdlib>

namespace hiplz {

const char *lockName(LockRank rank) {
  static constexpr const char *kNames[] = {
#define HIPLZ_LOCK(name, ...) #name,
#include "base/locks.def"
#undef HIPLZ_LOCK
  };
  return kNames[static_cast<unsigned>(rank)];
}

#if HIPLZ_CHECK_LOCK_ORDER
namespace {

constexpr unsigned kMostHeld = 32;
struct HeldLocks {
  LockRank ranks[kMostHeld];
  unsigned count;
};
thread_local HeldLocks held;

[[noreturn]] void fail(const char *what, LockRank rank, const char *other) {
  std::fprintf(stderr, "hiplz: lock order: %s %s%s%s\n", lockName(rank), what, *other ? " " : "", other);
  std::abort();
}

} // namespace

void LockOrder::check(LockRank rank) {
  for (unsigned index = 0; index < held.count; ++index)
    if (held.ranks[index] >= rank)
      fail("is taken by a thread that holds", rank, lockName(held.ranks[index]));
}

void LockOrder::push(LockRank rank) {
  if (held.count == kMostHeld)
    fail("is one lock too many for a thread", rank, "");
  held.ranks[held.count++] = rank;
}

void LockOrder::pop(LockRank rank) {
  for (unsigned index = held.count; index-- > 0;)
    if (held.ranks[index] == rank) {
      for (--held.count; index < held.count; ++index)
        held.ranks[index] = held.ranks[index + 1];
      return;
    }
  fail("is released by a thread that does not hold it", rank, "");
}
#endif

} // namespace hiplz
