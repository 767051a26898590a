// SPDX-License-Identifier: MIT
// Coalesced groups: the threads that are there in branches and loops, their partitions, shuffles, votes and matches.
#include "check.h"

#include <hip/hip_cooperative_groups.h>

#include <algorithm>

namespace cg = cooperative_groups;

namespace {

struct Result {
  unsigned rank, size, metaRank, metaSize, type;
  unsigned tileRank, tileSize, tileMetaRank, tileMetaSize;
  unsigned oddRank, oddSize, oddMetaRank, oddMetaSize;
  unsigned labelRank, labelSize, labelMetaRank, labelMetaSize;
  int shfl, wrapped, down, up, any, all, matchPredicate;
  double doubleShfl;
  unsigned long long ballot, matchAny, matchAll;
};

__host__ __device__ bool takesPart(unsigned i, int pattern) {
  return pattern == 0 || (pattern == 1 && i % 3 != 1) || (pattern == 2 && (i * 2654435761u >> 31) != 0) ||
         (pattern == 3 && i % 32 == 9);
}
__host__ __device__ int valueOf(unsigned i) { return int(i * 40503u >> 3 & 15); }

__global__ void branches(Result *out, int pattern) {
  const unsigned i = threadIdx.x;
  if (takesPart(i, pattern)) {
    cg::coalesced_group group = cg::coalesced_threads();
    const int value = valueOf(i);
    Result r;
    r.rank = group.thread_rank();
    r.size = group.size();
    r.metaRank = group.meta_group_rank();
    r.metaSize = group.meta_group_size();
    r.type = group.cg_type();
    cg::coalesced_group tile = cg::tiled_partition(group, 4);
    r.tileRank = tile.thread_rank();
    r.tileSize = tile.size();
    r.tileMetaRank = tile.meta_group_rank();
    r.tileMetaSize = tile.meta_group_size();
    cg::coalesced_group odd = cg::binary_partition(group, value & 1);
    r.oddRank = odd.thread_rank();
    r.oddSize = odd.size();
    r.oddMetaRank = odd.meta_group_rank();
    r.oddMetaSize = odd.meta_group_size();
    cg::coalesced_group label = cg::labeled_partition(group, value % 5);
    r.labelRank = label.thread_rank();
    r.labelSize = label.size();
    r.labelMetaRank = label.meta_group_rank();
    r.labelMetaSize = label.meta_group_size();
    r.shfl = group.shfl(value, static_cast<int>(group.size()) - 1);
    r.wrapped = group.shfl(value, 40);
    r.down = group.shfl_down(value, 2);
    r.up = group.shfl_up(value, 3);
    r.doubleShfl = odd.shfl(value / 7.0, 0);
    r.any = group.any(value == 3);
    r.all = group.all(value != 3);
    r.ballot = group.ballot(value & 2);
    r.matchAny = group.match_any(value % 5);
    r.matchAll = group.match_all(value % 5, r.matchPredicate);
    group.sync();
    out[i] = r;
  }
}

void check(unsigned threads, int pattern) {
  DeviceArray<Result> out(threads);
  branches<<<1, threads>>>(out, pattern);
  HIP_CHECK(hipGetLastError());
  std::vector<Result> results = out.host();
  for (unsigned i = 0; i < threads; ++i) {
    if (!takesPart(i, pattern))
      continue;
    std::vector<unsigned> members;
    unsigned rank = 0;
    for (unsigned other = i / 32 * 32; other < std::min(threads, i / 32 * 32 + 32); ++other)
      if (takesPart(other, pattern)) {
        rank = other == i ? static_cast<unsigned>(members.size()) : rank;
        members.push_back(other);
      }
    const unsigned size = static_cast<unsigned>(members.size());
    // Rank, size and number of the part of those that are equal by some measure.
    const auto part = [&](auto measure) {
      std::vector<int> firsts;
      unsigned own = 0, count = 0;
      for (unsigned member : members) {
        const int m = measure(member);
        if (std::find(firsts.begin(), firsts.end(), m) == firsts.end())
          firsts.push_back(m);
        own += m == measure(i) && member < i;
        count += m == measure(i);
      }
      const auto at = std::find(firsts.begin(), firsts.end(), measure(i));
      return std::vector<unsigned>{own, count, static_cast<unsigned>(at - firsts.begin()),
                                   static_cast<unsigned>(firsts.size())};
    };
    const auto odd = part([](unsigned m) { return valueOf(m) & 1; });
    const auto label = part([](unsigned m) { return valueOf(m) % 5; });
    unsigned long long ballot = 0, equal = 0;
    bool any = false, all = true;
    unsigned firstOdd = i;
    for (unsigned r = 0; r < size; ++r) {
      ballot |= static_cast<unsigned long long>((valueOf(members[r]) & 2) != 0) << r;
      equal |= static_cast<unsigned long long>(valueOf(members[r]) % 5 == valueOf(i) % 5) << r;
      any |= valueOf(members[r]) == 3;
      all &= valueOf(members[r]) != 3;
      if (firstOdd == i && members[r] < i && (valueOf(members[r]) & 1) == (valueOf(i) & 1))
        firstOdd = members[r];
    }
    const Result &r = results[i];
    CHECK_EQ(r.rank, rank);
    CHECK_EQ(r.size, size);
    CHECK_EQ(r.metaRank, 0u);
    CHECK_EQ(r.metaSize, 1u);
    CHECK_EQ(r.type, static_cast<unsigned>(cg::internal::cg_coalesced_group));
    CHECK_EQ(r.tileRank, rank % 4);
    CHECK_EQ(r.tileSize, std::min(4u, size - rank / 4 * 4));
    CHECK_EQ(r.tileMetaRank, rank / 4);
    CHECK_EQ(r.tileMetaSize, (size + 3) / 4);
    CHECK_EQ(r.oddRank, odd[0]);
    CHECK_EQ(r.oddSize, odd[1]);
    CHECK_EQ(r.oddMetaRank, odd[3] == 2 ? valueOf(i) & 1u : 0u);
    CHECK_EQ(r.oddMetaSize, odd[3]);
    CHECK_EQ(r.labelRank, label[0]);
    CHECK_EQ(r.labelSize, label[1]);
    CHECK_EQ(r.labelMetaRank, label[2]);
    CHECK_EQ(r.labelMetaSize, label[3]);
    CHECK_EQ(r.shfl, valueOf(members[size - 1]));
    CHECK_EQ(r.wrapped, valueOf(members[40 % size]));
    CHECK_EQ(r.down, valueOf(rank + 2 < size ? members[rank + 2] : i));
    CHECK_EQ(r.up, valueOf(rank >= 3 ? members[rank - 3] : i));
    CHECK_EQ(r.doubleShfl, valueOf(firstOdd) / 7.0);
    CHECK_EQ(r.any, static_cast<int>(any));
    CHECK_EQ(r.all, static_cast<int>(all));
    CHECK_EQ(r.ballot, ballot);
    CHECK_EQ(r.matchAny, equal);
    const bool same = label[1] == size;
    CHECK_EQ(r.matchPredicate, static_cast<int>(same));
    CHECK_EQ(r.matchAll, same ? equal : 0);
  }
}

// The classic: one atomic operation for all threads of a warp that add at the same time; and a loop that threads leave one
// after the other, in which the group shrinks.
__global__ void aggregate(int *counter, int *places, unsigned *sizes) {
  if (threadIdx.x % 5 < 2) {
    cg::coalesced_group group = cg::coalesced_threads();
    int base = 0;
    if (group.thread_rank() == 0)
      base = atomicAdd(counter, static_cast<int>(group.size()));
    places[blockIdx.x * blockDim.x + threadIdx.x] = group.shfl(base, 0) + static_cast<int>(group.thread_rank());
  }
  for (unsigned round = 0; round <= threadIdx.x % 32; ++round)
    sizes[blockIdx.x * blockDim.x + threadIdx.x] = cg::coalesced_threads().size();
}

TEST(aggregated) {
  const int blocks = 3, threads = 100;
  DeviceArray<int> counter(1), places(std::vector<int>(blocks * threads, -1));
  DeviceArray<unsigned> sizes(blocks * threads);
  aggregate<<<blocks, threads>>>(counter, places, sizes);
  HIP_CHECK(hipGetLastError());
  std::vector<int> got = places.host(), seen(blocks * threads, 0);
  const int taking = blocks * threads / 5 * 2;
  CHECK_EQ(counter.host()[0], taking);
  for (int place : got)
    if (place >= 0 && place < taking)
      ++seen[place];
  for (int i = 0; i < taking; ++i)
    CHECK_EQ(seen[i], 1);
  std::vector<unsigned> left = sizes.host();
  for (int i = 0; i < blocks * threads; ++i) {
    const int thread = i % threads, lanes = std::min(32, threads - thread / 32 * 32);
    CHECK_EQ(left[i], static_cast<unsigned>(lanes - thread % 32));
  }
}

// The same call in both branches is two calls: a compiler must not make one of them.
__global__ void alike(unsigned *out) {
  if (threadIdx.x % 4 == 0)
    out[threadIdx.x] = cg::coalesced_threads().size();
  else
    out[threadIdx.x] = cg::coalesced_threads().size() + 100;
}

TEST(alikeBranches) {
  DeviceArray<unsigned> out(64);
  alike<<<1, 64>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<unsigned> sizes = out.host();
  for (int i = 0; i < 64; ++i)
    CHECK_EQ(sizes[i], i % 4 == 0 ? 8u : 124u);
}

struct Single {
  unsigned rank, size, valid, type;
  unsigned parts[3];
};

__global__ void alone(Single *out) {
  cg::thread_group self = cg::this_thread();
  Single s = {cg::thread_rank(self), cg::group_size(self), cg::is_valid(self), self.cg_type(), {}};
  cg::sync(self);
  // Partitions of a group whose type is not known any more, and those into no size.
  cg::thread_group any = cg::coalesced_threads();
  s.parts[0] = cg::tiled_partition(any, 8).size();
  s.parts[1] = cg::tiled_partition(cg::coalesced_threads(), 6).size();
  s.parts[2] = cg::binary_partition(cg::tiled_partition<16>(cg::this_thread_block()), threadIdx.x % 16 < 5).size();
  out[threadIdx.x] = s;
}

TEST(singles) {
  DeviceArray<Single> out(48);
  alone<<<1, 48>>>(out);
  std::vector<Single> results = out.host();
  for (unsigned i = 0; i < 48; ++i) {
    CHECK_EQ(results[i].rank, 0u);
    CHECK_EQ(results[i].size, 1u);
    CHECK_EQ(results[i].valid, 1u);
    CHECK_EQ(results[i].type, static_cast<unsigned>(cg::internal::cg_coalesced_group));
    CHECK_EQ(results[i].parts[0], 8u);
    CHECK_EQ(results[i].parts[1], 0u);
    CHECK_EQ(results[i].parts[2], i % 16 < 5 ? 5u : 11u);
  }
}

TEST(groupsOfEveryPattern) {
  for (unsigned threads : {1, 10, 32, 77})
    for (int pattern = 0; pattern < 4; ++pattern)
      check(threads, pattern);
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
