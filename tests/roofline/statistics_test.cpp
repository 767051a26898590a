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

} // namespace
} // namespace hiplz::roofline
