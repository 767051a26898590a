// SPDX-License-Identifier: MIT
// Sizes to measure, circles through memory, and the caches that a staircase shows.
#include "base/processors.h"
#include "roofline/chase.h"
#include "roofline/sizes.h"
#include "roofline/system_caches.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace hiplz::roofline {
namespace {

constexpr uint64_t kKi = 1024, kMi = 1024 * kKi;

Facts processor() {
  Facts facts;
  facts.kind = "CPU";
  facts.units = 2;
  facts.memory = uint64_t{24} << 30;
  facts.systemCaches = {{"L1", 48 * kKi, 2, "system"}, {"L2", 2 * kMi, 2, "system"}, {"L3", 32 * kMi, 1, "system"}};
  return facts;
}

TEST(RooflineSizes, CirclesVisitEverythingOnce) {
  for (const uint32_t count : {2u, 32u, 40u, 48u, 56u, 64u, 1024u, 1280u, 1536u, 1792u, 7u << 14})
    for (const bool inOrder : {false, true}) {
      constexpr uint32_t kStep = 4;
      const std::vector<uint32_t> next = makeCircle(count, kStep, inOrder);
      std::vector<bool> seen(count);
      uint32_t at = 0;
      for (uint32_t i = 0; i < count; ++i) {
        ASSERT_EQ(at % kStep, 0u);
        ASSERT_LT(at / kStep, count);
        ASSERT_FALSE(seen[at / kStep]) << count << " at " << i;
        seen[at / kStep] = true;
        at = next[at];
      }
      EXPECT_EQ(at, 0u);
    }
}

TEST(RooflineSizes, RandomCirclesHaveNoStrideThatPrefetchersSee) {
  const std::vector<uint32_t> next = makeCircle(1 << 16, 1, false);
  uint32_t at = 0, near = 0;
  for (unsigned i = 0; i < 1 << 16; ++i) {
    const int64_t distance = int64_t{next[at]} - at;
    near += std::abs(distance) < 64;
    at = next[at];
  }
  EXPECT_LT(near, (1u << 16) / 100);
}

TEST(RooflineSizes, ReachFromTheFirstCacheToMemory) {
  const Facts facts = processor();
  for (const Mode mode : {Mode::Full, Mode::Quick, Mode::Smoke}) {
    for (const std::vector<uint64_t> &sizes : {bandwidthSizes(facts, mode), latencySizes(facts, mode)}) {
      ASSERT_GE(sizes.size(), 3u);
      EXPECT_TRUE(std::ranges::is_sorted(sizes));
      EXPECT_LT(sizes.front(), 48 * kKi);
      EXPECT_GT(sizes.back(), mode == Mode::Smoke ? 8 * kKi : 2 * 32 * kMi - 1);
    }
    for (const uint64_t bytes : latencySizes(facts, mode)) {
      uint64_t rest = bytes;
      for (const uint64_t prime : {2, 3, 5, 7})
        while (rest % prime == 0)
          rest /= prime;
      EXPECT_EQ(rest, 1u) << bytes;
    }
  }
  EXPECT_LE(bandwidthSizes(facts, Mode::Full).back(), facts.memory / 8);
}

// Latencies of caches of these sizes, with sizes that rise between them as pseudo-LRU caches do, and a disturbance.
std::vector<Step> staircase() {
  std::vector<Step> steps;
  for (uint64_t octave = 4 * kKi; octave <= 64 * kMi; octave *= 2)
    for (unsigned i = 4; i < 8; ++i) {
      const uint64_t bytes = octave / 4 * i;
      double latency = bytes <= 48 * kKi ? 1.5 : bytes <= 2 * kMi ? 5 : bytes <= 32 * kMi ? 25 : 90;
      if (bytes == 2 * kMi / 4 * 5)
        latency = 5;
      if (bytes > 2 * kMi && bytes <= 3 * kMi)
        latency = 16;
      if (bytes == 256 * kKi)
        latency = 11;
      steps.push_back({bytes, latency * (1 + 0.02 * ((i * 7) % 3))});
    }
  return steps;
}

TEST(RooflineSizes, FindsCachesInAStaircase) {
  double memory = 0;
  const std::vector<Level> caches = findCaches(staircase(), memory);
  ASSERT_EQ(caches.size(), 3u);
  EXPECT_EQ(caches[0].bytes, 48 * kKi);
  EXPECT_EQ(caches[1].bytes, 2 * kMi);
  EXPECT_EQ(caches[2].bytes, 32 * kMi);
  EXPECT_NEAR(caches[1].latency, 5, 0.3);
  EXPECT_NEAR(memory, 90, 5);
}

TEST(RooflineSizes, SizesBetweenStepsTellWhereACacheEnds) {
  std::vector<Step> coarse;
  for (const uint64_t kib : {24, 32, 48, 64, 96})
    coarse.push_back({kib * kKi, kib < 48 ? 1.4 : 2.2});
  const std::vector<uint64_t> between = edgeSizes(coarse, Mode::Quick);
  EXPECT_EQ(between, (std::vector<uint64_t>{35 * kKi, 36 * kKi, 40 * kKi, 42 * kKi, 45 * kKi}));
  for (const uint64_t bytes : between) { // circles through them visit everything
    const auto count = static_cast<uint32_t>(bytes / 64);
    const std::vector<uint32_t> next = makeCircle(count, 16, false);
    uint32_t at = 0, steps = 0;
    do
      at = next[at], ++steps;
    while (at && steps <= count);
    EXPECT_EQ(steps, count) << bytes;
  }
  for (const uint64_t bytes : between)
    coarse.push_back({bytes, bytes <= 42 * kKi ? 1.45 : 1.9});
  std::ranges::sort(coarse, {}, &Step::bytes);
  double last = 0;
  const std::vector<Level> caches = findCaches(coarse, last);
  ASSERT_EQ(caches.size(), 1u);
  EXPECT_EQ(caches[0].bytes, 42 * kKi);
  EXPECT_TRUE(edgeSizes({{64 * kMi, 10}, {96 * kMi, 100}}, Mode::Quick).empty()); // would take too long
  EXPECT_FALSE(edgeSizes({{64 * kMi, 10}, {96 * kMi, 100}}, Mode::Full).empty());
}

TEST(RooflineSizes, WhatTheStaircaseDoesNotShowIsTold) {
  Result result;
  result.device.systemCaches = {
      {"L1", 48 * kKi, 2, "system"}, {"L2", 2 * kMi, 2, "system"}, {"L3", 480 * kMi, 1, "system"}};
  const auto add = [&](uint64_t bytes, double nanoseconds) {
    Sample sample;
    sample.section = "latency";
    sample.kernel = "random";
    sample.bytes = bytes;
    sample.value = nanoseconds;
    result.samples.push_back(sample);
  };
  // The second cache is shared with somebody, and the third one is not left: like the virtual machine this was written on.
  for (uint64_t bytes = 8 * kKi; bytes <= 64 * kMi; bytes += bytes / 4)
    add(bytes, bytes <= 45 * kKi ? 1.4
               : bytes <= kMi    ? 4
                                 : std::min(36.0, 4.0 * static_cast<double>(bytes / kKi) / 1024 * 2));
  result.levels = makeLevels(result);
  const std::vector<std::string> sentences = unseenCaches(result);
  ASSERT_EQ(sentences.size(), 2u) << testing::PrintToString(sentences);
  EXPECT_NE(sentences[0].find("L2: the system says 2 MiB, but latencies rise from"), std::string::npos) << sentences[0];
  EXPECT_NE(sentences[1].find("L3: the system says 480 MiB, which is more than the largest size"), std::string::npos)
      << sentences[1];
  result.device.systemCaches.resize(1);
  result.levels = makeLevels(result);
  EXPECT_TRUE(unseenCaches(result).empty());
}

TEST(RooflineSizes, FindsNoCachesInAPlain) {
  std::vector<Step> steps;
  for (uint64_t bytes = kKi; bytes < kMi; bytes *= 2)
    steps.push_back({bytes, 100});
  double memory = 0;
  EXPECT_TRUE(findCaches(steps, memory).empty());
  EXPECT_DOUBLE_EQ(memory, 100);
  EXPECT_TRUE(findCaches({}, memory).empty());
}

TEST(RooflineSizes, LevelsTakeNamesOfTheSystemAndBandwidthOfTheirSizes) {
  Result result;
  result.device = processor();
  for (const Step &step : staircase()) {
    Sample sample;
    sample.section = "latency";
    sample.kernel = "random";
    sample.bytes = step.bytes;
    sample.value = step.nanoseconds;
    result.samples.push_back(sample);
  }
  for (const auto &[bytes, value] :
       {std::pair{32 * kKi, 200.0}, {2 * kMi, 80.0}, {16 * kMi, 40.0}, {64 * kMi, 25.0}, {256 * kMi, 10.0}}) {
    Sample sample;
    sample.section = "bandwidth";
    sample.kernel = "read";
    sample.bytes = bytes;
    sample.value = value;
    result.samples.push_back(sample);
  }
  const std::vector<Level> levels = makeLevels(result);
  ASSERT_EQ(levels.size(), 4u);
  const char *names[] = {"L1", "L2", "L3", "memory"};
  const double bandwidths[] = {200, 80, 40, 10};
  for (size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(levels[i].name, names[i]);
    EXPECT_EQ(levels[i].source, "latency");
    EXPECT_DOUBLE_EQ(levels[i].bandwidth, bandwidths[i]) << names[i];
  }
  EXPECT_EQ(levels[1].instances, 2u);
  EXPECT_NEAR(levels[3].latency, 90, 5);
  // Without larger sizes twice the last cache is memory, of which a part is in the cache.
  std::erase_if(result.samples, [](const Sample &s) { return s.section == "bandwidth" && s.bytes > 64 * kMi; });
  EXPECT_DOUBLE_EQ(makeLevels(result)[3].bandwidth, 25);
  // A staircase that ends before a cache does: the system's size, and no latency of memory.
  std::erase_if(result.samples, [](const Sample &s) { return s.section == "latency" && s.bytes > 16 * kMi; });
  const std::vector<Level> shorter = makeLevels(result);
  ASSERT_EQ(shorter.size(), 4u);
  EXPECT_EQ(shorter[2].source, "system");
  EXPECT_EQ(shorter[2].bytes, 32 * kMi);
  EXPECT_DOUBLE_EQ(shorter[3].latency, 0);
}

TEST(RooflineSizes, TwoRisesNearOneCacheAreOneLevel) {
  Result result;
  result.device = processor();
  // The second cache seems to end twice, at 1.5 and at 2.5 MiB.
  for (uint64_t bytes = 8 * kKi; bytes <= 256 * kMi; bytes += bytes / 4) {
    Sample sample;
    sample.section = "latency";
    sample.kernel = "random";
    sample.bytes = bytes;
    sample.value = bytes <= 45 * kKi     ? 1.4
                   : bytes <= 1536 * kKi ? 4
                   : bytes <= 2560 * kKi ? 9
                   : bytes <= 30 * kMi   ? 20
                                         : 90;
    result.samples.push_back(sample);
  }
  const std::vector<Level> levels = makeLevels(result);
  EXPECT_EQ(std::ranges::count(levels, "L2", &Level::name), 1);
  EXPECT_EQ(levels.size(), 4u);
}

TEST(RooflineSizes, ReadsTheSystemsCaches) {
  const std::filesystem::path root = testing::TempDir() + "roofline_caches." + std::to_string(getpid());
  const auto write = [&](unsigned processor, const char *index, const char *level, const char *type, const char *size,
                         const char *shared) {
    const std::filesystem::path folder =
        root / "sys/devices/system/cpu" / ("cpu" + std::to_string(processor)) / "cache" / index;
    std::filesystem::create_directories(folder);
    std::ofstream(folder / "level") << level << '\n';
    std::ofstream(folder / "type") << type << '\n';
    std::ofstream(folder / "size") << size << '\n';
    std::ofstream(folder / "shared_cpu_list") << shared << '\n';
  };
  // The processors that readProcessors takes for those of the process.
  for (const Processor &allowed : readProcessors(root).allowed) {
    const std::string own = std::to_string(allowed.number);
    write(allowed.number, "index0", "1", "Data", "48K", own.c_str());
    write(allowed.number, "index1", "1", "Instruction", "64K", own.c_str());
    write(allowed.number, "index2", "2", "Unified", "2048K", own.c_str());
    write(allowed.number, "index3", "3", "Unified", "30M", "0-63");
  }
  const std::vector<Level> levels = systemCaches(root);
  std::filesystem::remove_all(root);
  ASSERT_EQ(levels.size(), 3u);
  EXPECT_EQ(levels[0].name, "L1");
  EXPECT_EQ(levels[0].bytes, 48 * kKi);
  EXPECT_EQ(levels[1].bytes, 2 * kMi);
  EXPECT_EQ(levels[2].bytes, 30 * kMi);
  EXPECT_EQ(levels[2].instances, 1u);
  EXPECT_TRUE(systemCaches("/no/such/root").empty());
}

} // namespace
} // namespace hiplz::roofline
