// SPDX-License-Identifier: MIT
// hiplz-prof's roofline without a device: which roof bounds a kernel, and the tables of counts.
#include "base/temporary_folder.h"
#include "prof/tool/roofline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <sstream>

namespace hiplz::prof {
namespace {

using testing::HasSubstr;

roofline::Result roofs() {
  roofline::Result result;
  result.device.name = "A device";
  result.peaks = {{"add", "float", 50, 0, "", 0}, {"mad", "float", 100, 0, "", 0}, {"mad", "double", 50, 0, "", 0}};
  result.levels = {{"L1", 1 << 15, 1, "latency", 1, 400},
                   {"L2", 1 << 20, 1, "latency", 1, 100},
                   {"memory", 0, 1, "latency", 90, 10}};
  return result;
}

KernelSummary timed(uint64_t nanoseconds, uint64_t launches = 1) {
  KernelSummary kernel{};
  kernel.name = kernel.mangled = "k";
  for (uint64_t launch = 0; launch < launches; ++launch)
    kernel.time.add(nanoseconds);
  return kernel;
}

KernelCounts counted(std::initializer_list<std::pair<counts::Counter, uint64_t>> values) {
  KernelCounts counts;
  counts.kernel = "k";
  counts.counters[counts::launches] = 1;
  for (const auto &[counter, value] : values)
    counts.counters[counter] = value;
  return counts;
}

PlacedKernel place(const KernelSummary &kernel, const KernelCounts &counts) {
  const roofline::Result all = roofs();
  return placeKernels({kernel}, {counts}, &all).kernels.at(0);
}

TEST(ProfilerRoofline, AKernelIsBoundByTheFirstRoofThatItHasNotPassed) {
  // A quarter of an operation for each byte: roofs at 2.5, 25 and 100 Gop/s.
  const KernelCounts counts = counted({{counts::floatOperations, 1000}, {counts::globalLoaded, 4000}});
  const auto roofAt = [&](uint64_t nanoseconds) { return place(timed(nanoseconds), counts); };
  EXPECT_EQ(roofAt(500).roof, "memory"); // 2 Gop/s
  EXPECT_DOUBLE_EQ(roofAt(500).share, 0.8);
  EXPECT_DOUBLE_EQ(roofAt(500).gigaOps, 2);
  EXPECT_DOUBLE_EQ(roofAt(500).gigaBytes, 8);
  EXPECT_EQ(roofAt(390).roof, "memory"); // hardly above it
  EXPECT_EQ(roofAt(200).roof, "L2");
  EXPECT_EQ(roofAt(20).roof, "float mad"); // that of the L1 is not lower
  EXPECT_DOUBLE_EQ(roofAt(20).share, 0.5);
}

TEST(ProfilerRoofline, AnIntensityBehindTheKneeIsBoundByThePeak) {
  const PlacedKernel kernel =
      place(timed(100), counted({{counts::doubleOperations, 1000}, {counts::globalStored, 100}}));
  EXPECT_EQ(kernel.roof, "double mad");
  EXPECT_DOUBLE_EQ(kernel.share, 10.0 / 50);
  const PlacedKernel noBytes = place(timed(100), counted({{counts::floatOperations, 1000}}));
  EXPECT_EQ(noBytes.roof, "float mad");
  EXPECT_EQ(noBytes.intensity, 0);
}

TEST(ProfilerRoofline, KernelsWithoutOperationsAreComparedByBandwidth) {
  const PlacedKernel kernel = place(timed(100), counted({{counts::globalLoaded, 400},
                                                         {counts::globalStored, 400},
                                                         {counts::localLoaded, 100},
                                                         {counts::linesLoaded, 3},
                                                         {counts::linesStored, 2}}));
  EXPECT_EQ(kernel.type, "");
  EXPECT_DOUBLE_EQ(kernel.gigaBytes, 9);
  EXPECT_DOUBLE_EQ(kernel.memoryBytes, 5 * 64);
  EXPECT_EQ(kernel.roof, "memory");
  EXPECT_DOUBLE_EQ(kernel.share, 0.9);
}

TEST(ProfilerRoofline, IntegersCountOnlyWhereNothingElseDoes) {
  const PlacedKernel mixed =
      place(timed(100), counted({{counts::floatOperations, 10}, {counts::integerOperations, 500}}));
  EXPECT_EQ(mixed.type, "float");
  EXPECT_DOUBLE_EQ(mixed.operations, 10);
  const PlacedKernel integers =
      place(timed(100), counted({{counts::integerOperations, 500}, {counts::globalLoaded, 100}}));
  EXPECT_EQ(integers.type, "int");
  EXPECT_DOUBLE_EQ(integers.operations, 500);
}

TEST(ProfilerRoofline, OtherNumbersOfLaunchesScaleTheCountsAndAreTold) {
  const roofline::Result all = roofs();
  const KernelCounts counts = counted({{counts::floatOperations, 100}, {counts::globalLoaded, 100}});
  const ProgramRoofline program = placeKernels({timed(100, 3)}, {counts}, &all);
  EXPECT_DOUBLE_EQ(program.kernels.at(0).operations, 300);
  EXPECT_DOUBLE_EQ(program.kernels.at(0).gigaOps, 1);
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_THAT(program.notes[0], HasSubstr("3 times when it was timed and 1 times when it was counted"));
  EXPECT_THAT(placeKernels({timed(1)}, {}, &all).notes.at(0), HasSubstr("no counts of k"));
}

TEST(ProfilerRoofline, WithoutRoofsThereAreRatesAndNoShare) {
  const ProgramRoofline program = placeKernels({timed(100)}, {counted({{counts::floatOperations, 100}})}, nullptr);
  EXPECT_EQ(program.kernels.at(0).roof, "");
  EXPECT_DOUBLE_EQ(program.kernels.at(0).gigaOps, 1);
}

TEST(ProfilerRoofline, PicturesHaveTheKernelsThatCompute) {
  const roofline::Result all = roofs();
  const ProgramRoofline program =
      placeKernels({timed(100)}, {counted({{counts::floatOperations, 100}, {counts::localLoaded, 100}})}, &all);
  EXPECT_THAT(drawRoofline(program, all, true), HasSubstr("1 k: 1 Gop/s"));
  EXPECT_EQ(drawRoofline(program, all, false), ""); // none of its bytes are global
  const ProgramRoofline touching =
      placeKernels({timed(100, 2)}, {counted({{counts::floatOperations, 640}, {counts::linesLoaded, 1}})}, &all);
  EXPECT_DOUBLE_EQ(touching.kernels.at(0).memoryBytes, 2 * 64); // of each launch
  EXPECT_THAT(drawRoofline(touching, all, false), HasSubstr("1 k: 6.4 Gop/s"));
}

class ProfilerCounts : public testing::Test {
protected:
  TemporaryFolder folder_{TemporaryFolder::pattern("hiplz-counts")};
  std::string path(const std::string &name) const { return folder_.path() + "/" + name; }
  void write(const std::string &name, const std::string &text) const {
    std::ofstream(path(name), std::ios::binary) << text;
  }
  static std::string page(const std::string &kernel, uint64_t launches, uint64_t operations) {
    std::string bytes(counts::kPageBytes, '\0');
    counts::Page page{};
    std::memcpy(page.magic, counts::Page::kMagic, sizeof page.magic);
    page.counters[counts::launches] = launches;
    page.counters[counts::floatOperations] = operations;
    page.nameBytes = static_cast<uint32_t>(kernel.size());
    std::memcpy(page.name, kernel.data(), kernel.size());
    std::memcpy(bytes.data(), &page, sizeof page);
    return bytes;
  }
};

TEST_F(ProfilerCounts, ProcessesAreSummedUpByName) {
  write("1-0.counts", page("b", 1, 10) + page("a", 2, 20) + page("never launched", 0, 0));
  write("2-0.counts", page("a", 3, 30) + std::string(counts::kPageBytes, '\0') + page("c", 1, 1));
  write("3-0.counts", page("d", 1, 1).substr(0, 100)); // torn
  write("4-0.counts", std::string(counts::kPageBytes, 'x'));
  write("else", page("e", 1, 1));
  const std::vector<KernelCounts> all = readCounts(folder_.path());
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].kernel, "a");
  EXPECT_EQ(all[0][counts::launches], 5u);
  EXPECT_EQ(all[0][counts::floatOperations], 50u);
  EXPECT_EQ(all[2].kernel, "c");
}

TEST_F(ProfilerCounts, TablesComeBackAsTheyWere) {
  std::vector<KernelCounts> all = {counted({{counts::barriers, UINT64_MAX}}), counted({{counts::atomics, 3}})};
  all[1].kernel = "name, with \" everything";
  std::ostringstream text;
  writeCountsTable(text, all);
  write("counts.csv", text.str());
  const std::vector<KernelCounts> back = readCountsTable(path("counts.csv"));
  ASSERT_EQ(back.size(), 2u);
  for (size_t index = 0; index < 2; ++index) {
    EXPECT_EQ(back[index].kernel, all[index].kernel);
    EXPECT_EQ(back[index].counters, all[index].counters);
  }
  EXPECT_THROW(readCountsTable(path("not there")), std::runtime_error);
  for (const std::string &end : {"\"k\",1\n", "k\n", "\n", "\"k\"\n", "\"k\",1,2,3,4,5,6,7,8,9,10,11,12,13,14\n"}) {
    write("damaged.csv", text.str() + end);
    EXPECT_THROW(readCountsTable(path("damaged.csv")), std::runtime_error) << end;
  }
}

} // namespace
} // namespace hiplz::prof
