// SPDX-License-Identifier: MIT
// hiplz-prof without a program: what kernels are called, and what of a run is in the outputs.
#include "base/kernel_name.h"
#include "prof/tool/collection_period.h"
#include "prof/tool/kernel_choice.h"
#include "prof/tool/summary.h"

#include <gmock/gmock.h>
#include <map>

namespace hiplz::prof {
namespace {

TEST(ProfilerNames, KernelsWithoutTheirParameters) {
  EXPECT_EQ(readableKernel("_Z5scalePffi"), "scale");
  EXPECT_EQ(readableKernel("_Z8increaseIfEvPT_i"), "increase<float>");
  EXPECT_EQ(readableKernel("_ZN3abc3runIiEEvPFvT_E"), "abc::run<int>");
  EXPECT_EQ(readableKernel("plain_c"), "plain_c");
  EXPECT_EQ(readableKernel("a"), "a"); // which is a type as well
}

TEST(ProfilerNames, TruncatedKernelsHaveNoScopeAndNoTemplateArguments) {
  KernelChoice choice;
  choice.names = KernelChoice::Names::truncated;
  EXPECT_EQ(choice.nameOf("_Z5scalePffi"), "scale");
  EXPECT_EQ(choice.nameOf("_Z8increaseIfEvPT_i"), "increase");
  EXPECT_EQ(choice.nameOf("_ZN3abc3runIiEEvPFvT_E"), "run");
  EXPECT_EQ(choice.nameOf("_Z3runIN3abc3OneIiEEEvv"), "run");   // run<abc::One<int> >()
  EXPECT_EQ(choice.nameOf("_ZN3BoxIN3abc3OneEE3runEv"), "run"); // Box<abc::One>::run()
  EXPECT_EQ(choice.nameOf("plain_c"), "plain_c");
  choice.names = KernelChoice::Names::mangled;
  EXPECT_EQ(choice.nameOf("_Z5scalePffi"), "_Z5scalePffi");
}

/// A process that has launched kernels, some in a graph.
class ProfilerChoice : public testing::Test {
protected:
  void launch(std::string_view kernel, uint64_t submitted, uint32_t thread = 1) {
    Command &command = process_.commands.emplace_back();
    command.about.type = trace::CommandType::kernel;
    command.about.id = process_.commands.size();
    command.about.submitted = submitted;
    command.kernel = kernel;
    command.thread = thread;
    command.executed = true;
    command.begin = submitted + 10;
    command.end = submitted + 15;
  }
  void launchGraph(std::string_view kernel, uint64_t submitted) {
    launch({}, submitted);
    process_.commands.back().about.type = trace::CommandType::graph;
    Node node{};
    node.about.type = trace::CommandType::kernel;
    node.about.command = process_.commands.back().about.id;
    node.kernel = kernel;
    node.begin = submitted + 11;
    node.end = submitted + 12;
    process_.nodes.push_back(node);
  }
  void mark(trace::Marker::Type type, uint64_t time, const char *message = "", uint32_t thread = 1, uint64_t id = 0) {
    Marker &marker = process_.markers.emplace_back();
    marker.thread = thread;
    marker.about.type = type;
    marker.about.time = time;
    marker.about.id = id;
    marker.message = message;
  }
  std::map<std::string, uint64_t> counts(const KernelChoice &choice) {
    chooseKernels(process_, choice);
    std::map<std::string, uint64_t> all;
    const Summary summary = summarise({&process_, 1});
    for (const KernelSummary &kernel : summary.kernels)
      all[kernel.name] = kernel.time.count;
    // Each by itself, whatever they are called.
    uint64_t sum = 0, functions = 0;
    for (const auto &[name, count] : all)
      sum += count;
    for (const KernelSummary &kernel : summary.functions)
      functions += kernel.time.count;
    EXPECT_EQ(sum, functions);
    return all;
  }
  using Counts = std::map<std::string, uint64_t>;
  Process process_;
};

TEST_F(ProfilerChoice, NamesSelectKernels) {
  launch("_Z5scalePffi", 100);
  launch("_Z8increaseIfEvPT_i", 200);
  launch("_Z8increaseIiEvPT_i", 300);
  launchGraph("_Z5scalePffi", 400);
  EXPECT_EQ(counts({}), (Counts{{"scale", 2}, {"increase<float>", 1}, {"increase<int>", 1}}));
  KernelChoice choice;
  choice.included = NamePattern("^increase");
  EXPECT_EQ(counts(choice), (Counts{{"increase<float>", 1}, {"increase<int>", 1}}));
  choice.excluded = NamePattern("int");
  EXPECT_EQ(counts(choice), (Counts{{"increase<float>", 1}}));
  choice = {};
  choice.names = KernelChoice::Names::truncated;
  EXPECT_EQ(counts(choice), (Counts{{"scale", 2}, {"increase", 2}}));
  EXPECT_EQ(summarise({&process_, 1}).functions.size(), 3u);
}

TEST_F(ProfilerChoice, IterationsAreThoseOfEachKernelInTheOrderInWhichTheyRan) {
  launch("a", 100);
  launch("b", 200);
  launchGraph("a", 300);
  launch("a", 400);
  launch("a", 500);
  KernelChoice choice;
  choice.iterations = {2, 4};
  EXPECT_EQ(counts(choice), (Counts{{"a", 2}}));
  EXPECT_TRUE(process_.nodes[0].wanted && process_.commands[4].wanted);
  EXPECT_FALSE(process_.commands[0].wanted || process_.commands[3].wanted);
}

TEST_F(ProfilerChoice, RangesRenameTheKernelsThatWereLaunchedInThem) {
  using Type = trace::Marker::Type;
  mark(Type::push, 100, "outer");
  mark(Type::push, 150, "other thread", 2);
  mark(Type::push, 200, "inner");
  mark(Type::pop, 300);
  mark(Type::pop, 400);
  mark(Type::push, 500, "never ends");
  for (const uint64_t time : {50, 120, 250, 350, 450, 600})
    launch("k", time);
  launch("k", 250, 2);
  launchGraph("k", 260);
  KernelChoice choice;
  choice.rename = true;
  EXPECT_EQ(counts(choice), (Counts{{"k", 2}, {"outer", 2}, {"inner", 2}, {"never ends", 1}, {"other thread", 1}}));
  EXPECT_EQ(summarise({&process_, 1}).functions.at(0).name, "k");
}

TEST_F(ProfilerChoice, PeriodsKeepWhatBeginsInThem) {
  using Type = trace::Marker::Type;
  for (uint64_t time = 0; time < 1000; time += 100)
    launch("k", 5000 + time);
  launchGraph("k", 5150);
  launchGraph("k", 5250);
  mark(Type::push, 5050, "before");
  mark(Type::push, 5110, "inside");
  mark(Type::start, 5120, "range", 1, 7);
  mark(Type::pop, 5210); // of inside
  mark(Type::pop, 5220);
  mark(Type::stop, 5900, "", 1, 7);
  mark(Type::mark, 5290, "outside");
  // 0.1 us of waiting and 0.1 of collecting, twice, and once 0.3 and 0.05.
  const CollectionPeriod periods[] = {{0.1, 0.1, 2}, {0.3, 0.05, 1}};
  keepPeriods(process_, periods, 1000, 5000);
  std::vector<uint64_t> times;
  for (const Command &command : process_.commands)
    times.push_back(command.about.submitted);
  EXPECT_THAT(times, testing::ElementsAre(5100, 5300, 5700, 5150));
  EXPECT_EQ(process_.nodes.size(), 1u);
  ASSERT_EQ(process_.markers.size(), 4u);
  EXPECT_EQ(process_.markers[0].message, "inside");
  // For ever.
  const CollectionPeriod rest[] = {{0.2, 0.05, 0}};
  keepPeriods(process_, rest, 1000, 5000);
  EXPECT_TRUE(process_.commands.size() == 1 && process_.commands[0].about.submitted == 5700)
      << process_.commands.size();
}

} // namespace
} // namespace hiplz::prof
