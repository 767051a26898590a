// SPDX-License-Identifier: MIT
// CUB's collectives of a block and a warp, and its algorithms of the whole device.
#include "../check.h"
#include <cub/block/block_scan.cuh>
#include <cub/cub.cuh>

template <int kBlock, int kItems> __global__ void sortAndScan(int *data, int *sums, int *maxima) {
  typedef cub::BlockRadixSort<int, kBlock, kItems> Sort;
  typedef cub::BlockScan<int, kBlock> Scan;
  typedef cub::WarpReduce<int> WarpReduce;
  __shared__ union {
    typename Sort::TempStorage sort;
    typename Scan::TempStorage scan;
    typename WarpReduce::TempStorage warps[kBlock / 32];
  } storage;
  int items[kItems], scanned[kItems], total = 0;
  cub::LoadDirectBlocked(threadIdx.x, data + blockIdx.x * kBlock * kItems, items);
  Sort(storage.sort).Sort(items);
  __syncthreads();
  Scan(storage.scan).InclusiveSum(items, scanned, total);
  __syncthreads();
  const int maximum = WarpReduce(storage.warps[threadIdx.x / 32]).Reduce(items[kItems - 1], cub::Max());
  cub::StoreDirectBlocked(threadIdx.x, data + blockIdx.x * kBlock * kItems, scanned);
  if (threadIdx.x == 0)
    sums[blockIdx.x] = total;
  if (threadIdx.x % 32 == 0)
    maxima[(blockIdx.x * kBlock + threadIdx.x) / 32] = maximum;
}

int main() {
  const int block = 128, items = 4, blocks = 3, count = block * items * blocks;
  std::vector<int> in(count);
  for (int i = 0; i < count; ++i)
    in[i] = (i * 7919) % 503 - 100;
  int *data = onDevice(in), *sums = onDevice(std::vector<int>(blocks)),
      *maxima = onDevice(std::vector<int>(count / 128));
  sortAndScan<block, items><<<blocks, block>>>(data, sums, maxima);
  const std::vector<int> scanned = onHost(data, count), found = onHost(sums, blocks), highest = onHost(maxima, 12);
  for (int b = 0; b < blocks; ++b) {
    std::vector<int> part(in.begin() + b * block * items, in.begin() + (b + 1) * block * items);
    std::sort(part.begin(), part.end());
    int sum = 0;
    for (int i = 0; i < block * items; ++i)
      EXPECT(scanned[b * block * items + i] == (sum += part[i]));
    EXPECT(found[b] == sum && highest[4 * b + 3] == part.back());
  }
  int *device = onDevice(in), *result = onDevice(std::vector<int>(1));
  size_t bytes = 0;
  void *temporary = nullptr;
  CALL(cub::DeviceReduce::Sum(temporary, bytes, device, result, count));
  CALL(cudaMalloc(&temporary, bytes));
  CALL(cub::DeviceReduce::Sum(temporary, bytes, device, result, count));
  EXPECT(onHost(result, 1)[0] == found[0] + found[1] + found[2]);
}
