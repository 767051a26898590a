// SPDX-License-Identifier: MIT
// Several threads compile and run at once; nothing is shared between them but the library.
#include "harness.h"

#include <numeric>
#include <thread>

namespace hiplz::cpu {
namespace {

TEST(Concurrency, ThreadsCompileAndRun) {
  auto spirv = testModule("basic");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      std::string log, flags = t % 2 ? "-cl-opt-disable" : "";
      flags += std::string(static_cast<size_t>(t), ' '); // other keys for the cache
      auto program = Program::fromSpirv(spirv, flags.c_str(), log);
      ASSERT_TRUE(program) << log;
      for (int round = 0; round < 20; ++round) {
        std::vector<int> data(1024);
        std::iota(data.begin(), data.end(), t);
        Launch(program.get(), "reverse").arg(data).run({4, 1, 1}, {256, 1, 1});
        for (int i = 0; i < 1024; ++i)
          ASSERT_EQ(data[i], t + i / 256 * 256 + 255 - i % 256);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

// One kernel of one program on all threads, each with its own fibers.
TEST(Concurrency, ThreadsShareAKernel) {
  const Program *program = testProgram("collectives");
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round < 20; ++round) {
        std::vector<uint32_t> out(512);
        Launch(program, "with_barriers").arg(out).run({2, 1, 1}, {256, 1, 1});
        for (uint32_t value : out)
          ASSERT_EQ(value, 256u * 255 / 2);
      }
    });
  for (std::thread &thread : threads)
    thread.join();
}

} // namespace
} // namespace hiplz::cpu
