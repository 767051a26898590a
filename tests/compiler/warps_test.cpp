// SPDX-License-Identifier: MIT
// Warps on fibers: the order of turns, barriers that some warps do not reach, and memory for states.
#include "cpu/exec/fiber_group.h"
#include "cpu/exec/warp_group.h"

#include <gtest/gtest.h>

#include <csetjmp>
#include <vector>

namespace hiplz::cpu {
namespace {

class Warps : public testing::Test {
public: // the functions of warps are free functions
  ~Warps() override { destroyFibers(worker_); }

  /// Runs `count` warps with states in the worker's memory.
  void run(WarpFunction function, uint32_t count, uint32_t stackBytes = 0) {
    constexpr uint32_t kStride = sizeof(WarpState);
    auto *states = reinterpret_cast<WarpState *>(hiplz_cpu_warp_memory(&worker_, uint64_t(count) * kStride));
    ASSERT_EQ(reinterpret_cast<uintptr_t>(states) % 64, 0u);
    for (uint32_t i = 0; i < count; ++i) {
      states[i] = {};
      states[i].worker = &worker_;
      states[i].firstLinear = i;
      states[i].firstId[0] = 32 * i;
      states[i].launch = reinterpret_cast<const LaunchState *>(this);
    }
    hiplz_cpu_run_warps(function, states, kStride, count, stackBytes);
  }

  static Warps &of(WarpState *warp) { return *reinterpret_cast<Warps *>(const_cast<LaunchState *>(warp->launch)); }

  WorkerState worker_{};
  std::vector<uint32_t> log_;
  uint32_t arrived_ = 0;
  std::jmp_buf outside_;
};

TEST_F(Warps, TakeTurnsFromBarrierToBarrier) {
  run(
      [](WarpState *warp) {
        for (uint32_t phase = 0; phase < 3; ++phase) {
          of(warp).log_.push_back(10 * phase + warp->firstLinear);
          hiplz_cpu_warp_barrier(warp);
        }
      },
      3);
  EXPECT_EQ(log_, (std::vector<uint32_t>{0, 1, 2, 10, 11, 12, 20, 21, 22}));
}

TEST_F(Warps, ThatEndAreNotWaitedFor) {
  run(
      [](WarpState *warp) {
        for (uint32_t phase = 0; phase < warp->firstLinear % 4; ++phase) {
          of(warp).log_.push_back(10 * phase + warp->firstLinear);
          hiplz_cpu_warp_barrier(warp);
        }
      },
      5);
  EXPECT_EQ(log_, (std::vector<uint32_t>{1, 2, 3, 12, 13, 23}));
}

TEST_F(Warps, SeeEverythingWrittenBeforeTheBarrier) {
  run(
      [](WarpState *warp) {
        Warps &test = of(warp);
        for (uint32_t phase = 1; phase <= 50; ++phase) {
          ++test.arrived_;
          hiplz_cpu_warp_barrier(warp);
          EXPECT_EQ(test.arrived_, 32 * phase);
          hiplz_cpu_warp_barrier(warp);
        }
      },
      32);
  EXPECT_EQ(arrived_, 32 * 50u);
}

TEST_F(Warps, BarrierOfOneWarpIsPassed) {
  run(
      [](WarpState *warp) {
        hiplz_cpu_warp_barrier(warp);
        of(warp).log_.push_back(7);
      },
      1);
  EXPECT_EQ(log_, std::vector<uint32_t>{7});
}

// The first waits for what the last writes, while those between are at a barrier.
TEST_F(Warps, ThatWaitLetTheOthersRun) {
  run(
      [](WarpState *warp) {
        Warps &test = of(warp);
        for (uint32_t phase = 1; phase <= 3; ++phase) {
          if (warp->firstLinear == 0)
            while (test.arrived_ < phase)
              hiplz_cpu_warp_yield(warp);
          test.log_.push_back(10 * phase + warp->firstLinear);
          if (warp->firstLinear == 3)
            ++test.arrived_;
          hiplz_cpu_warp_barrier(warp);
        }
      },
      4);
  EXPECT_EQ(log_, (std::vector<uint32_t>{11, 12, 13, 10, 21, 22, 23, 20, 31, 32, 33, 30}));
}

// A warp that is at a barrier stays there although others yield, and goes on when the last of those ends.
TEST_F(Warps, StayAtTheBarrierWhileOthersWait) {
  run(
      [](WarpState *warp) {
        Warps &test = of(warp);
        if (warp->firstLinear == 1) {
          hiplz_cpu_warp_barrier(warp);
          EXPECT_EQ(test.arrived_, 2u);
          return;
        }
        for (uint32_t turn = 0; turn < 200; ++turn) // more than a work-group takes before it lets other threads run
          hiplz_cpu_warp_yield(warp);
        ++test.arrived_;
      },
      3);
  EXPECT_EQ(arrived_, 2u);
}

// A warp that takes a turn goes on when the others have come as far, or are at a barrier.
TEST_F(Warps, ThatTakeTurnsComeEquallyFar) {
  run(
      [](WarpState *warp) {
        Warps &test = of(warp);
        test.log_.push_back(warp->firstLinear);
        if (warp->firstLinear != 1)
          hiplz_cpu_warp_turn(warp);
        test.log_.push_back(10 + warp->firstLinear);
        hiplz_cpu_warp_barrier(warp);
        test.log_.push_back(20 + warp->firstLinear);
      },
      3);
  EXPECT_EQ(log_, (std::vector<uint32_t>{0, 1, 11, 2, 10, 12, 20, 21, 22}));
}

TEST_F(Warps, TellTheWorkerWhereTheyAre) {
  run(
      [](WarpState *warp) {
        for (int phase = 0; phase < 2; ++phase) {
          EXPECT_EQ(warp->worker->localId[0], 32 * warp->firstLinear);
          hiplz_cpu_warp_barrier(warp);
        }
      },
      4);
  EXPECT_EQ(worker_.localId[0], 0u);
}

TEST_F(Warps, HaveTheStackThatTheyAskFor) {
  constexpr uint32_t kBytes = 1 << 20;
  run(
      [](WarpState *warp) {
        volatile char array[kBytes];
        for (uint32_t i = 0; i < kBytes; i += 4096)
          array[i] = static_cast<char>(warp->firstLinear);
        hiplz_cpu_warp_barrier(warp);
        for (uint32_t i = 0; i < kBytes; i += 4096)
          EXPECT_EQ(array[i], static_cast<char>(warp->firstLinear));
      },
      8, kBytes);
}

TEST_F(Warps, CanBeLeftInTheMiddle) {
  // As the handler of faults does. Then the owner of the worker destroys the fibers, and the next launch begins afresh.
  for (int round = 0; round < 3; ++round) {
    if (_setjmp(outside_) == 0)
      run(
          [](WarpState *warp) {
            hiplz_cpu_warp_barrier(warp);
            if (warp->firstLinear == 2)
              _longjmp(of(warp).outside_, 1);
            of(warp).log_.push_back(warp->firstLinear);
            hiplz_cpu_warp_barrier(warp);
          },
          4);
    destroyFibers(worker_);
    EXPECT_EQ(worker_.warps, nullptr);
    EXPECT_EQ(log_, (std::vector<uint32_t>{0, 1}));
    log_.clear();
  }
}

} // namespace
} // namespace hiplz::cpu
