// SPDX-License-Identifier: MIT
// Kernels are compiled one by one, when they are first launched, and each of them once.
#include "base/cache_lock.h"
#include "base/sanitizer.h"
#include "cache_fixture.h"

#include <algorithm>
#include <optional>
#include <sys/wait.h>
#include <thread>

namespace hiplz::cpu {
namespace {

class OnDemand : public Cache {
protected:
  static void checkAdds(const Program &program, int number, uint32_t items = 64) {
    std::vector<int> out(items, 1);
    Launch(&program, "k" + std::to_string(number)).arg(out).run({1, 1, 1}, {items, 1, 1});
    EXPECT_EQ(out, std::vector<int>(items, 1 + number));
  }
};

TEST_F(OnDemand, OfFiveHundredKernelsThreeAreCompiled) {
  auto program = build("", "many");
  ASSERT_EQ(program->kernels().size(), 500u);
  EXPECT_EQ(modules(), 1);
  EXPECT_EQ(kernels(), 0);
  for (int number : {100, 333, 599, 100})
    checkAdds(*program, number);
  EXPECT_EQ(kernels(), 3);
  EXPECT_EQ(entries().size(), 5u) << "the module, what kernels are compiled from, and the kernels";
  auto again = build("", "many");
  for (int number : {599, 333})
    checkAdds(*again, number);
  EXPECT_EQ(modules(), 1);
  EXPECT_EQ(kernels(), 3);
}

TEST_F(OnDemand, OtherShapesOfGroupsAreCompiledWhenTheyCome) {
  auto program = build("", "many");
  checkAdds(*program, 100, 64);
  checkAdds(*program, 100, 128);
  checkAdds(*program, 100, 256);
  EXPECT_EQ(kernels(), 1);
  checkAdds(*program, 100, 7);
  checkAdds(*program, 100, 100);
  checkAdds(*program, 100, 64);
  checkAdds(*program, 100, 33);
  EXPECT_LE(kernels(), 3); // whole warps, tiny groups, one row; the scalar path has one code for all
}

// Kernels with barriers are made for the sizes of their launches, but not for more than four.
TEST_F(OnDemand, KernelsWithBarriersAreCompiledForTheirSizes) {
  auto program = build("", "basic");
  const KernelInfo &kernel = *program->findKernel("reverse");
  EXPECT_TRUE(kernel.gainsFromSize);
  EXPECT_FALSE(program->findKernel("structs")->gainsFromSize);
  auto reverses = [&](uint32_t items) {
    std::vector<int> data(3 * items), reversed(data.size());
    for (size_t i = 0; i < data.size(); ++i) {
      data[i] = static_cast<int>(i);
      reversed[i / items * items + items - 1 - i % items] = static_cast<int>(i);
    }
    Launch(program.get(), "reverse").arg(data).run({3, 1, 1}, {items, 1, 1});
    EXPECT_EQ(data, reversed) << items;
  };
  const uint32_t sizes[] = {64, 128, 100, 256};
  for (int round = 0; round < 2; ++round)
    for (uint32_t items : sizes)
      reverses(items);
  EXPECT_EQ(kernels(), 4);
  for (uint32_t items : sizes)
    EXPECT_EQ(program->code(kernel, items)->onlySize, GroupSize(items));
  for (uint32_t items : {32u, 160u, 192u, 224u}) {
    reverses(items);
    EXPECT_FALSE(program->code(kernel, items)->onlySize);
  }
  EXPECT_EQ(kernels(), 5) << "and code for all whole warps";
  EXPECT_EQ(program->code(kernel), program->code(kernel, 32));
  // Another process begins with other sizes, and finds what it has in common with this one.
  program = build("", "basic");
  for (uint32_t items : {96u, 100u, 64u})
    reverses(items);
  EXPECT_EQ(kernels(), 6);
}

TEST_F(OnDemand, CodeThatIsLookedAtIsNotMadeForOneSize) {
  for (const char *flags : {"-hiplz-check=memcheck", "-hiplz-count"}) {
    auto program = build(flags, "basic");
    EXPECT_FALSE(program->findKernel("reverse")->gainsFromSize) << flags;
  }
}

TEST_F(OnDemand, ProcessesThatStartTogetherCompileEachPieceOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) {
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      auto program = build("", "many");
      if (program)
        for (int number : {200, 201})
          checkAdds(*program, number);
      ::_exit(program && !HasFailure() ? 0 : 1);
    }
    children.push_back(child);
  }
  for (pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  EXPECT_EQ(modules(), 1);
  EXPECT_EQ(kernels(), 2);
  for (const auto &entry : entries())
    EXPECT_NE(entry.extension(), ".lock");
}

TEST_F(OnDemand, ThreadsCompileEachPieceOnceWithoutACache) {
  ::setenv("HIPLZ_CACHE", "0", 1);
  std::vector<std::unique_ptr<Program>> programs(4); // each has its own variables
  std::vector<std::thread> threads;
  for (auto &program : programs)
    threads.emplace_back([&] {
      program = build("", "many");
      checkAdds(*program, 300);
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(modules(), 1);
  EXPECT_EQ(kernels(), 1);
  ::setenv("HIPLZ_CACHE", "1", 1);
}

// A launch of another kernel does not wait for one that is being compiled, here by a process that takes its time.
TEST_F(OnDemand, KernelsAreCompiledAtTheSameTime) {
  auto program = build("", "many");
  checkAdds(*program, 400);
  const auto before = entries();
  checkAdds(*program, 401);
  std::string path;
  for (const auto &entry : entries())
    if (std::find(before.begin(), before.end(), entry) == before.end())
      path = entry;
  fs::remove(path);
  auto other = build("", "many");
  program.reset(); // with its code of k401
  std::optional<CacheLock> somebody(path);
  std::atomic<bool> isDone{false};
  std::thread waiter([&] {
    checkAdds(*other, 401);
    isDone = true;
  });
  for (int number : {402, 403, 404})
    checkAdds(*other, number);
  EXPECT_FALSE(isDone);
  somebody.reset();
  waiter.join();
  EXPECT_EQ(kernels(), 6); // k401 twice
}

TEST_F(OnDemand, ALockOfADeadProcessIsFree) {
  auto program = build("", "many");
  const pid_t child = ::fork();
  if (child == 0) {
    auto *left = new CacheLock(folder_ / "cpu" / "0123456789abcdef0123456789abcdef");
    ::_exit(left ? 0 : 1);
  }
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_TRUE(fs::exists(folder_ / "cpu" / "0123456789abcdef0123456789abcdef.lock"));
  CacheLock lock(folder_ / "cpu" / "0123456789abcdef0123456789abcdef"); // would wait for a minute
}

TEST_F(OnDemand, NativeBinariesHaveAllKernelsForAllShapes) {
  const auto program = build();
  checkRuns(*program);
  EXPECT_TRUE(program->code(*program->findKernel("histogram"), 64)->onlySize);
  const auto binary = program->nativeBinary();
  ASSERT_FALSE(binary.empty()) << program->messages()->text();
  const int compiled = kernels();
  checkRuns(*build());
  EXPECT_EQ(kernels(), compiled);
  EXPECT_GE(compiled, static_cast<int>(program->kernels().size()));
  std::string log;
  const auto native = Program::fromNative(binary, log);
  ASSERT_TRUE(native) << log;
  for (const KernelInfo &kernel : native->kernels())
    for (uint32_t items : {1u, 7u, 8u, 32u, 256u})
      EXPECT_TRUE(native->code(kernel, items)) << kernel.name;
  EXPECT_FALSE(native->code(*native->findKernel("histogram"), 64)->onlySize);
  checkRuns(*native);
  EXPECT_EQ(kernels(), compiled);
}

} // namespace
} // namespace hiplz::cpu
