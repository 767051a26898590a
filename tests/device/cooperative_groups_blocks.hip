// SPDX-License-Identifier: MIT
// Blocks, grids and groups of any kind: what functions that take a thread_group, or any group as a template, see of each.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

namespace cg = cooperative_groups;

namespace {

struct Seen {
  unsigned type, rank, size, valid;
};

__device__ Seen seenAs(const cg::thread_group &group) {
  return {group.cg_type(), group.thread_rank(), group.num_threads(), group.is_valid()};
}
template <class Group> __device__ Seen seenAsItself(const Group &group) {
  return {group.cg_type(), cg::thread_rank(group), cg::group_size(group), cg::is_valid(group)};
}

struct Place {
  Seen groups[8];
  dim3 groupIndex, threadIndex, blockShape, blockShape2, gridShape, blockIndex;
  unsigned long long gridThreads, blockRank;
};

__global__ void look(Place *out) {
  cg::thread_block block = cg::this_thread_block();
  cg::grid_group grid = cg::this_grid();
  auto tile = cg::tiled_partition<8>(block);
  Place p;
  p.groups[0] = seenAs(block);
  p.groups[1] = seenAsItself(block);
  p.groups[2] = seenAs(grid);
  p.groups[3] = seenAsItself(grid);
  p.groups[4] = seenAs(tile);
  p.groups[5] = seenAsItself(tile);
  p.groups[6] = seenAs(cg::coalesced_threads());
  p.groups[7] = seenAs(cg::tiled_partition(static_cast<const cg::thread_group &>(block), 4));
  p.groupIndex = block.group_index();
  p.threadIndex = block.thread_index();
  p.blockShape = block.group_dim();
  p.blockShape2 = block.dim_threads();
  p.gridShape = grid.group_dim();
  p.blockIndex = grid.block_index();
  p.gridThreads = grid.num_threads();
  p.blockRank = grid.block_rank();
  out[grid.thread_rank()] = p;
}

bool same(dim3 a, dim3 b) { return a.x == b.x && a.y == b.y && a.z == b.z; }

void places(bool cooperative) {
  const dim3 grid(3, 2, 2), shape(5, 4, 2);
  const unsigned threads = 40, blocks = 12;
  DeviceArray<Place> out(threads * blocks);
  Place *pointer = out;
  void *arguments[] = {&pointer};
  if (cooperative)
    HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(look), grid, shape, arguments, 0, nullptr));
  else
    look<<<grid, shape>>>(pointer);
  HIP_CHECK(hipGetLastError());
  std::vector<Place> all = out.host();
  for (unsigned i = 0; i < threads * blocks; ++i) {
    const unsigned thread = i % threads, block = i / threads;
    const Place &p = all[i];
    const auto check = [&](int group, unsigned type, unsigned rank, unsigned size, bool valid = true) {
      CHECK_EQ(p.groups[group].type, type);
      CHECK_EQ(p.groups[group].rank, rank);
      CHECK_EQ(p.groups[group].size, size);
      CHECK_EQ(p.groups[group].valid, static_cast<unsigned>(valid));
    };
    for (int kind : {0, 1}) {
      check(0 + kind, cg::internal::cg_workgroup, thread, threads);
      check(2 + kind, cg::internal::cg_grid, i, threads * blocks, cooperative);
      check(4 + kind, cg::internal::cg_tiled_group, thread % 8, 8);
    }
    check(6, cg::internal::cg_coalesced_group, thread % 32, thread < 32 ? 32 : 8);
    check(7, cg::internal::cg_tiled_group, thread % 4, 4);
    const dim3 blockIndex(block % 3, block / 3 % 2, block / 6);
    CHECK(same(p.groupIndex, blockIndex));
    CHECK(same(p.blockIndex, blockIndex));
    CHECK(same(p.threadIndex, dim3(thread % 5, thread / 5 % 4, thread / 20)));
    CHECK(same(p.blockShape, shape));
    CHECK(same(p.blockShape2, shape));
    CHECK(same(p.gridShape, grid));
    CHECK_EQ(p.gridThreads, static_cast<unsigned long long>(threads * blocks));
    CHECK_EQ(p.blockRank, static_cast<unsigned long long>(block));
  }
}

// A sum over the group whatever it is, through memory that all of its threads see.
__device__ int sumOf(const cg::thread_group &group, int *memory, int value) {
  const unsigned rank = group.thread_rank();
  memory[rank] = value;
  for (unsigned half = group.size() / 2; half > 0; half /= 2) {
    group.sync();
    if (rank < half)
      memory[rank] += memory[rank + half];
  }
  group.sync();
  return memory[0];
}

__global__ void sums(int *memory, int *out) {
  __shared__ int shared[64];
  cg::thread_block block = cg::this_thread_block();
  const int value = static_cast<int>(cg::this_grid().thread_rank());
  const unsigned rank = block.thread_rank();
  int *mine = out + 4 * cg::this_grid().thread_rank();
  mine[0] = sumOf(block, shared, value);
  block.sync();
  mine[1] = sumOf(cg::tiled_partition(block, 16), shared + rank / 16 * 16, value);
  block.sync();
  mine[2] = sumOf(cg::this_grid(), memory, value);
  cg::sync(block);
  mine[3] = 0;
  cg::invoke_one(
      block, [=](int add) { mine[3] = add; }, 7);
}

void synchronised() {
  DeviceArray<int> memory(256), out(4 * 256);
  int *m = memory, *o = out;
  void *arguments[] = {&m, &o};
  HIP_CHECK(hipLaunchCooperativeKernel(reinterpret_cast<const void *>(sums), dim3(4), dim3(64), arguments, 0, nullptr));
  std::vector<int> results = out.host();
  for (int i = 0; i < 256; ++i) {
    const int block = i / 64, tile = i / 16;
    CHECK_EQ(results[4 * i], 64 * 64 * block + 63 * 32);
    CHECK_EQ(results[4 * i + 1], 16 * 16 * tile + 15 * 8);
    CHECK_EQ(results[4 * i + 2], 255 * 128);
    CHECK_EQ(results[4 * i + 3], i % 64 == 0 ? 7 : 0);
  }
}

// A thread's writes before its arrival are there for all that have waited.
__global__ void reverse(int *memory, int *out) {
  __shared__ int shared[64];
  const cg::thread_block block = cg::this_thread_block();
  const cg::grid_group grid = cg::this_grid();
  const int rank = static_cast<int>(grid.thread_rank());
  shared[block.thread_rank()] = rank;
  auto inBlock = block.barrier_arrive();
  memory[rank] = rank;
  block.barrier_wait(std::move(inBlock));
  auto inGrid = grid.barrier_arrive();
  const int other = shared[63 - block.thread_rank()];
  grid.barrier_wait(std::move(inGrid));
  out[rank] = 1000 * other + memory[255 - rank];
}

void arrivedAndWaited() {
  DeviceArray<int> memory(256), out(256);
  int *m = memory, *o = out;
  void *arguments[] = {&m, &o};
  HIP_CHECK(
      hipLaunchCooperativeKernel(reinterpret_cast<const void *>(reverse), dim3(4), dim3(64), arguments, 0, nullptr));
  std::vector<int> results = out.host();
  for (int i = 0; i < 256; ++i)
    CHECK_EQ(results[i], 1000 * (i / 64 * 64 + 63 - i % 64) + 255 - i);
}

} // namespace

TEST(places) {
  places(false);
  places(true);
}
TEST(synchronised) { synchronised(); }
TEST(arrivedAndWaited) { arrivedAndWaited(); }

int main(int argc, char **argv) { return runTests(argc, argv); }
