// SPDX-License-Identifier: MIT
// The arguments that the program in front of clang's bundler makes of clang's.
#include "tools/offload_bundler/bundler_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

using hiplz::BundlerLine;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(BundlerLine, DeviceFilesAreThoseOfHip) {
  const BundlerLine line({"-type=o", "-bundle-align=4096", "-targets=host-x86_64-unknown-linux,hip-spirv64----generic",
                          "-input=/dev/null", "-input=a.out", "-output=a.hipfb"});
  EXPECT_THAT(line.deviceFiles(), ElementsAre("a.out"));
  EXPECT_THAT(BundlerLine({"--targets=hip-spirv64,host-x86_64", "--input=a", "--input=b"}).deviceFiles(),
              ElementsAre("a"));
}

TEST(BundlerLine, TakingApartAndIncompleteLinesHaveNone) {
  EXPECT_THAT(BundlerLine({"-unbundle", "-targets=hip-spirv64", "-input=a"}).deviceFiles(), IsEmpty());
  EXPECT_THAT(BundlerLine({"--list", "-targets=hip-spirv64", "-input=a"}).deviceFiles(), IsEmpty());
  EXPECT_THAT(BundlerLine({"-targets=hip-spirv64"}).deviceFiles(), IsEmpty());
  EXPECT_THAT(BundlerLine({"-input=a"}).deviceFiles(), IsEmpty());
  EXPECT_THAT(BundlerLine({}).deviceFiles(), IsEmpty());
}

TEST(BundlerLine, AddingKeepsTheRest) {
  BundlerLine line({"-type=o", "-targets=host,hip-spirv64", "-input=x", "-input=y", "-output=z"});
  line.add("hip-spirv64-intel-native--pvc", "n");
  EXPECT_THAT(line.arguments(), ElementsAre("-type=o", "-targets=host,hip-spirv64,hip-spirv64-intel-native--pvc",
                                            "-input=x", "-input=y", "-output=z", "-input=n"));
}
