// SPDX-License-Identifier: MIT
// When a kernel gets the large register file.
#include "lz/module/build.h"

#include <gtest/gtest.h>

namespace hiplz {
namespace {

TEST(RegisterUse, lessSpillingWithTheSameBlocksIsBetter) {
  EXPECT_TRUE(isBetterWithLargeRegisters({4096, 1024}, {0, 1024}, 0));
  EXPECT_TRUE(isBetterWithLargeRegisters({4096, 1024}, {64, 1024}, 0));
}

TEST(RegisterUse, aDeviceWithoutItSpillsAsMuch) {
  EXPECT_FALSE(isBetterWithLargeRegisters({4096, 1024}, {4096, 1024}, 0));
  EXPECT_FALSE(isBetterWithLargeRegisters({4096, 1024}, {8192, 1024}, 0));
}

TEST(RegisterUse, blocksThatCouldBeLaunchedStillCan) {
  EXPECT_FALSE(isBetterWithLargeRegisters({4096, 1024}, {0, 512}, 0));
  EXPECT_FALSE(isBetterWithLargeRegisters({4096, 1024}, {0, 512}, 1024));
}

TEST(RegisterUse, launchBoundsThatFitAllowIt) {
  EXPECT_TRUE(isBetterWithLargeRegisters({4096, 1024}, {0, 512}, 512));
  EXPECT_TRUE(isBetterWithLargeRegisters({4096, 1024}, {0, 512}, 256));
  EXPECT_TRUE(isBetterWithLargeRegisters({4096, 512}, {0, 512}, 1024)); // which the device never had
}

} // namespace
} // namespace hiplz
