// SPDX-License-Identifier: MIT
// Tiles of every size, of blocks of many shapes, some of which end in the middle of a tile: ranks, partitions, shuffles of
// several types, votes and matches, beside what the ranks alone say that they are.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

struct Wide {
  double x;
  short y[3];
  __host__ __device__ bool operator==(const Wide &other) const {
    return x == other.x && y[0] == other.y[0] && y[2] == other.y[2];
  }
};
__host__ __device__ Wide wideOf(int i) { return {i * 0.5, {short(i), short(2 * i), short(-i)}}; }

struct Result {
  unsigned rank, size, metaRank, metaSize, type;
  unsigned dynamicRank, dynamicSize, dynamicMetaRank, dynamicMetaSize, groupRank, groupSize;
  unsigned voidMetaRank, voidMetaSize, innerRank, innerMetaRank, innerMetaSize;
  int shfl, down, up, exchanged, any, all, matchPredicate, uniformPredicate;
  short shortShfl;
  long long longShfl;
  double doubleDown;
  Wide wideShfl;
  unsigned long long ballot, matchAny, matchAll, matchUniform;
};

__host__ __device__ int valueOf(unsigned i) { return int(i * 2654435761u >> 28); }

template <unsigned size> __global__ void tiles(Result *out) {
  cg::thread_block block = cg::this_thread_block();
  auto tile = cg::tiled_partition<size>(block);
  const unsigned i = block.thread_rank();
  const int value = valueOf(i);
  Result r;
  r.rank = tile.thread_rank();
  r.size = tile.size();
  r.metaRank = tile.meta_group_rank();
  r.metaSize = tile.meta_group_size();
  r.type = tile.cg_type();
  cg::tiled_group dynamic = tile;
  r.dynamicRank = dynamic.thread_rank();
  r.dynamicSize = dynamic.size();
  cg::thread_block_tile<size> anyParent = tile;
  r.voidMetaRank = anyParent.meta_group_rank();
  r.voidMetaSize = anyParent.meta_group_size();
  cg::thread_group group = cg::tiled_partition(block, size);
  r.groupRank = group.thread_rank();
  r.groupSize = group.size();
  r.dynamicMetaRank = dynamic.meta_group_rank();
  r.dynamicMetaSize = dynamic.meta_group_size();
  auto inner = cg::tiled_partition<(size + 1) / 2>(anyParent);
  r.innerRank = inner.thread_rank();
  r.innerMetaRank = inner.meta_group_rank();
  r.innerMetaSize = inner.meta_group_size();
  r.shfl = tile.shfl(value, size - 1);
  r.down = tile.shfl_down(value, 3);
  r.up = anyParent.shfl_up(value, 1);
  r.exchanged = tile.shfl_xor(value, size / 2);
  r.shortShfl = tile.shfl(static_cast<short>(value), 0);
  r.longShfl = tile.shfl(value * 1000000007LL * 64, 0);
  r.doubleDown = tile.shfl_down(value / 3.0, 1);
  r.wideShfl = tile.shfl(wideOf(value), 0);
  r.any = tile.any(value == 3);
  r.all = tile.all(value != 3);
  r.ballot = tile.ballot(value & 1);
  r.matchAny = tile.match_any(value / 4);
  r.matchAll = tile.match_all(value / 4, r.matchPredicate);
  r.matchUniform = tile.match_all(2.5f, r.uniformPredicate);
  tile.sync();
  group.sync();
  out[blockIdx.x * block.size() + i] = r;
}

template <unsigned size> void check(dim3 shape) {
  const unsigned threads = shape.x * shape.y * shape.z;
  DeviceArray<Result> out(2 * threads);
  tiles<size><<<2, shape>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<Result> results = out.host();
  for (unsigned t = 0; t < 2 * threads; ++t) {
    const Result &r = results[t];
    const unsigned i = t % threads, rank = i % size, first = i - rank, count = std::min(size, threads - first);
    const unsigned tileCount = (threads + size - 1) / size, half = (size + 1) / 2;
    // Lanes that a tile at the end of a block does not have read as 0.
    const auto of = [&](unsigned wanted) { return wanted < count ? valueOf(first + wanted) : 0; };
    unsigned long long odd = 0, equal = 0;
    bool any = false, all = true, same = true;
    for (unsigned other = 0; other < count; ++other) {
      const int value = valueOf(first + other);
      odd |= static_cast<unsigned long long>(value & 1) << other;
      equal |= static_cast<unsigned long long>(value / 4 == valueOf(i) / 4) << other;
      any |= value == 3;
      all &= value != 3;
      same &= value / 4 == valueOf(i) / 4;
    }
    const unsigned long long every = 0xffffffffull >> (32 - count);
    CHECK_EQ(r.rank, rank);
    CHECK_EQ(r.size, size);
    CHECK_EQ(r.metaRank, i / size);
    CHECK_EQ(r.metaSize, tileCount);
    CHECK_EQ(r.voidMetaRank, i / size);
    CHECK_EQ(r.voidMetaSize, tileCount);
    CHECK_EQ(r.dynamicMetaRank, i / size);
    CHECK_EQ(r.dynamicMetaSize, tileCount);
    CHECK_EQ(r.dynamicRank, rank);
    CHECK_EQ(r.dynamicSize, count); // a tile at the end of a block knows how many threads there are
    CHECK_EQ(r.groupRank, rank);
    CHECK_EQ(r.groupSize, count);
    CHECK_EQ(r.innerRank, rank % half);
    CHECK_EQ(r.innerMetaRank, rank / half);
    CHECK_EQ(r.innerMetaSize, size / half);
    CHECK_EQ(r.type, static_cast<unsigned>(cg::internal::cg_tiled_group));
    CHECK_EQ(r.shfl, of(size - 1));
    CHECK_EQ(r.down, rank + 3 < size ? of(rank + 3) : of(rank));
    CHECK_EQ(r.up, rank >= 1 ? of(rank - 1) : of(rank));
    CHECK_EQ(r.exchanged, of(rank ^ size / 2));
    CHECK_EQ(r.shortShfl, static_cast<short>(of(0)));
    CHECK_EQ(r.longShfl, of(0) * 1000000007LL * 64);
    CHECK_EQ(r.doubleDown, of(rank + 1 < size ? rank + 1 : rank) / 3.0);
    CHECK(r.wideShfl == wideOf(of(0)));
    CHECK_EQ(r.any, static_cast<int>(any));
    CHECK_EQ(r.all, static_cast<int>(all));
    CHECK_EQ(r.ballot, odd);
    CHECK_EQ(r.matchAny, equal);
    CHECK_EQ(r.matchPredicate, static_cast<int>(same));
    CHECK_EQ(r.matchAll, same ? every : 0);
    CHECK_EQ(r.uniformPredicate, 1);
    CHECK_EQ(r.matchUniform, every);
  }
}

// Tiles of one warp that do different things, meet at different places and different numbers of times.
__global__ void divergent(int *out) {
  __shared__ int seen[64];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int sum = 0;
  if (tile.meta_group_rank() % 2 == 0) {
    for (unsigned round = 0; round <= tile.meta_group_rank(); ++round) {
      seen[threadIdx.x] = static_cast<int>(threadIdx.x + round);
      tile.sync();
      sum += seen[threadIdx.x ^ 7];
      tile.sync();
    }
  } else {
    sum = static_cast<int>(tile.ballot(tile.thread_rank() < 3));
    tile.sync();
    sum += tile.shfl(static_cast<int>(threadIdx.x), 5) * 1000;
  }
  out[threadIdx.x] = sum;
}

void divergentTiles() {
  DeviceArray<int> out(64);
  divergent<<<1, 64>>>(out);
  std::vector<int> sums = out.host();
  for (int i = 0; i < 64; ++i) {
    const int tile = i / 8, rounds = tile + 1;
    CHECK_EQ(sums[i], tile % 2 == 0 ? rounds * (i ^ 7) + rounds * tile / 2 : 7 + (tile * 8 + 5) * 1000);
  }
}

struct Sizes {
  int valid[6], sizes[6], ofGrid, ofTile, ofTileSize, metaRank, groupValid;
};

// Sizes that cannot be.
__global__ void impossible(const unsigned *wanted, Sizes *out) {
  Sizes s;
  for (int i = 0; i < 6; ++i) {
    cg::thread_group group = cg::tiled_partition(cg::this_thread_block(), wanted[i]);
    s.valid[i] = group.is_valid();
    s.sizes[i] = static_cast<int>(group.size());
  }
  s.ofGrid = cg::tiled_partition(cg::this_grid(), 8).is_valid();
  cg::tiled_group tile =
      cg::tiled_partition(cg::tiled_group(cg::tiled_partition<16>(cg::this_thread_block())), wanted[5]);
  s.ofTile = tile.is_valid();
  s.ofTileSize = static_cast<int>(tile.size());
  s.metaRank = static_cast<int>(tile.meta_group_rank());
  s.groupValid = cg::is_valid(cg::tiled_partition(cg::tiled_partition(cg::this_thread_block(), 0), 4));
  out[threadIdx.x] = s;
}

void impossibleSizes() {
  DeviceArray<unsigned> wanted(std::vector<unsigned>{0, 3, 33, 64, 1u << 31, 4});
  DeviceArray<Sizes> out(64);
  impossible<<<1, 64>>>(wanted, out);
  std::vector<Sizes> sizes = out.host();
  for (int i = 0; i < 64; ++i) {
    for (int size = 0; size < 5; ++size) {
      CHECK_EQ(sizes[i].valid[size], 0);
      CHECK_EQ(sizes[i].sizes[size], 0);
    }
    CHECK_EQ(sizes[i].valid[5], 1);
    CHECK_EQ(sizes[i].sizes[5], 4);
    CHECK_EQ(sizes[i].ofGrid, 0);
    CHECK_EQ(sizes[i].ofTile, 1);
    CHECK_EQ(sizes[i].ofTileSize, 4);
    CHECK_EQ(sizes[i].metaRank, i % 16 / 4);
    CHECK_EQ(sizes[i].groupValid, 0);
  }
}

} // namespace

TEST(shapes) {
  for (dim3 shape : {dim3(1), dim3(7), dim3(32), dim3(45), dim3(5, 7, 2), dim3(8, 8, 4)}) {
    check<1>(shape);
    check<2>(shape);
    check<4>(shape);
    check<8>(shape);
    check<16>(shape);
    check<32>(shape);
  }
}
TEST(divergentTiles) { divergentTiles(); }
TEST(impossibleSizes) { impossibleSizes(); }

int main(int argc, char **argv) { return runTests(argc, argv); }
