// SPDX-License-Identifier: MIT
#include "harness.h"

#include <numeric>
#include <pthread.h>

namespace hiplz::cpu {
namespace {

class Basic : public testing::TestWithParam<const char *> {
protected:
  const Program *program() { return testProgram("basic", GetParam()); }
};
// Everything also without optimisation and with debug information.
INSTANTIATE_TEST_SUITE_P(
    Flags, Basic, testing::Values("", "-cl-opt-disable", "-g", "-g -cl-opt-disable"), [](const auto &info) {
      return std::string(*info.param ? info.index == 1 ? "O0" : info.index == 2 ? "g" : "gO0" : "O3");
    });

TEST_P(Basic, VectorAddition) {
  std::vector<float> a(1000), b(1000), c(1024, -1.0f);
  for (int i = 0; i < 1000; ++i)
    a[i] = float(i), b[i] = float(2 * i);
  Launch(program(), "vecadd").arg(a).arg(b).arg(c).arg(1000).run({16, 1, 1}, {64, 1, 1});
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(c[i], i < 1000 ? 3.0f * i : -1.0f) << i;
}

// Where blocks are no multiple of the warp, and where several of them share one.
TEST_P(Basic, GlobalIdsOf32BitsWrapWithinAWorkGroup) {
  for (uint32_t items : {1u, 3u, 4u, 7u, 8u, 9u, 100u, 256u})
    for (uint64_t boundary : {uint64_t(1) << 31, uint64_t(1) << 32}) {
      const uint64_t first = boundary / items - 4, groups = 9;
      if (first + groups >= uint64_t(1) << 31)
        continue;
      const uint32_t firstGroup = static_cast<uint32_t>(first);
      std::vector<int64_t> out(2 * groups * items, -1), loop = out;
      const Launch::Size grid{firstGroup + 20, 1, 1}, block{items, 1, 1};
      Launch(program(), "wrapping_ids").arg(out).arg(firstGroup).runSome(grid, block, first, first + groups);
      Launch(program(), "wrapping_ids_in_loop")
          .arg(loop)
          .arg(firstGroup)
          .arg(3)
          .runSome(grid, block, first, first + groups);
      for (uint64_t i = 0; i < groups * items; ++i) {
        const auto id = static_cast<uint32_t>(first * items + i);
        int64_t sum = 0;
        for (uint32_t k = 0; k < 3; ++k)
          sum += static_cast<int32_t>(id + k);
        ASSERT_EQ(out[2 * i], static_cast<int32_t>(id)) << items << " items, the one behind " << i;
        ASSERT_EQ(out[2 * i + 1], id) << items << " items, the one behind " << i;
        ASSERT_EQ(loop[2 * i], sum) << items << " items, the one behind " << i;
        ASSERT_EQ(loop[2 * i + 1], id) << items << " items, the one behind " << i;
      }
    }
}

TEST_P(Basic, Ids) {
  Launch::Size groups{3, 2, 4}, items{4, 3, 2}, offset{10, 20, 30};
  std::vector<uint64_t> out(size_t(12) * 6 * 8 * 20);
  Launch(program(), "ids").arg(out).run(groups, items, offset);
  const uint64_t *o = out.data();
  for (uint32_t z = 0; z < 8; ++z)
    for (uint32_t y = 0; y < 6; ++y)
      for (uint32_t x = 0; x < 12; ++x, o += 20) {
        uint32_t id[3] = {x, y, z};
        for (int d = 0; d < 3; ++d) {
          ASSERT_EQ(o[d], id[d] + offset[d]);
          ASSERT_EQ(o[3 + d], id[d] % items[d]);
          ASSERT_EQ(o[6 + d], id[d] / items[d]);
          ASSERT_EQ(o[9 + d], items[d]);
          ASSERT_EQ(o[12 + d], groups[d]);
          ASSERT_EQ(o[15 + d], groups[d] * items[d]);
        }
        ASSERT_EQ(o[18], (z % 2 * 3 + y % 3) * 4 + x % 4);
        ASSERT_EQ(o[19], 3u);
      }
}

// A warp has the private memory of all its lanes, more than the stack of a small thread holds.
TEST_P(Basic, LargePrivateArrayOnASmallStack) {
  struct Task {
    const Program *program;
    std::vector<int> out = std::vector<int>(192);
  } task{program()};
  pthread_attr_t attributes;
  ASSERT_EQ(pthread_attr_init(&attributes), 0);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 192 << 10), 0);
  pthread_t thread;
  auto work = [](void *argument) -> void * {
    auto &task = *static_cast<Task *>(argument);
    Launch(task.program, "large_private").arg(task.out).run({3, 1, 1}, {64, 1, 1});
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, work, &task), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  for (int i = 0; i < 192; ++i)
    EXPECT_EQ(task.out[i], i + 4095 - i % 64) << i;
}

TEST_P(Basic, DimensionsBeyondThree) {
  std::vector<uint64_t> out(3, 99);
  Launch(program(), "odd_dimensions").arg(out).arg(7u).run({1, 1, 1}, {1, 1, 1}, {5, 0, 0});
  EXPECT_EQ(out[0], 0u);
  EXPECT_EQ(out[2], 5u);
}

TEST_P(Basic, ArgumentsOfAllKinds) {
  struct Small {
    char a;
    double b;
    int c[3];
  } small{4, 2.5, {1, 2, 3}};
  struct alignas(16) Float3 {
    float v[4];
  } f3{{1, 2, 3, 0}};
  struct alignas(16) Int4 {
    int v[4];
  } i4{{1, 2, 3, 4}};
  std::vector<double> out(12);
  Launch launch(program(), "arguments");
  launch.arg(char(-1)).arg(short(-2)).arg(-3).arg(int64_t(1) << 40).arg(0.5f).arg(0.25).arg(f3).arg(i4).arg(small);
  launch.arg(out).arg(Local{64}).arg(Local{64}).arg(uint8_t(200)).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out, (std::vector<double>{-1, -2, -3, 1099511627776.0, 0.5, 0.25, 321, 4321, 4, 2.5, 331, 200}));
  EXPECT_EQ(launch.info().args[8].kind, ArgKind::byValue);
  EXPECT_EQ(launch.info().args[9].kind, ArgKind::globalPointer);
}

TEST_P(Basic, BarrierAndStaticLocalMemory) {
  std::vector<int> data(1024);
  std::iota(data.begin(), data.end(), 0);
  Launch launch(program(), "reverse");
  launch.arg(data).run({4, 1, 1}, {256, 1, 1});
  EXPECT_EQ(launch.info().staticLocalBytes, 1024u);
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(data[i], i / 256 * 256 + 255 - i % 256);
}

TEST_P(Basic, BarriersInALoopAndDynamicLocalMemory) {
  std::vector<int> in(4096), out(4);
  std::iota(in.begin(), in.end(), 1);
  Launch(program(), "reduce").arg(in).arg(out).arg(Local{4096}).run({4, 1, 1}, {1024, 1, 1});
  for (int g = 0; g < 4; ++g)
    EXPECT_EQ(out[g], std::accumulate(in.begin() + g * 1024, in.begin() + (g + 1) * 1024, 0));
}

TEST_P(Basic, BarrierAfterEarlyExit) {
  for (int n : {1, 31, 33, 100}) {
    std::vector<int> data(128);
    std::iota(data.begin(), data.end(), 0);
    Launch(program(), "early_exit").arg(data).arg(n).run({1, 1, 1}, {128, 1, 1});
    for (int i = 0; i < 128; ++i)
      ASSERT_EQ(data[i], i < n ? n - 1 - i : i);
  }
}

TEST_P(Basic, BarriersAtDifferentPlacesMeet) {
  std::vector<int> data(64);
  Launch(program(), "split_barrier").arg(data).run({1, 1, 1}, {64, 1, 1});
  for (int i = 0; i < 64; ++i)
    ASSERT_EQ(data[i], 63 - i + (i < 20 ? 0 : 1000));
}

TEST_P(Basic, ProgramScopeVariables) {
  std::vector<int> out(3);
  const GlobalInfo *counter = program()->findGlobal("counter");
  ASSERT_TRUE(counter);
  ASSERT_EQ(counter->size, 4u);
  *static_cast<int *>(counter->address) = 100;
  Launch(program(), "variables").arg(out).run({1, 1, 1}, {1, 1, 1}, {2, 0, 0});
  EXPECT_EQ(out, (std::vector<int>{4, 100, 100}));
  EXPECT_EQ(*static_cast<int *>(counter->address), 101);
  const GlobalInfo *table = program()->findGlobal("table");
  ASSERT_TRUE(table);
  EXPECT_EQ(static_cast<const int *>(table->address)[2], 4);
}

TEST_P(Basic, Recursion) {
  std::vector<int> out(64);
  Launch(program(), "recursion").arg(out).run({2, 1, 1}, {32, 1, 1});
  for (int i = 0; i < 64; ++i) {
    int expected = 1;
    for (int k = 2; k <= i % 10; ++k)
      expected *= k;
    ASSERT_EQ(out[i], expected);
  }
}

TEST_P(Basic, PrivateArrays) {
  std::vector<int> out(128);
  Launch(program(), "private_array").arg(out).arg(5).run({2, 1, 1}, {64, 1, 1});
  for (int i = 0; i < 128; ++i) {
    int values[16], sum = 0;
    for (int k = 0; k < 16; ++k)
      values[(k + 5) & 15] = i * k;
    for (int k = 0; k < 16; ++k)
      sum += values[(i + k * 3) & 15] * k;
    ASSERT_EQ(out[i], sum);
  }
}

TEST_P(Basic, RequiredGroupSize) {
  const KernelInfo *kernel = program()->findKernel("required");
  ASSERT_TRUE(kernel);
  EXPECT_EQ(kernel->requiredGroupSize[0], 8u);
  EXPECT_EQ(kernel->requiredGroupSize[1], 4u);
  EXPECT_EQ(kernel->requiredGroupSize[2], 2u);
}

TEST_P(Basic, GenericPointers) {
  for (int which = 0; which < 3; ++which) {
    std::vector<int> g(4, 0);
    Launch(program(), "generic_pointers").arg(g).arg(Local{16}).arg(which).run({1, 1, 1}, {1, 1, 1});
    EXPECT_EQ(g[0], which == 0 ? 7 : 0);
    EXPECT_EQ(g[1], which == 2 ? 7 : 5);
    EXPECT_EQ(g[2] == 7, which == 1);
    EXPECT_EQ(g[3], which == 1);
  }
}

TEST_P(Basic, StructuresByValue) {
  struct Quad {
    float x, y, z, w;
  };
  std::vector<Quad> q(100, Quad{1, 2, 3, 4});
  Launch(program(), "structs").arg(q).arg(Quad{10, 20, 30, 40}).run({10, 1, 1}, {10, 1, 1});
  for (const Quad &one : q) {
    ASSERT_EQ(one.x, 11);
    ASSERT_EQ(one.y, 2);
    ASSERT_EQ(one.w, 160);
  }
}

TEST_P(Basic, LocalVariablesOfSeveralKernels) {
  std::vector<int> out(200);
  Launch one(program(), "locals_one");
  one.arg(out).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(out[0], 4321);
  EXPECT_LE(one.info().staticLocalBytes, 48u);
  Launch two(program(), "locals_two");
  EXPECT_EQ(two.info().staticLocalBytes, 60000u);
  two.arg(out).run({1, 1, 1}, {100, 1, 1});
  for (int i = 0; i < 100; ++i)
    ASSERT_EQ(out[i], 99 - i);
}

TEST_P(Basic, CopiesByTheWorkGroup) {
  std::vector<float> in(256), out(256);
  std::iota(in.begin(), in.end(), 0.0f);
  Launch(program(), "async_copy").arg(in).arg(out).run({4, 1, 1}, {64, 1, 1});
  for (int i = 0; i < 256; ++i)
    ASSERT_EQ(out[i], 2.0f * i);
}

TEST_P(Basic, VectorLoadsAndHalves) {
  std::vector<float> f(16);
  std::iota(f.begin(), f.end(), 0.0f);
  f[10] = 1.0006f; // between two halves, nearer to the upper one
  std::vector<uint16_t> h{0x3e00, 0, 0};
  Launch(program(), "vectors").arg(f).arg(h).run({1, 1, 1}, {1, 1, 1});
  EXPECT_EQ(f[6], 6);
  EXPECT_EQ(f[7], 8);
  EXPECT_EQ(f[8], 10);
  EXPECT_EQ(f[9], 1.5f);
  EXPECT_EQ(h[1], 0x3c01);
  EXPECT_EQ(h[2], 0x3c00);
  EXPECT_EQ(f[12], 4);
  EXPECT_EQ(f[15], 1);
}

TEST_P(Basic, ThirtyTwoBitIds) {
  std::vector<float> x(1000), y(1024, 1.0f);
  std::iota(x.begin(), x.end(), 0.0f);
  Launch(program(), "saxpy32").arg(y).arg(x).arg(2.0f).arg(1000u).run({8, 1, 1}, {128, 1, 1});
  for (int i = 0; i < 1024; ++i)
    ASSERT_EQ(y[i], i < 1000 ? 2.0f * i + 1 : 1.0f);
}

} // namespace
} // namespace hiplz::cpu
