// SPDX-License-Identifier: MIT
// The scheduler with 2 to 256 workers, in virtual time: nothing that is measured depends on the machine that the test runs on. The
// limits are a tenth above what the scheduler reaches (docs/performance.md), so that a word that all workers write shows.
#include "launches.h"

#include <gtest/gtest.h>

#include <cmath>

using namespace hiplz::simulation;

namespace {

constexpr uint64_t kGroupsEach = 64;       // work-groups for each worker
constexpr uint64_t kLongPause = 1'000'000; // all workers sleep

struct Limits {
  unsigned workers;
  double warm, cold; // time over the least possible time
};

class Workers : public testing::TestWithParam<Limits> {
protected:
  Machine machine(uint64_t seed) const { return {GetParam().workers, GetParam().workers >= 64 ? 2u : 1u, seed}; }
  static double ratio(const Outcome &outcome) {
    return static_cast<double>(outcome.time) / static_cast<double>(outcome.least);
  }
};

TEST_P(Workers, LaunchOneKernelAfterTheOther) {
  for (uint64_t seed : {0, 1, 2}) {
    const Outcome outcome = simulate(machine(seed), {.groups = GetParam().workers * kGroupsEach, .count = 6});
    EXPECT_TRUE(outcome.complete);
    EXPECT_LE(ratio(outcome), GetParam().warm) << "seed " << seed;
  }
}

TEST_P(Workers, WakeEachOther) {
  for (uint64_t seed : {0, 1, 2}) {
    const Outcome outcome =
        simulate(machine(seed), {.groups = GetParam().workers * kGroupsEach, .count = 3, .pause = kLongPause});
    EXPECT_TRUE(outcome.complete);
    EXPECT_LE(ratio(outcome), GetParam().cold) << "seed " << seed;
    EXPECT_LE(outcome.counts.mostWakesByOne, 2u);
    EXPECT_LE(outcome.counts.depth, 2 * std::log2(GetParam().workers));
  }
}

TEST_P(Workers, KeepTheirPartsFromLaunchToLaunch) {
  const Outcome outcome = simulate(machine(1), {.groups = GetParam().workers * kGroupsEach, .count = 6});
  EXPECT_GE(outcome.sameProcessor, 0.85);
}

INSTANTIATE_TEST_SUITE_P(Scheduler, Workers,
                         testing::Values(Limits{2, 1.05, 1.05}, Limits{4, 1.05, 1.06}, Limits{8, 1.05, 1.08},
                                         Limits{16, 1.06, 1.10}, Limits{32, 1.08, 1.15}, Limits{64, 1.15, 1.20},
                                         Limits{128, 1.27, 1.32}, Limits{256, 1.60, 1.60}),
                         [](const auto &each) { return std::to_string(each.param.workers); });

// The first launch touches each page first, so a page is on the node whose worker executed the work-group then.
TEST(Nodes, LaterLaunchesFindTheirPagesNearby) {
  for (const Machine &machine : {Machine{16, 2, 1}, Machine{64, 4, 1}, Machine{96, 8, 2}}) {
    const uint64_t groups = machine.processors * kGroupsEach;
    const Outcome warm = simulate(machine, {.groups = groups, .count = 8});
    EXPECT_GE(warm.sameNode, 0.95) << machine.processors << " processors, " << machine.nodes << " nodes";
    const Outcome cold = simulate(machine, {.groups = groups, .count = 4, .pause = kLongPause});
    EXPECT_GE(cold.sameNode, 0.9) << machine.processors << " processors, " << machine.nodes << " nodes";
  }
}

// Work-groups of different length: those who are done early help others, of their own node first.
TEST(Nodes, HelpersBeginWithTheirNode) {
  const Outcome outcome = simulate({32, 2, 1}, {.groups = 32 * kGroupsEach, .count = 6, .slowEvery = 7});
  EXPECT_TRUE(outcome.complete);
  EXPECT_GE(outcome.sameNode, 0.9);
  EXPECT_LE(static_cast<double>(outcome.time) / static_cast<double>(outcome.least), 1.3);
}

} // namespace
