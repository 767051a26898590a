// SPDX-License-Identifier: MIT
// Pictures: which there are, that they are well-formed as far as text can tell, and that both kinds of pages can show them.
#include "example.h"
#include "roofline/chart.h"
#include "roofline/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace hiplz::roofline {
namespace {

using testing::HasSubstr;
using testing::Not;

std::map<std::string, std::string> byName(const Result &result) {
  std::map<std::string, std::string> all;
  for (const Picture &picture : pictures(result))
    all[picture.file] = picture.svg;
  return all;
}

TEST(RooflinePictures, ShowRoofsWithTheirFigures) {
  const auto all = byName(exampleResult());
  ASSERT_TRUE(all.contains("roofline.svg"));
  ASSERT_TRUE(all.contains("roofline-cache-aware.svg"));
  EXPECT_THAT(all.at("roofline.svg"), HasSubstr("memory 12 GB/s"));
  EXPECT_THAT(all.at("roofline.svg"), Not(HasSubstr("L1 300 GB/s")));
  EXPECT_THAT(all.at("roofline.svg"), HasSubstr("float mad 250 Gop/s"));
  EXPECT_THAT(all.at("roofline-cache-aware.svg"), HasSubstr("L1 300 GB/s"));
  EXPECT_THAT(all.at("roofline-cache-aware.svg"), HasSubstr("dependent 60 Gop/s"));
  EXPECT_TRUE(all.contains("bandwidth.svg"));
  EXPECT_TRUE(all.contains("latency.svg"));
  EXPECT_TRUE(all.contains("copies.svg"));
}

TEST(RooflinePictures, AreReadableOnLightAndDarkPagesAndEscapeNames) {
  for (const auto &[name, svg] : byName(exampleResult())) {
    EXPECT_THAT(svg, HasSubstr("prefers-color-scheme:dark")) << name;
    EXPECT_THAT(svg, HasSubstr("A &lt;device&gt; &amp; &quot;more&quot;")) << name;
    EXPECT_THAT(svg, Not(HasSubstr("nan"))) << name;
    EXPECT_THAT(svg, Not(HasSubstr("inf"))) << name;
  }
}

TEST(RooflinePictures, AreOnlyThoseThatHaveMeasurements) {
  EXPECT_TRUE(pictures(Result()).empty());
  Result result = exampleResult();
  std::erase_if(result.samples, [](const Sample &sample) { return sample.section != "latency"; });
  result.peaks.clear();
  const auto all = byName(result);
  EXPECT_EQ(all.size(), 1u);
  EXPECT_TRUE(all.contains("latency.svg"));
}

TEST(RooflinePictures, BytesAsPeopleReadThem) {
  EXPECT_EQ(bytesText(512), "512 B");
  EXPECT_EQ(bytesText(48 * 1024), "48 KiB");
  EXPECT_EQ(bytesText(1.5 * 1024 * 1024), "1.5 MiB");
}

} // namespace
} // namespace hiplz::roofline
