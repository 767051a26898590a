// SPDX-License-Identifier: MIT
// Eight threads allocate and free in all ways at once. Each writes a mark of its own over all of its memory and finds it
// again, so memory that two of them get at the same time is noticed.
#include "check.h"

#include <atomic>
#include <random>
#include <thread>

namespace {

constexpr int kThreads = 8, kSteps = 150;

__global__ void mark(unsigned *data, unsigned value, size_t count) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    data[i] = value;
}
__global__ void check(const unsigned *data, unsigned value, size_t count, unsigned *wrong) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    if (data[i] != value)
      atomicAdd(wrong, 1u);
}

struct Piece {
  unsigned *data;
  size_t count;
  unsigned value;
  hipStream_t stream; // whose order the contents follow
};

std::atomic<unsigned> values{1};

void work(int seed, hipMemPool_t pool, unsigned *wrong) {
  std::mt19937 random(seed);
  hipStream_t streams[3];
  HIP_CHECK(hipStreamCreateWithFlags(&streams[0], hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreate(&streams[1]));
  streams[2] = hipStreamPerThread;
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  std::vector<Piece> pieces;
  for (int step = 0; step < kSteps || !pieces.empty(); ++step) {
    if (step < kSteps && (pieces.size() < 3 || random() % 2)) {
      Piece piece{};
      piece.count = random() % 8 == 0 ? 300000 + random() % 500000 : 1 + random() % 20000;
      piece.value = values++;
      piece.stream = streams[random() % 3];
      void **place = reinterpret_cast<void **>(&piece.data);
      const size_t bytes = piece.count * sizeof(unsigned);
      switch (random() % 3) {
      case 0: HIP_CHECK(hipMalloc(place, bytes)); break;
      case 1: HIP_CHECK(hipMallocAsync(place, bytes, piece.stream)); break;
      case 2: HIP_CHECK(hipMallocFromPoolAsync(place, bytes, pool, piece.stream)); break;
      }
      mark<<<4, 64, 0, piece.stream>>>(piece.data, piece.value, piece.count);
      pieces.push_back(piece);
      continue;
    }
    const size_t which = random() % pieces.size();
    const Piece piece = pieces[which];
    pieces[which] = pieces.back();
    pieces.pop_back();
    check<<<4, 64, 0, piece.stream>>>(piece.data, piece.value, piece.count, wrong);
    switch (random() % 4) {
    case 0: HIP_CHECK(hipFree(piece.data)); break;
    case 1: { // in the order of another stream, which follows
      hipStream_t other = streams[random() % 3];
      HIP_CHECK(hipEventRecord(event, piece.stream));
      HIP_CHECK(hipStreamWaitEvent(other, event, 0));
      HIP_CHECK(hipFreeAsync(piece.data, other));
      break;
    }
    default: HIP_CHECK(hipFreeAsync(piece.data, piece.stream)); break;
    }
    if (random() % 16 == 0)
      HIP_CHECK(hipStreamSynchronize(streams[random() % 3]));
    if (random() % 64 == 0)
      HIP_CHECK(hipMemPoolTrimTo(pool, 0));
  }
  HIP_CHECK(hipStreamSynchronize(hipStreamPerThread));
  HIP_CHECK(hipStreamDestroy(streams[0]));
  HIP_CHECK(hipStreamDestroy(streams[1]));
  HIP_CHECK(hipEventDestroy(event));
}

} // namespace

int main() {
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  unsigned *wrong = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&wrong), sizeof *wrong, 0));
  *wrong = 0;
  size_t before = 0, after = 0, total = 0;
  HIP_CHECK(hipMemGetInfo(&before, &total));
  for (int variant = 0; variant < 2; ++variant) {
    hipMemPool_t pool;
    HIP_CHECK(hipMemPoolCreate(&pool, &properties));
    uint64_t threshold = variant ? UINT64_MAX : 0;
    HIP_CHECK(hipMemPoolSetAttribute(pool, hipMemPoolAttrReleaseThreshold, &threshold));
    std::vector<std::thread> threads;
    for (int i = 0; i < kThreads; ++i)
      threads.emplace_back(work, i + 1 + variant * kThreads, pool, wrong);
    for (std::thread &thread : threads)
      thread.join();
    HIP_CHECK(hipDeviceSynchronize());
    CHECK_EQ(*wrong, 0u);
    uint64_t used = 1;
    HIP_CHECK(hipMemPoolGetAttribute(pool, hipMemPoolAttrUsedMemCurrent, &used));
    CHECK_EQ(used, 0u);
    HIP_CHECK(hipMemPoolDestroy(pool));
  }
  HIP_CHECK(hipMemGetInfo(&after, &total));
  CHECK_EQ(after, before);
  HIP_CHECK(hipHostFree(wrong));
  return testResult();
}
