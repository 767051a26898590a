// SPDX-License-Identifier: MIT
// Pictures: which there are, that they are well-formed as far as text can tell, and that both kinds of pages can show them.
#include "example.h"
#include "roofline/chart.h"
#include "roofline/pictures.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <regex>
#include <set>

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

// The letters of all labels, as places of their middles.
struct Letters {
  std::string label;
  std::vector<std::pair<double, double>> places;
};

std::vector<Letters> lettersOf(const std::string &svg) {
  static const std::regex label(
      R"x(<text x="([-0-9.]+)" y="([-0-9.]+)" class="[^"]*\bl"[^>]*?(?: transform="rotate\(([-0-9.]+) [^"]*")?>([^<]*)</text>)x");
  std::vector<Letters> all;
  for (std::sregex_iterator at(svg.begin(), svg.end(), label), end; at != end; ++at) {
    const double angle = (*at)[3].matched ? std::stod((*at)[3]) * M_PI / 180 : 0;
    Letters letters = {(*at)[4], {}};
    for (size_t i = 0; i < letters.label.size(); ++i)
      letters.places.emplace_back(std::stod((*at)[1]) + 7 * (static_cast<double>(i) + 0.5) * std::cos(angle),
                                  std::stod((*at)[2]) + 7 * (static_cast<double>(i) + 0.5) * std::sin(angle));
    all.push_back(std::move(letters));
  }
  return all;
}

TEST(RooflinePictures, LabelsStayApartAndInsideTheFrame) {
  Result result = exampleResult();
  // Roofs that nearly lie on each other, and points on top of them.
  result.levels = {{"L1", 48 << 10, 2, "latency", 1.5, 300},
                   {"L2", 2 << 20, 2, "latency", 4, 130},
                   {"L3", 32 << 20, 1, "latency", 20, 115},
                   {"memory", 0, 1, "latency", 90, 38}};
  result.peaks = {{"mad", "float", 420, 0, "", 0}, {"add", "float", 214, 0, "", 0}, {"mad", "double", 211, 0, "", 0}};
  const std::string svg = byName(result).at("roofline-cache-aware.svg");
  const std::vector<Letters> labels = lettersOf(svg);
  EXPECT_GE(labels.size(), 7u);
  for (const Letters &label : labels)
    for (const auto &[x, y] : label.places) {
      EXPECT_TRUE(x > 70 && x < 630 && y > 64 && y < 430) << label.label;
      for (const Letters &other : labels)
        if (&other != &label)
          for (const auto &[x2, y2] : other.places)
            EXPECT_GT(std::hypot(x2 - x, y2 - y), 9) << label.label << " and " << other.label;
    }
}

TEST(RooflinePictures, MeasurementsThatScatterAreNamedAndNotDrawn) {
  Result result = exampleResult();
  result.samples[0].time.spread = 0.4; // the peak
  const std::string svg = byName(result).at("roofline.svg");
  EXPECT_THAT(svg, HasSubstr("not drawn, as repetitions differ too much: float mad"));
  EXPECT_THAT(svg, Not(HasSubstr("float mad 250 Gop/s")));
  EXPECT_THAT(svg, HasSubstr("memory 12 GB/s"));
}

TEST(RooflinePictures, PointsOfEachDataSetHaveAMarkerOfTheirOwn) {
  const std::string svg = byName(exampleResult()).at("roofline-cache-aware.svg");
  EXPECT_THAT(svg, HasSubstr("<circle class=\"i\"")); // 1 MiB, 256 MiB and 32 KiB
  EXPECT_THAT(svg, HasSubstr("l4.5 8h-9z"));
  EXPECT_THAT(svg, HasSubstr("h7v7h-7z"));
}

TEST(RooflinePictures, EightDataSetsHaveEightMarkers) {
  Chart chart("title", {"x", 1, 10, false}, {"y", 1, 10, false});
  constexpr unsigned kSets = 8;
  for (unsigned set = 0; set < kSets; ++set)
    chart.legendOfDots(set, "set");
  const std::string svg = chart.svg();
  const std::regex outline("<(?:circle class=\"i\" cx|path class=\"i\" d)=\"[^\"]*\"");
  std::set<std::string> shapes;
  for (std::sregex_iterator at(svg.begin(), svg.end(), outline), end; at != end; ++at)
    shapes.insert(at->str());
  EXPECT_EQ(shapes.size(), kSets);
}

TEST(RooflinePictures, BytesAsPeopleReadThem) {
  EXPECT_EQ(bytesText(512), "512 B");
  EXPECT_EQ(bytesText(48 * 1024), "48 KiB");
  EXPECT_EQ(bytesText(1.5 * 1024 * 1024), "1.5 MiB");
}

} // namespace
} // namespace hiplz::roofline
