// SPDX-License-Identifier: MIT
// Large kernels run quick code until there is optimised code, which gives the same results.
#include "cache_fixture.h"

#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <fstream>
#include <sys/wait.h>
#include <thread>

namespace hiplz::cpu {
namespace {

using std::chrono::steady_clock;
constexpr std::chrono::seconds kPatience{100};

class Quick : public Cache {
protected:
  using SharedProgram = std::shared_ptr<const Program>;

  void SetUp() override {
    Cache::SetUp();
    ::unsetenv("HIPLZ_DUMP"); // which asks for optimised code
    ::setenv("HIPLZ_CPU_QUICK", "1", 1);
  }
  void TearDown() override {
    ::unsetenv("HIPLZ_CPU_QUICK");
    Cache::TearDown();
  }

  /// With a flag of its own for each test: what others hold in this process is not found.
  static SharedProgram buildLarge(const std::string &flags = "", const char *module = "large") {
    std::string log;
    const std::string name = testing::UnitTest::GetInstance()->current_test_info()->name();
    SharedProgram program = Program::fromSpirv(testModule(module), (flags + " -cl-std=" + name).c_str(), log);
    EXPECT_TRUE(program) << log;
    return program;
  }

  static const KernelCode *codeOf(const SharedProgram &program, const char *kernel = "large", uint32_t items = 64) {
    const KernelCode *code = program->code(*program->findKernel(kernel), items);
    EXPECT_TRUE(code) << program->messages()->text();
    return code;
  }

  static std::vector<float> results(const SharedProgram &program, const char *kernel) {
    std::vector<float> in(192), out(192);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = 0.1f * static_cast<float>(i) + 0.7f;
    Launch(program.get(), kernel).arg(in).arg(out).run({3, 1, 1}, {64, 1, 1});
    return out;
  }

  static bool comesTrue(const std::function<bool()> &condition) {
    for (const auto end = steady_clock::now() + kPatience; steady_clock::now() < end;) {
      if (condition())
        return true;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
    return false;
  }

  void expectReplacement(const char *kernel) {
    const auto program = buildLarge();
    const KernelCode *quick = codeOf(program, kernel);
    ASSERT_TRUE(quick->isQuick);
    EXPECT_GT(quick->frameBytes, 0u);
    const std::vector<float> first = results(program, kernel);
    ASSERT_TRUE(comesTrue([&] { return &latest(*quick) != quick; }));
    const KernelCode *better = codeOf(program, kernel);
    EXPECT_EQ(better, &latest(*quick)) << "for launches that were recorded before";
    EXPECT_FALSE(better->isQuick);
    EXPECT_EQ(better->shapes, quick->shapes);
    EXPECT_EQ(better->yields, quick->yields);
    EXPECT_EQ(better->privateBytes, quick->privateBytes);
    const std::vector<float> second = results(program, kernel);
    EXPECT_EQ(std::memcmp(first.data(), second.data(), first.size() * sizeof(float)), 0);
    for (const float each : first)
      EXPECT_TRUE(std::isfinite(each)) << each;
  }

  /// A child that runs the kernel, waits until the better code is being compiled, and ends. Returns its compiler.
  static pid_t compilerOfEndedChild(const std::function<void()> &end) {
    int ends[2];
    EXPECT_EQ(::pipe(ends), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const auto program = buildLarge();
      const bool isQuick = codeOf(program)->isQuick;
      pid_t compiler = 0;
      if (isQuick && comesTrue([&] { return (compiler = compilerOf(::getpid())) != 0; }) &&
          ::write(ends[1], &compiler, sizeof compiler) == sizeof compiler)
        end();
      ::_exit(1);
    }
    ::close(ends[1]);
    pid_t compiler = 0;
    EXPECT_EQ(::read(ends[0], &compiler, sizeof compiler), static_cast<ssize_t>(sizeof compiler));
    ::close(ends[0]);
    const auto began = steady_clock::now();
    int status = -1;
    EXPECT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
    EXPECT_LT(steady_clock::now() - began, std::chrono::seconds(2)) << "it does not wait for the code";
    return compiler;
  }

  /// The process of that parent, by what the system says of all.
  static pid_t compilerOf(pid_t parent) {
    for (const auto &entry : fs::directory_iterator("/proc")) {
      const pid_t process = std::atoi(entry.path().filename().c_str());
      if (process > 0 && fieldsOf(process).parent == parent)
        return process;
    }
    return 0;
  }

  struct Fields {
    char state = 'X';
    pid_t parent = 0;
  };
  static Fields fieldsOf(pid_t process) {
    std::ifstream file("/proc/" + std::to_string(process) + "/stat");
    std::string text((std::istreambuf_iterator<char>(file)), {});
    Fields fields;
    if (const size_t name = text.rfind(") "); name != std::string::npos)
      std::sscanf(text.c_str() + name, ") %c %d", &fields.state, &fields.parent);
    return fields;
  }
  static bool isGone(pid_t process) {
    const char state = fieldsOf(process).state;
    return state == 'X' || state == 'Z'; // who takes its status is not its own affair
  }
};

TEST_F(Quick, OptimisedCodeReplacesQuickCode) { expectReplacement("large"); }
TEST_F(Quick, OptimisedCodeReplacesQuickCodeWithBarriers) { expectReplacement("large_exchanges"); }

TEST_F(Quick, WhatIsReadyIsTakenFromTheCache) {
  auto program = buildLarge();
  EXPECT_TRUE(codeOf(program)->isQuick);
  EXPECT_EQ(entries().size(), 3u) << "the module, what kernels are compiled from, and the quick code";
  program.reset();
  ASSERT_TRUE(comesTrue([&] {
    program = buildLarge();
    return !codeOf(program)->isQuick;
  })) << "though nobody has waited for it";
  EXPECT_EQ(entries().size(), 4u);
}

TEST_F(Quick, AnotherProgramDoesNotWaitForTheOptimisedCode) {
  const auto program = buildLarge();
  const KernelCode *quick = codeOf(program);
  const auto another = buildLarge();
  EXPECT_EQ(codeOf(another)->isQuick, &latest(*quick) == quick);
  ASSERT_TRUE(comesTrue([&] { return &latest(*quick) != quick && !codeOf(another)->isQuick; }));
}

TEST_F(Quick, NativeBinariesHaveOptimisedCode) {
  const auto program = buildLarge();
  EXPECT_TRUE(codeOf(program)->isQuick);
  const auto first = results(program, "large");
  std::string log;
  const SharedProgram native = Program::fromNative(program->nativeBinary(), log);
  ASSERT_TRUE(native) << log;
  EXPECT_FALSE(codeOf(native)->isQuick);
  EXPECT_FALSE(codeOf(program)->isQuick);
  EXPECT_EQ(results(native, "large"), first);
}

TEST_F(Quick, WithFastMathThereIsNone) {
  EXPECT_FALSE(codeOf(buildLarge("-cl-fast-relaxed-math"))->isQuick)
      << "results would change from one launch to the next";
}

TEST_F(Quick, WhoCountsStepsOrHasTurnedItOffGetsOptimisedCode) {
  EXPECT_FALSE(codeOf(buildLarge("-g"))->isQuick);
  EXPECT_FALSE(codeOf(buildLarge("-hiplz-count"))->isQuick);
  EXPECT_FALSE(codeOf(buildLarge("", "basic"), "vecadd")->isQuick) << "a small kernel";
  ::setenv("HIPLZ_CPU_QUICK", "0", 1);
  EXPECT_FALSE(codeOf(buildLarge("-cl-mad-enable"))->isQuick);
  ::setenv("HIPLZ_CPU_QUICK", "1", 1);
  ::setenv("HIPLZ_DUMP", dumps().c_str(), 1);
  EXPECT_FALSE(codeOf(buildLarge("-cl-no-signed-zeros"))->isQuick);
}

TEST_F(Quick, TheEndOfTheProcessEndsTheCompilation) {
  const pid_t compiler = compilerOfEndedChild([] { std::exit(0); });
  EXPECT_TRUE(isGone(compiler));
  for (const auto &entry : entries())
    EXPECT_EQ(entry.extension(), "") << entry;
  EXPECT_EQ(entries().size(), 3u);
}

TEST_F(Quick, AnEndWithoutHandlersEndsTheCompilation) {
  const pid_t compiler = compilerOfEndedChild([] { ::_exit(0); });
  EXPECT_TRUE(comesTrue([&] { return isGone(compiler); }));
}

} // namespace
} // namespace hiplz::cpu
