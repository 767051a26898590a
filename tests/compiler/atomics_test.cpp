// SPDX-License-Identifier: MIT
#include "harness.h"

#include "cpu/exec/fiber_group.h"

#include <algorithm>
#include <thread>

namespace hiplz::cpu {
namespace {

TEST(Atomics, Counters) {
  constexpr int n = 256;
  std::vector<int> i{0, 0, 0, 0, 0, 0};
  std::vector<uint32_t> u{~0u, 0, 0, ~0u, 0};
  std::vector<int64_t> l{0, 0, 0};
  Launch(testProgram("atomics"), "counters").arg(i).arg(u).arg(l).run({4, 1, 1}, {64, 1, 1});
  EXPECT_EQ(i, (std::vector<int>{n * (n - 1) / 2, -n * (n - 1) / 2, -100, n - 101, n, -n}));
  EXPECT_EQ(u, (std::vector<uint32_t>{0, ~0u, 0, 0, ~0u})); // 0 lies in the range, and so does the wrapped -1
  EXPECT_EQ(l, (std::vector<int64_t>{int64_t(n * (n - 1) / 2) << 32, -(n - 1), int64_t(n - 1) << 40}));
}

TEST(Atomics, Exchange) {
  std::vector<int> i{0}, old(64);
  std::vector<float> f{0};
  Launch(testProgram("atomics"), "exchange").arg(i).arg(f).arg(old).run({1, 1, 1}, {64, 1, 1});
  EXPECT_EQ(f[0], 2.5f);
  old.push_back(i[0]);
  std::sort(old.begin(), old.end());
  for (int k = 0; k <= 64; ++k)
    ASSERT_EQ(old[k], k);
}

TEST(Atomics, CompareAndExchangeFromSeveralThreads) {
  float sum = 0;
  const Program *program = testProgram("atomics");
  const KernelInfo *kernel = program->findKernel("float_add");
  ASSERT_TRUE(kernel);
  const KernelCode *code = program->code(*kernel, 100);
  ASSERT_TRUE(code);
  alignas(64) float *argument = &sum;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      LaunchState launch{reinterpret_cast<const std::byte *>(&argument),
                         {10, 1, 1},
                         {100, 1, 1},
                         {0, 0, 0},
                         1,
                         nullptr,
                         nullptr,
                         0,
                         0,
                         nullptr};
      WorkerState worker{};
      code->function(&launch, &worker, 0, 10);
      destroyFibers(worker); // a loop that reads volatile memory may wait for others, so it runs on fibers
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(sum, 4000.0f);
}

TEST(Atomics, Orders) {
  std::vector<int> a{0}, out(7);
  Launch(testProgram("atomics"), "orders").arg(a).arg(out).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<int>{5, 5, 1, 0, 9, 9, 1}));
}

TEST(Atomics, Flags) {
  std::vector<int> flag{0}, out(3);
  Launch(testProgram("atomics"), "flags").arg(flag).arg(out).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<int>{0, 1, 0}));
}

TEST(Atomics, LocalHistogram) {
  std::vector<uint8_t> in(10000);
  std::vector<uint32_t> out(256), expected(256);
  for (size_t k = 0; k < in.size(); ++k)
    ++expected[in[k] = static_cast<uint8_t>(k * k / 7)];
  Launch(testProgram("atomics"), "histogram").arg(in).arg(out).arg(uint32_t(in.size())).run({5, 1, 1}, {96, 1, 1});
  EXPECT_EQ(out, expected);
}

} // namespace
} // namespace hiplz::cpu
