// SPDX-License-Identifier: MIT
// The check of the lock order, which only debug builds and those with a sanitizer have: this program turns it on for itself.
#include "base/lockable.h"
#include "cpu/exec/futex.h"
#include "lz/core/big_reader_lock.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

using namespace hiplz;

namespace {

constexpr LockRank kFirst = LockRank::registry, kSecond = LockRank::memoryPool, kThird = LockRank::stream;

class LockOrderTest : public testing::Test {
protected:
  LockOrderTest() { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
  Mutex first_{kFirst}, second_{kSecond}, third_{kThird}, otherThird_{kThird};
};
using LockOrderDeathTest = LockOrderTest;

template <class M> void takeBothExclusively() {
  M lower(kFirst), higher(kThird);
  Lock one(higher);
  Lock other(lower);
}
template <class M> void takeBothShared() {
  M lower(kFirst), higher(kThird);
  SharedLock one(higher);
  SharedLock other(lower);
}

constexpr char kMessage[] = "lock order: registry is taken by a thread that holds stream";

} // namespace

TEST_F(LockOrderTest, locksOfGrowingRankMayBeHeldTogether) {
  Lock a(first_);
  Lock b(second_);
  Lock c(third_);
}

TEST_F(LockOrderTest, aReleasedLockCountsNoLonger) {
  { Lock c(third_); }
  Lock a(first_);
  Lock c(third_);
  c.unlock();
  Lock b(second_);
  c.lock();
}

TEST_F(LockOrderTest, locksMayBeReleasedInAnyOrder) {
  Lock a(first_);
  Lock b(second_);
  Lock c(third_);
  a.unlock();
  c.unlock();
  Lock other(otherThird_);
}

TEST_F(LockOrderTest, eachThreadHasItsOwnOrder) {
  Lock c(third_);
  std::thread([this] { Lock a(first_); }).join();
}

TEST_F(LockOrderTest, aConditionIsWaitedForWithTheLastLock) {
  Lockable<std::condition_variable> condition{kThird};
  Lock a(first_);
  auto guard = condition.lock();
  guard.waitFor(*guard, std::chrono::microseconds(1));
  guard.unlock();
  Lock b(second_); // the wait has left nothing behind
}

TEST_F(LockOrderDeathTest, aLowerRankAbortsWithBothNames) {
  EXPECT_DEATH(takeBothExclusively<Mutex>(), kMessage);
  EXPECT_DEATH(takeBothExclusively<SharedMutex>(), kMessage);
  EXPECT_DEATH(takeBothExclusively<BigReaderLock>(), kMessage);
  EXPECT_DEATH(takeBothExclusively<cpu::SpinLock>(), kMessage);
}

TEST_F(LockOrderDeathTest, readersAreCheckedToo) {
  EXPECT_DEATH(takeBothShared<SharedMutex>(), kMessage);
  EXPECT_DEATH(takeBothShared<BigReaderLock>(), kMessage);
}

TEST_F(LockOrderDeathTest, anEqualRankAborts) {
  EXPECT_DEATH(
      {
        Lock c(third_);
        Lock other(otherThird_);
      },
      "lock order: stream is taken by a thread that holds stream");
}

TEST_F(LockOrderDeathTest, lockablesAreChecked) {
  Lockable<int> lower(kFirst, 0), higher(kThird, 0);
  EXPECT_DEATH(
      {
        const auto one = higher.lock();
        const auto other = lower.lock();
      },
      kMessage);
}

TEST_F(LockOrderDeathTest, waitingWithALockBelowAnotherAborts) {
  Lockable<std::condition_variable> condition{kFirst};
  EXPECT_DEATH(
      {
        auto guard = condition.lock();
        Lock c(third_);
        guard.waitFor(*guard, std::chrono::microseconds(1));
      },
      kMessage);
}
