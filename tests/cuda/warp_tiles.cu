// SPDX-License-Identifier: MIT
// Tiles of several warps: each meets and sums by itself, also where only one of them does.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

template <unsigned size> __global__ void sums(const int *values, int *results, int *ranks) {
  __shared__ cg::block_tile_memory<256> memory;
  __shared__ int stage[256];
  auto block = cg::this_thread_block(memory);
  auto tile = cg::tiled_partition<size>(block);
  const unsigned i = block.thread_rank();
  ranks[i] = tile.meta_group_rank() * 1000 + tile.thread_rank();
  int sum = 0;
  for (unsigned round = 0; round < 3; ++round) // the memory is used again
    sum += cg::reduce(tile, values[i] + (int)round, cg::plus<int>());
  if (tile.meta_group_rank() == 1) { // the others go on
    stage[i] = sum;
    tile.sync();
    sum = stage[tile.meta_group_rank() * size + (tile.thread_rank() + 33) % size];
  }
  results[i] = sum + (int)tile.meta_group_size();
}

template <unsigned size> static void check(const std::vector<int> &values) {
  int *results = onDevice(values), *ranks = onDevice(values);
  sums<size><<<1, 256>>>(onDevice(values), results, ranks);
  const std::vector<int> found = onHost(results, 256), places = onHost(ranks, 256);
  for (unsigned i = 0; i < 256; ++i) {
    int sum = 0;
    for (unsigned j = i / size * size; j < (i / size + 1) * size; ++j)
      sum += 3 * values[j] + 3;
    EXPECT(found[i] == sum + int(256 / size));
    EXPECT(places[i] == int(i / size * 1000 + i % size));
  }
}

int main() {
  std::vector<int> values(256);
  for (int i = 0; i < 256; ++i)
    values[i] = i * i % 101 - 20;
  check<16>(values);
  check<64>(values);
  check<128>(values);
  check<256>(values);
}
