// SPDX-License-Identifier: MIT
// Results as files: what is written is read back, and what is no result is refused.
#include "example.h"
#include "roofline/report.h"
#include "roofline/result_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <unistd.h>

namespace hiplz::roofline {
namespace {

using testing::HasSubstr;

TEST(RooflineFiles, JsonComesBackAsItWas) {
  const Result result = exampleResult();
  const std::string text = toJson(result);
  const Result back = fromJson(text, "it");
  EXPECT_EQ(toJson(back), text);
  EXPECT_EQ(back.device.name, result.device.name);
  EXPECT_EQ(back.samples.size(), result.samples.size());
  EXPECT_EQ(back.samples[0].watts, result.samples[0].watts);
  EXPECT_FALSE(back.samples[1].watts);
  EXPECT_EQ(back.levels[0].instances, 2u);
  EXPECT_EQ(back.referenceShare, result.referenceShare);
  EXPECT_EQ(back.notes, result.notes);
}

TEST(RooflineFiles, RefusesWhatIsNoResult) {
  const auto refused = [](const std::string &text) {
    try {
      fromJson(text, "file.json");
    } catch (const FileError &error) {
      return std::string(error.what());
    }
    return std::string("accepted");
  };
  for (const char *text : {"", "{", "[]", "{}", "nonsense", "{\"schema\": 1}", "{\"schema\": \"1\"}"})
    EXPECT_THAT(refused(text), HasSubstr("file.json: ")) << text;
  std::string other = toJson(exampleResult());
  other.replace(other.find("\"schema\": 1"), 11, "\"schema\": 9");
  EXPECT_THAT(refused(other), HasSubstr("schema 9"));
  Result wrong = exampleResult();
  wrong.peaks[0].sample = 1000;
  EXPECT_THAT(refused(toJson(wrong)), HasSubstr("sample 1000"));
  EXPECT_THROW(readFile("/no/such/file"), FileError);
}

TEST(RooflineFiles, CsvHasALineForEachSample) {
  const Result result = exampleResult();
  std::istringstream lines(toCsv(result));
  std::string header, line;
  ASSERT_TRUE(std::getline(lines, header));
  const auto columns = std::ranges::count(header, ',');
  size_t count = 0;
  for (; std::getline(lines, line); ++count) {
    // A comma within quotes is none.
    bool quoted = false;
    long commas = 0;
    for (const char c : line) {
      quoted ^= c == '"';
      commas += c == ',' && !quoted;
    }
    EXPECT_EQ(commas, columns) << line;
  }
  EXPECT_EQ(count, result.samples.size());
}

TEST(RooflineFiles, WritesAsAWholeOrNotAtAll) {
  const std::filesystem::path folder = testing::TempDir() + "roofline_files." + std::to_string(getpid());
  std::filesystem::create_directories(folder);
  const std::string path = folder / "a.json";
  writeFile(path, "one");
  writeFile(path, "two");
  EXPECT_EQ(readFile(path), "two");
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), {}), 1);
  EXPECT_THROW(writeFile(folder / "none" / "a.json", "x"), FileError);
  EXPECT_THROW(writeFile(folder, "x"), FileError);
  std::filesystem::remove_all(folder);
}

TEST(RooflineFiles, SavedResultsBelongToTheDeviceTheyAreOf) {
  const std::filesystem::path folder = testing::TempDir() + "roofline_saved." + std::to_string(getpid());
  setenv("XDG_DATA_HOME", folder.c_str(), 1);
  const Result result = exampleResult();
  const std::string path = savedPath(result.device.uuid);
  EXPECT_EQ(path, folder.string() + "/hiplz/roofline/" + result.device.uuid + ".json");
  EXPECT_FALSE(loadSaved(result.device.uuid, result.device.name));
  std::filesystem::create_directories(std::filesystem::path(path).parent_path());
  writeFile(path, toJson(result));
  EXPECT_TRUE(loadSaved(result.device.uuid, result.device.name));
  EXPECT_FALSE(loadSaved(result.device.uuid, "another device"));
  writeFile(path, "broken");
  EXPECT_FALSE(loadSaved(result.device.uuid, result.device.name));
  unsetenv("XDG_DATA_HOME");
  std::filesystem::remove_all(folder);
}

TEST(RooflineFiles, ReportHasTheFiguresAndTheStudys) {
  const std::string text = asText(exampleResult());
  EXPECT_THAT(text, HasSubstr("250 Gop/s   78.1 % of 320"));
  EXPECT_THAT(text, HasSubstr("0.96 of that"));
  EXPECT_THAT(text, HasSubstr("20.0 W"));
  EXPECT_THAT(text, HasSubstr("the system says 48 KiB"));
  EXPECT_THAT(text, testing::ContainsRegex("mad float +Gop/s +345 \\(368\\) +250"));
  EXPECT_THAT(text, HasSubstr("throughput mad double: failed"));
}

TEST(RooflineFiles, ComparisonShowsWhatChangedByMoreThanTheSpread) {
  const Result before = exampleResult();
  EXPECT_THAT(asComparison(before, before), HasSubstr("\n0 of "));
  Result after = before;
  after.samples[0].value *= 1.5;
  after.peaks[0].value *= 1.5;
  after.samples[1].value *= 1.03; // within spread and drift
  const std::string text = asComparison(before, after);
  EXPECT_THAT(text, HasSubstr("\n1 of "));
  EXPECT_THAT(text, HasSubstr("1.500"));
  // Two devices with nothing in common.
  after.samples.clear();
  after.peaks.clear();
  EXPECT_THAT(asComparison(before, after), HasSubstr("0 of 0"));
}

TEST(RooflineFiles, ADriftThatIsNotKnownIsNoDriftOfZero) {
  Result unknown = exampleResult();
  EXPECT_THAT(asText(unknown), HasSubstr("the clock drifted by 1.0 %"));
  unknown.drift.reset();
  const std::string json = toJson(unknown);
  EXPECT_THAT(json, HasSubstr("\"drift\": null"));
  EXPECT_FALSE(fromJson(json, "text").drift);
  EXPECT_THAT(asText(unknown), HasSubstr("the clock's drift is not known"));
  EXPECT_THAT(asComparison(exampleResult(), unknown),
              HasSubstr("quick run of 2024-01-02T03:04:05Z: the clock's drift"));
  EXPECT_THAT(asComparison(exampleResult(), exampleResult()), testing::Not(HasSubstr("not known")));
}

TEST(RooflineFiles, HeadlinesAreForHiplzInfo) {
  const auto lines = headlines(exampleResult());
  ASSERT_FALSE(lines.empty());
  EXPECT_EQ(lines[0], (std::pair<std::string, std::string>("peak float", "250 GFLOP/s")));
  EXPECT_TRUE(headlines(Result()).empty());
}

} // namespace
} // namespace hiplz::roofline
