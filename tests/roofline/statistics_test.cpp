// SPDX-License-Identifier: MIT
// Repetitions: what is made of them, and when they end.
#include "roofline/statistics.h"

#include <gtest/gtest.h>

namespace hiplz::roofline {
namespace {

TEST(RooflineStatistics, MedianAndQuartilesOfAnyOrder) {
  const Statistics odd = summarize({5, 1, 3, 2, 4});
  EXPECT_DOUBLE_EQ(odd.median, 3);
  EXPECT_DOUBLE_EQ(odd.best, 1);
  EXPECT_DOUBLE_EQ(odd.spread, 2.0 / 3);
  EXPECT_EQ(odd.repetitions, 5u);
  EXPECT_DOUBLE_EQ(summarize({4, 2}).median, 3);
  EXPECT_DOUBLE_EQ(summarize({0, 0}).spread, 0);
}

TEST(RooflineStatistics, RepeatsUntilTheSpreadIsSmall) {
  Effort effort{1, 3, 100, 0.05, 1e9};
  unsigned runs = 0;
  const Statistics steady = repeat([&] { return ++runs, 1.0; }, effort); // three that are alike are enough
  EXPECT_EQ(runs, 3u);
  EXPECT_EQ(steady.repetitions, 3u);
  EXPECT_DOUBLE_EQ(steady.median, 1);
  runs = 0;
  // Times that never agree end with the effort.
  EXPECT_EQ(repeat([&] { return runs++ % 2 ? 1.0 : 3.0; }, effort).repetitions, 100u);
  effort.seconds = 10;
  runs = 0;
  EXPECT_LT(repeat([&] { return runs++ % 2 ? 1.0 : 3.0; }, effort).repetitions, 10u);
}

TEST(RooflineStatistics, CalibratesToTheTargetAndNoFurtherThanTheLimit) {
  const Effort effort{0.01, 1, 1, 1, 1};
  const unsigned iterations = calibrate([](unsigned n) { return n * 1e-6; }, effort, 1u << 28);
  EXPECT_GE(iterations * 1e-6, effort.target / 2);
  EXPECT_LE(iterations * 1e-6, effort.target * 2);
  // The last run has warmed up for the measurement.
  unsigned last = 0;
  EXPECT_EQ(calibrate([&](unsigned n) { return last = n, n * 1e-6; }, effort, 1u << 28), last);
  EXPECT_EQ(calibrate([](unsigned n) { return n * 1e-6; }, effort, 100), 100u);
  // A device that reports no time.
  EXPECT_EQ(calibrate([](unsigned) { return 0.0; }, effort, 1u << 28), 1u << 28);
  EXPECT_EQ(calibrate([](unsigned) { return 5.0; }, effort, 1u << 28), 1u);
}

TEST(RooflineStatistics, CalibrationIgnoresTheFirstRunAndInterruptedOnes) {
  const Effort effort{0.01, 1, 1, 1, 1};
  // The first run compiles the kernel.
  unsigned runs = 0;
  EXPECT_GE(calibrate([&](unsigned n) { return (runs++ ? 0 : 3.0) + n * 1e-6; }, effort, 1u << 28) * 1e-6,
            effort.target / 2);
  // Another program has the processor for a while, now and then; never twice in a row.
  for (unsigned interrupted = 1; interrupted < 6; ++interrupted) {
    runs = 0;
    const unsigned iterations =
        calibrate([&](unsigned n) { return (runs++ == interrupted ? 0.1 : 0) + n * 1e-6; }, effort, 1u << 28);
    EXPECT_GE(iterations * 1e-6, effort.target / 2) << interrupted;
    EXPECT_LE(iterations * 1e-6, effort.target * 2) << interrupted;
  }
}

TEST(RooflineStatistics, DifferencesOfRunsAreThoseOfTheUndisturbedOnes) {
  const std::vector<double> shorter = {1.2, 1.2, 9, 1.21, 1.2, 1.2, 1.2, 6},
                            longer = {3.2, 3.2, 3.2, 3.3, 3.2, 70, 3.2, 3.2};
  ASSERT_TRUE(undisturbedDifference(shorter, longer));
  EXPECT_NEAR(*undisturbedDifference(shorter, longer), 2, 1e-9);
  // Runs that never agree, and those that are not longer at all, tell nothing.
  EXPECT_FALSE(undisturbedDifference({1, 2, 3, 4, 5, 6}, longer));
  EXPECT_FALSE(undisturbedDifference(shorter, {3, 4, 5, 6, 7, 8}));
  EXPECT_FALSE(undisturbedDifference(shorter, shorter));
  EXPECT_FALSE(undisturbedDifference({0, 0, 0}, {0, 0, 0}));
  EXPECT_FALSE(undisturbedDifference({}, {}));
}

TEST(RooflineStatistics, DriftNeedsTwoValues) {
  using Values = std::vector<std::optional<double>>;
  EXPECT_NEAR(*driftOf(Values{2.0, 2.1, std::nullopt, 1.9}), 0.1, 1e-9);
  EXPECT_FALSE(driftOf(Values{2.0, std::nullopt}));
  EXPECT_FALSE(driftOf(Values{}));
}

} // namespace
} // namespace hiplz::roofline
