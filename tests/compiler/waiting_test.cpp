// SPDX-License-Identifier: MIT
// Which loops are taken for waiting: those work-items must not keep others from running, and only those, because a kernel
// that waits runs each of its work-items on a fiber.
#include "harness.h"

#include <numeric>

namespace hiplz::cpu {
namespace {

const Program *program() { return testProgram("waiting"); }

bool yields(const char *kernel) {
  const KernelInfo *info = program()->findKernel(kernel);
  const KernelCode *code = info ? program()->code(*info, 64) : nullptr;
  EXPECT_TRUE(code) << kernel;
  return code && code->yields;
}

TEST(Waiting, LoopsThatAskTheMemoryTheSameAgainAndAgain) {
  for (const char *kernel : {"spin_load", "spin_volatile", "spin_lock", "spin_add_nothing", "spin_bit", "spin_test_bit",
                             "spin_same", "gate", "gate_of_object", "hint"})
    EXPECT_TRUE(yields(kernel)) << kernel;
}

TEST(Waiting, LoopsThatMakeProgressByThemselves) {
  for (const char *kernel : {"update_float", "update_volatile", "update_volatile_float", "update_half", "take_tickets",
                             "count_in_loop", "volatile_elements", "real_prefetch"})
    EXPECT_FALSE(yields(kernel)) << kernel;
}

TEST(Waiting, AWorkItemBehindOpensTheGate) {
  std::vector<int> flag(1), out(200);
  Launch launch(program(), "gate");
  launch.arg(flag).arg(out).run({1, 1, 1}, {200, 1, 1});
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0), 200);
}

TEST(Waiting, AWorkItemBehindOpensTheGateOfAnObject) {
  std::vector<int> flag(1), out(200);
  std::vector<int *> object{flag.data()};
  Launch launch(program(), "gate_of_object");
  launch.arg(object).arg(out).run({1, 1, 1}, {200, 1, 1});
  EXPECT_EQ(std::accumulate(out.begin(), out.end(), 0), 200);
}

TEST(Waiting, EveryWorkItemGetsTheLock) {
  std::vector<int> lock(1), counter(1);
  Launch launch(program(), "spin_lock");
  launch.arg(lock).arg(counter).run({3, 1, 1}, {100, 1, 1});
  EXPECT_EQ(counter[0], 300);
  EXPECT_EQ(lock[0], 0);
}

TEST(Waiting, EveryWorkItemGetsTheBit) {
  std::vector<int> lock(1, 64), counter(1);
  Launch launch(program(), "spin_bit");
  launch.arg(lock).arg(counter).run({2, 1, 1}, {70, 1, 1});
  EXPECT_EQ(counter[0], 140);
  EXPECT_EQ(lock[0], 64);
}

TEST(Waiting, EveryWorkItemGetsTheBitThatItTests) {
  std::vector<int> lock(1, 64), counter(1);
  Launch launch(program(), "spin_test_bit");
  launch.arg(lock).arg(counter).run({2, 1, 1}, {70, 1, 1});
  EXPECT_EQ(counter[0], 140);
  EXPECT_EQ(lock[0], 64);
}

TEST(Waiting, AnUpdateOfHalfAWordIsRight) {
  std::vector<uint32_t> words(2, 0xfffe0005);
  Launch launch(program(), "update_half");
  launch.arg(words).run({3, 1, 1}, {64, 1, 1});
  EXPECT_EQ(words, std::vector<uint32_t>(2, 0x002e0035));
}

TEST(Waiting, AnUpdateOfWhatWasReadIsRight) {
  std::vector<int> sum(1), in(256, 3);
  Launch launch(program(), "update_volatile");
  EXPECT_FALSE(launch.code(100)->yields);
  launch.arg(sum).arg(in).run({2, 1, 1}, {128, 1, 1});
  EXPECT_EQ(sum[0], 768);
}

TEST(Waiting, WhatMakesProgressIsRight) {
  std::vector<int> sum(1);
  std::vector<float> in(256, 0.5f);
  Launch launch(program(), "update_float");
  EXPECT_FALSE(launch.code(100)->yields);
  launch.arg(sum).arg(in).run({2, 1, 1}, {128, 1, 1});
  float result;
  std::memcpy(&result, sum.data(), sizeof result);
  EXPECT_EQ(result, 128.0f);
}

} // namespace
} // namespace hiplz::cpu
