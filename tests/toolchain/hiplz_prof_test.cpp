// SPDX-License-Identifier: MIT
// hiplz-prof without a program: clocks, damaged traces, the command line, hints.
#include "prof/tool/clock_map.h"
#include "prof/tool/options.h"
#include "prof/tool/profile.h"
#include "prof/tool/summary.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>
#include <unistd.h>

using namespace hiplz;
using namespace hiplz::prof;
using testing::HasSubstr;

namespace {

TEST(ProfilerClock, NominalRateFromOneMoment) {
  const ClockMap clock(80.0, 64, {{1'000'000, 500}});
  EXPECT_EQ(clock.toHost(500, 1'000'000), 1'000'000u);
  EXPECT_EQ(clock.toHost(510, 1'000'000), 1'000'800u);
  EXPECT_EQ(clock.toHost(490, 1'000'000), 999'200u);
}

TEST(ProfilerClock, DriftIsTakenFromTheMoments) {
  // The device says 100 ns a tick; it is 101.
  const ClockMap clock(100.0, 64, {{0, 0}, {101'000'000, 1'000'000}, {202'000'000, 2'000'000}});
  EXPECT_EQ(clock.toHost(500'000, 60'000'000), 50'500'000u);
  EXPECT_EQ(clock.toHost(1'500'000, 160'000'000), 151'500'000u);
  EXPECT_EQ(clock.toHost(2'500'000, 260'000'000), 252'500'000u);
}

TEST(ProfilerClock, ACounterOf32BitsWraps) {
  const uint64_t period = uint64_t{1} << 32;
  const ClockMap clock(100.0, 32, {{0, 7 * period + 1000}});
  EXPECT_EQ(clock.toHost(1010, 5'000), 1'000u);
  // Three periods later, when the host knows how late it is.
  EXPECT_EQ(clock.toHost(2000, 3 * period * 100 + 200'000), 3 * period * 100 + 100'000);
  // Behind the wrap.
  const ClockMap late(100.0, 32, {{1'000'000, period - 10}});
  EXPECT_EQ(late.toHost(5, 1'002'000), 1'001'500u);
}

TEST(ProfilerClock, NothingIsLostInLargeNumbers) {
  const uint64_t host = 900'000'000'000'000'123;
  const ClockMap clock(1.0, 64, {{host, host}});
  EXPECT_EQ(clock.toHost(host + 1, host + 50), host + 1);
  EXPECT_EQ(clock.toHost(host + 7'000'000'001, host + 8'000'000'000), host + 7'000'000'001);
}

TEST(ProfilerClock, WithoutMomentsItSaysWhenItWasSeen) { EXPECT_EQ(ClockMap(1.0, 64, {}).toHost(5, 77), 77u); }

/// A trace in a file of its own.
class ProfilerTrace : public testing::Test {
protected:
  ProfilerTrace() : path_(testing::TempDir() + "hiplz_prof_test." + std::to_string(::getpid()) + ".hlzt") {
    addChunk();
  }
  ~ProfilerTrace() override { std::filesystem::remove(path_); }

  void addChunk() {
    chunks_.emplace_back(trace::kChunkBytes);
    trace::ChunkHeader header{trace::ChunkHeader::kMagic, 4711, sizeof(trace::ChunkHeader), 0, 0};
    std::memcpy(chunks_.back().data(), &header, sizeof header);
  }
  trace::ChunkHeader &header() { return *reinterpret_cast<trace::ChunkHeader *>(chunks_.back().data()); }
  template <class Type> void add(Type record, const std::string &text = {}) {
    trace::Record &head = record; // some have a member `bytes` of their own
    head.kind = Type::kKind;
    head.bytes = static_cast<uint16_t>((sizeof record + text.size() + (text.empty() ? 0 : 1) + 7) & ~size_t{7});
    char *to = chunks_.back().data() + header().used;
    std::memcpy(to, &record, sizeof record);
    std::memcpy(to + sizeof record, text.data(), text.size());
    header().used += head.bytes;
  }
  void addCall(uint64_t id, uint64_t begin, uint64_t end) {
    trace::Call call{};
    call.name = 1;
    call.id = id;
    call.begin = begin;
    call.end = end;
    add(call);
  }
  void addName(uint32_t id, const std::string &text) {
    trace::Name name{};
    name.name = id;
    add(name, text);
  }
  void seal() {
    header().checksum = trace::checksumOf(&header() + 1, header().used - sizeof(trace::ChunkHeader));
    header().sealed = 1;
  }
  Process read(size_t cut = 0) {
    std::string bytes(trace::kChunkBytes, '\0');
    trace::FileHeader file{{}, trace::kVersion, trace::kChunkBytes};
    std::memcpy(file.magic, trace::kMagic, sizeof file.magic);
    std::memcpy(bytes.data(), &file, sizeof file);
    for (const auto &chunk : chunks_)
      bytes.append(chunk.data(), chunk.size());
    bytes.resize(bytes.size() - cut);
    std::ofstream(path_, std::ios::binary) << bytes;
    return readTrace(path_);
  }

  std::string path_;
  std::vector<std::vector<char>> chunks_;
};

TEST_F(ProfilerTrace, NamesMayComeAfterTheirUse) {
  addCall(1, 100, 200);
  addChunk();
  addName(1, "hipMalloc");
  const Process process = read();
  ASSERT_EQ(process.calls.size(), 1u);
  EXPECT_EQ(process.calls[0].function, "hipMalloc");
  EXPECT_EQ(process.calls[0].thread, 4711u);
  EXPECT_EQ(process.damagedChunks, 0u);
}

TEST_F(ProfilerTrace, AFileThatIsTornKeepsItsOtherChunks) {
  addName(1, "hipMalloc");
  addCall(1, 100, 200);
  seal();
  addChunk();
  addCall(2, 300, 400);
  const uint32_t whole = header().used;
  addCall(3, 500, 600);
  seal();
  EXPECT_EQ(read(trace::kChunkBytes - whole - 8).calls.size(), 2u);
  EXPECT_EQ(read(trace::kChunkBytes - 8).calls.size(), 1u);
  EXPECT_EQ(read(trace::kChunkBytes).damagedChunks, 0u);
}

TEST_F(ProfilerTrace, ADamagedChunkIsLeftOut) {
  addName(1, "hipMalloc");
  addCall(1, 100, 200);
  seal();
  addChunk();
  addCall(2, 300, 400);
  seal();
  chunks_.back()[sizeof(trace::ChunkHeader) + 16] ^= 1;
  const Process process = read();
  EXPECT_EQ(process.calls.size(), 1u);
  EXPECT_EQ(process.damagedChunks, 1u);
}

TEST_F(ProfilerTrace, RecordsThatMakeNoSenseEndTheChunk) {
  addCall(1, 100, 200);
  for (const uint16_t bytes : {0, 4, 12, 65528}) {
    addChunk();
    addCall(2, 300, 400);
    const size_t at = header().used;
    addCall(3, 500, 600);
    std::memcpy(chunks_.back().data() + at + offsetof(trace::Record, bytes), &bytes, sizeof bytes);
    EXPECT_EQ(read().calls.size(), 2u) << bytes;
    chunks_.pop_back();
  }
  for (const uint32_t used : {0u, 23u, 70000u, 0xfffffff8u}) {
    addChunk();
    header().used = used;
    EXPECT_EQ(read().calls.size(), 1u) << used;
    chunks_.pop_back();
  }
}

TEST_F(ProfilerTrace, WhatIsNoTraceIsRefused) {
  for (const std::string &text : {std::string(), std::string("HIPLZtrc"), std::string(100, 'x')}) {
    std::ofstream(path_, std::ios::binary | std::ios::trunc) << text;
    EXPECT_THROW(readTrace(path_), std::runtime_error);
  }
}

TEST_F(ProfilerTrace, CommandsWithoutTimesHaveNotEnded) {
  trace::Command command{};
  command.id = 5;
  command.submitted = 1000;
  add(command);
  command.id = 6;
  add(command);
  trace::Times times{};
  times.command = 5;
  times.device = trace::Times::kHost;
  times.begin = 1100;
  times.end = 1300;
  add(times);
  times.command = 99; // of nothing that is known
  add(times);
  const Process process = read();
  ASSERT_EQ(process.commands.size(), 2u);
  EXPECT_TRUE(process.commands[0].executed);
  EXPECT_EQ(process.commands[0].duration(), 200u);
  EXPECT_FALSE(process.commands[1].executed);
}

TEST(ProfilerOptions, TheProgramBeginsBehindTheDashes) {
  const Options options = parseOptions({"-d", "out", "--output-file=x", "--", "app", "-d", "own"});
  EXPECT_EQ(options.problem, "");
  EXPECT_EQ(options.directory, "out");
  EXPECT_EQ(options.name, "x");
  EXPECT_THAT(options.program, testing::ElementsAre("app", "-d", "own"));
  EXPECT_TRUE(options.timeline);
  EXPECT_EQ(recordedParts(options), "all");
}

TEST(ProfilerOptions, FormatsAsRocprofTakesThem) {
  const Options options = parseOptions({"-f", "csv", "json", "--hip-trace", "--kernel-trace", "--", "app"});
  EXPECT_TRUE(options.csv && options.json && !options.timeline);
  EXPECT_EQ(recordedParts(options), "calls,commands");
  EXPECT_TRUE(parseOptions({"--output-format=csv,pftrace", "app"}).timeline);
  EXPECT_THAT(parseOptions({"-f", "otf2", "--", "app"}).problem, HasSubstr("otf2"));
  EXPECT_FALSE(parseOptions({"-f", "none", "app"}).timeline);
  EXPECT_TRUE(parseOptions({"-f", "svg", "app"}).picture);
  const Options range = parseOptions({"--range", "step 2", "--", "app"});
  EXPECT_TRUE(range.picture && !range.timeline);
  EXPECT_EQ(range.range, "step 2");
}

TEST(ProfilerOptions, MistakesHaveAReason) {
  EXPECT_NE(parseOptions({}).problem, "");
  EXPECT_NE(parseOptions({"--"}).problem, "");
  EXPECT_NE(parseOptions({"-d"}).problem, "");
  EXPECT_NE(parseOptions({"--read"}).problem, "");
  EXPECT_THAT(parseOptions({"--pmc", "SQ_WAVES", "--", "app"}).problem, HasSubstr("--pmc"));
}

TEST(ProfilerOptions, KernelsAreNamedAndFilteredAsInRocprof) {
  const Options options = parseOptions({"-T",
                                        "--kernel-include-regex",
                                        "^a|b$",
                                        "--kernel-exclude-regex=c",
                                        "--kernel-iteration-range",
                                        "[2-3]",
                                        "7",
                                        "--kernel-rename",
                                        "-P",
                                        "1:2:3",
                                        "0.5:1:0",
                                        "--collection-period-unit",
                                        "msec",
                                        "-u",
                                        "usec",
                                        "--summary-output-file",
                                        "tables",
                                        "--preload",
                                        "a.so",
                                        "b.so",
                                        "--stats=on",
                                        "--",
                                        "app"});
  EXPECT_EQ(options.problem, "");
  EXPECT_EQ(options.choice.names, KernelChoice::Names::truncated);
  EXPECT_TRUE(options.choice.included && options.choice.excluded && options.choice.rename && options.statistics);
  EXPECT_THAT(options.choice.iterations, testing::ElementsAre(2, 3, 7));
  ASSERT_EQ(options.periods.size(), 2u);
  EXPECT_EQ(options.periods[0].repeat, 3u);
  EXPECT_DOUBLE_EQ(options.periods[1].delay, 0.5);
  EXPECT_DOUBLE_EQ(options.periodUnit, 1e6);
  EXPECT_EQ(options.style.time(uint64_t{1'500'000}), "1500.00 us");
  EXPECT_EQ(options.tables, "tables");
  EXPECT_EQ(options.preload, "a.so:b.so");
  EXPECT_THAT(options.program, testing::ElementsAre("app"));
  // Without the dashes a value is one word.
  EXPECT_THAT(parseOptions({"--kernel-iteration-range", "1", "2"}).program, testing::ElementsAre("2"));
  EXPECT_EQ(recordedParts(parseOptions({"--kernel-trace", "--kernel-rename", "--", "app"})), "commands,markers");
  EXPECT_EQ(recordedParts(parseOptions({"--selected-regions", "app"})), "paused,all");
  EXPECT_FALSE(parseOptions({"--stats=false", "--summary=no", "app"}).summary);
  EXPECT_FALSE(parseOptions({"--stats", "--stats=0", "app"}).statistics);
}

TEST(ProfilerOptions, ValuesThatAreNoneHaveAReason) {
  for (const std::vector<std::string> &arguments : std::vector<std::vector<std::string>>{
           {"--kernel-include-regex", "("},
           {"--kernel-iteration-range", "[4-2]"},
           {"--kernel-iteration-range", "0"},
           {"--kernel-iteration-range", "many"},
           {"-P", "1:2"},
           {"-P", "1:0:1"},
           {"-P", "-1:2:1"},
           {"--collection-period-unit", "day"},
           {"-u", "weeks"},
           {"--stats=perhaps"},
       }) {
    std::vector<std::string> line = arguments;
    line.insert(line.end(), {"--", "app"});
    EXPECT_THAT(parseOptions(line).problem, HasSubstr(arguments.back().substr(arguments.back().find('=') + 1)));
  }
}

TEST(ProfilerOptions, KeysOfNames) { EXPECT_EQ(expandKeys("%pid%-%rank%-%rank%", 12, 3), "12-3-3"); }

TEST(ProfilerHints, ManyShortKernels) {
  Summary summary;
  summary.wall = 100'000'000;
  KernelSummary kernel{};
  kernel.name = "tiny";
  for (int launch = 0; launch < 40'000; ++launch)
    kernel.time.add(2'000);
  summary.kernels.push_back(kernel);
  CallSummary call{};
  call.name = "hipLaunchKernel";
  call.time.count = 40'000;
  call.time.total = 11'000'000;
  summary.calls.push_back(call);
  addHints(summary);
  EXPECT_THAT(summary.hints,
              testing::ElementsAre(HasSubstr("91 % of the time is spent in 40,000 launches of kernels under 5 us")));
  summary.kernels[0].time = {};
  summary.kernels[0].time.add(90'000'000);
  summary.hints.clear();
  addHints(summary);
  EXPECT_THAT(summary.hints, testing::IsEmpty());
}

} // namespace
