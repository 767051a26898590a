// SPDX-License-Identifier: MIT
// Planted races of kernels whose accesses racecheck would rather take together (compiler/launch_uses.h): what looks like elements of each
// work-item's own and is none, buffers that two parameters lead to, and other streams that use parts of what a kernel uses.
#include "planted.h"

// Within a launch.

template <bool bad> __global__ void shiftsInPlace(const int *from, int *to) {
  to[globalId()] = from[globalId()]; // finds: racecheck error
}
template <bool bad> __global__ void turnsAround(const int *from, int *to) {
  to[globalId()] = from[kItems - 1 - globalId()]; // finds: racecheck error
}
template <bool bad> __global__ void halvesTheIndex(int *p) {
  p[bad ? globalId() / 65 : globalId()] = globalId(); // finds: racecheck error
}
struct Pair {
  int first, second;
};
template <bool bad> __global__ void overlapsElements(int *p) {
  *reinterpret_cast<Pair *>(p + globalId() * (bad ? 1 : 2)) = {globalId(), 1}; // finds: racecheck error
}
template <bool bad> __global__ void rowsTooShort(int *p, int pitch) {
  p[blockIdx.x * pitch + threadIdx.x] = threadIdx.x + blockIdx.x; // finds: racecheck error
}
template <bool bad> __global__ void backwards(int *p, int step) {
  p[1024 + static_cast<int>(blockIdx.x) * step - static_cast<int>(threadIdx.x)] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void roundsTooNear(int *p, int n) {
  for (int i = globalId(); i < n; i += gridDim.x * blockDim.x - (bad ? kBlock : 0))
    p[i] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void chunksTooLarge(int *p, int count) {
  for (int i = 0; i < count; ++i)
    p[globalId() * 4 + i] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void wraps(int *p, unsigned factor) {
  p[(globalId() * factor) % 65536u] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void wrapsAround(int *p, unsigned factor) { // 2^31 times 0 or 1
  p[blockIdx.x * 2 * factor + threadIdx.x] = globalId();                   // finds: racecheck error
}
template <bool bad> __global__ void atomicsBeside(const int *p, int *sums, int *out) {
  atomicAdd(sums + threadIdx.x, 1);
  out[globalId()] = p[threadIdx.x]; // finds: racecheck error
}
template <bool bad> __global__ void throughTable(int *const *table, int *p) {
  p[globalId()] = 1;
  table[0][kItems - 1 - globalId()] = 2; // finds: racecheck error
}
template <bool bad> __global__ void readsThroughTable(const int *const *table, int *p) {
  p[globalId()] = table[0][kItems - 1 - globalId()]; // finds: racecheck error
}
__device__ __noinline__ void write(int *p, int i) {
  p[i] = 3; // finds: racecheck error
}
template <bool bad> __global__ void throughFunction(int *p, int *q) {
  p[globalId()] = 1;
  write(q, kItems - 1 - globalId());
}
template <bool bad> __global__ void choosesABuffer(int *p, int *q, int one) {
  p[globalId()] = 1;
  int *chosen = one ? p : q;
  chosen[kItems - 1 - globalId()] = 2; // finds: racecheck error
}

// On two streams, the first one before the second one.

template <bool bad> __global__ void writesEven(int *p) { p[2 * globalId()] = 1; }
template <bool bad> __global__ void writesOdd(int *p) {
  p[2 * globalId() + (bad ? 0 : 1)] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void writesSome(int *p, int remainder) {
  if (globalId() % 3 == remainder)
    p[globalId()] = globalId(); // finds: racecheck error
}
template <bool bad> __global__ void writesDoubles(double *p) { p[globalId()] = 1; }
template <bool bad> __global__ void readsHalves(const int *p, int *out) {
  out[globalId()] = p[2 * globalId() + 1]; // finds: racecheck error
}
template <bool bad> __global__ void readsFours(const int4 *p, int *out) { out[globalId()] = p[globalId()].w; }
template <bool bad> __global__ void writesLastOfFour(int *p) {
  p[4 * globalId() + 3] = 5; // finds: racecheck error
}
template <bool bad> __global__ void writesPlainly(int *p) { p[globalId()] = 1; }
template <bool bad> __global__ void addsAtomically(int *p) {
  atomicAdd(p + globalId(), 1); // finds: racecheck error
}
template <bool bad> __global__ void countsFirst(int *p) { atomicAdd(p + globalId(), 1); }
template <bool bad> __global__ void readsCounts(const int *p, int *out) {
  out[globalId()] = p[globalId()]; // finds: racecheck error
}
template <bool bad> __global__ void readsBytes(const char *p, int *out) {
  out[globalId()] = p[4 * globalId() + (bad ? 0 : 512)]; // finds: racecheck error
}
template <bool bad> __global__ void updates(int *p) { p[globalId()] += 1; }
template <bool bad> __global__ void readsOneOf(const int *p, int *out) { out[globalId()] = p[0]; }
template <bool bad> __global__ void writesTheOne(int *p) {
  if (globalId() == 0)
    p[0] = 1; // finds: racecheck error
}
template <bool bad> __global__ void managedWrites(int *p) {
  p[globalId()] = 1; // finds: racecheck error
}

// Blocks with rows that are shorter than a warp, or end within one: a kernel for each shape, so that each has a line.

__device__ inline int rowsPlace(int pitch) {
  return static_cast<int>((blockIdx.y * blockDim.y + threadIdx.y) * pitch + blockIdx.x * blockDim.x + threadIdx.x);
}
#define OVERLAPS_ROWS(name)                                                                                            \
  template <bool bad> __global__ void name(int *p, int pitch) {                                                        \
    p[rowsPlace(pitch)] = 1 + static_cast<int>(threadIdx.x);                                                           \
  }
OVERLAPS_ROWS(rows16x16) // finds: racecheck error
OVERLAPS_ROWS(rows8x8)   // finds: racecheck error
OVERLAPS_ROWS(rows32x8)  // finds: racecheck error
OVERLAPS_ROWS(rows16x5)  // finds: racecheck error
OVERLAPS_ROWS(rows12x8)  // finds: racecheck error
#define WRITES_ROWS(name)                                                                                              \
  template <bool bad> __global__ void name(const int *from, int *p, int pitch, int width) {                            \
    if (static_cast<int>(threadIdx.x) < width)                                                                         \
      p[rowsPlace(pitch)] = from[rowsPlace(pitch)];                                                                    \
  }
WRITES_ROWS(writes16x16) // finds: racecheck error
WRITES_ROWS(writes8x8)   // finds: racecheck error
WRITES_ROWS(writes32x8)  // finds: racecheck error
WRITES_ROWS(writes16x5)  // finds: racecheck error
WRITES_ROWS(writes12x8)  // finds: racecheck error
WRITES_ROWS(writes20x4)  // finds: racecheck error
#define READS_ROWS(name)                                                                                               \
  template <bool bad> __global__ void name(const double2 *from, double *p, int pitch) {                                \
    p[rowsPlace(pitch)] = from[rowsPlace(pitch)].y;                                                                    \
  }
READS_ROWS(reads16x16) // finds: racecheck error
READS_ROWS(reads8x8)   // finds: racecheck error
READS_ROWS(reads16x5)  // finds: racecheck error
READS_ROWS(reads12x8)  // finds: racecheck error
template <bool bad> __global__ void writesPlaceOfRow(int *p, int place, int pitch) {
  p[globalId() * pitch + place] = 7;
}

/// Launches kernels with blocks of one shape.
template <bool bad> struct Rows {
  static constexpr int kPitch = 40; ///< more than the rows of two blocks have together
  dim3 block;
  int *p, *q;
  hipStream_t a, b;

  template <class Kernel> void overlap(Kernel kernel) const {
    const int width = static_cast<int>(block.x);
    for (const int blocks : {1, 2}) { // with one, the rows of a warp meet
      kernel<<<blocks, block>>>(p, blocks * width - (bad ? 1 : 0));
      HIP_CHECK(hipDeviceSynchronize());
    }
  }
  // The other kernel writes one word in the second row, or the one behind it.
  template <class Kernel> void write(Kernel kernel, bool isFirst) const {
    const int width = static_cast<int>(block.x) - 1, place = kPitch + (bad ? width - 1 : width);
    if (!isFirst)
      writesPlaceOfRow<bad><<<1, 1, 0, b>>>(p, place, kPitch);
    kernel<<<1, block, 0, a>>>(q, p, kPitch, width);
    if (isFirst)
      writesPlaceOfRow<bad><<<1, 1, 0, b>>>(p, place, kPitch);
    HIP_CHECK(hipDeviceSynchronize());
  }
  template <class Kernel> void read(Kernel kernel) const {
    writesPlaceOfRow<bad>
        <<<1, 1, 0, b>>>(p, 4 * kPitch + (bad ? 2 : 0), kPitch); // of the first element of the second row
    kernel<<<1, block, 0, a>>>(reinterpret_cast<const double2 *>(p), reinterpret_cast<double *>(q), kPitch);
    HIP_CHECK(hipDeviceSynchronize());
  }
};

template <bool bad> void run() {
  hipStream_t a, b;
  HIP_CHECK(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  HIP_CHECK(hipStreamCreateWithFlags(&b, hipStreamNonBlocking));
  hipEvent_t event;
  HIP_CHECK(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  auto finish = [] { HIP_CHECK(hipDeviceSynchronize()); };
  auto order = [&] { // b behind a
    HIP_CHECK(hipEventRecord(event, a));
    HIP_CHECK(hipStreamWaitEvent(b, event, 0));
  };
  int *p = allocate<int>(64 << 10), *q = allocate<int>(32 * kItems), *out = allocate<int>(8 * kItems);
  const size_t bytes = kItems * sizeof(int);

  LAUNCH(shiftsInPlace, kBlocks, p, bad ? p + 1 : p + kItems);
  LAUNCH(shiftsInPlace, kBlocks, p, p);
  LAUNCH(turnsAround, kBlocks, p, bad ? p : q);
  LAUNCH(halvesTheIndex, kBlocks, p);
  LAUNCH(overlapsElements, kBlocks, p);
  LAUNCH(rowsTooShort, 4, p, bad ? kBlock - 1 : kBlock);
  LAUNCH(backwards, 4, p, bad ? kBlock - 1 : kBlock);
  LAUNCH(roundsTooNear, kBlocks, p, 1000);
  LAUNCH(chunksTooLarge, kBlocks, p, bad ? 5 : 4);
  LAUNCH(wraps, kBlocks, p, bad ? 32768 : 3);
  LAUNCH(wrapsAround, kBlocks, p, bad ? 1u << 31 : 1u << 10);
  LAUNCH(atomicsBeside, kBlocks, p, bad ? p : q, out);
  int **table = allocate<int *>(1);
  int *const inTable = bad ? p : q;
  HIP_CHECK(hipMemcpy(table, &inTable, sizeof inTable, hipMemcpyHostToDevice));
  LAUNCH(throughTable, kBlocks, table, p);
  LAUNCH(readsThroughTable, kBlocks, table, p);
  LAUNCH(throughFunction, kBlocks, p, bad ? p : q);
  LAUNCH(choosesABuffer, kBlocks, p, q, bad);

#define PAIR(first, second, ofFirst, ofSecond)                                                                         \
  first<bad><<<kBlocks, kBlock, 0, a>>> ofFirst;                                                                       \
  second<bad><<<kBlocks, kBlock, 0, b>>> ofSecond;                                                                     \
  finish()
#define ORDERED_PAIR(first, second, ofFirst, ofSecond)                                                                 \
  first<bad><<<kBlocks, kBlock, 0, a>>> ofFirst;                                                                       \
  if (!bad)                                                                                                            \
    order();                                                                                                           \
  second<bad><<<kBlocks, kBlock, 0, b>>> ofSecond;                                                                     \
  finish()
  PAIR(writesEven, writesOdd, (p), (p));
  PAIR(writesSome, writesSome, (p, 1), (p, bad ? 1 : 2));
  ORDERED_PAIR(writesDoubles, readsHalves, (reinterpret_cast<double *>(p)), (p, out));
  ORDERED_PAIR(readsFours, writesLastOfFour, (reinterpret_cast<const int4 *>(p), out), (p));
  PAIR(writesPlainly, addsAtomically, (p), (bad ? p : p + kItems));
  PAIR(countsFirst, readsCounts, (p), (bad ? p : p + kItems, out));
  PAIR(writesPlainly, readsBytes, (p), (reinterpret_cast<const char *>(p), out));
  ORDERED_PAIR(updates, managedWrites, (q), (q));
  ORDERED_PAIR(readsOneOf, writesTheOne, (p, out), (p));
  int *managed;
  HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), bytes, hipMemAttachGlobal));
  managedWrites<bad><<<kBlocks, kBlock, 0, a>>>(managed);
  if (!bad)
    order();
  HIP_CHECK(hipMemcpyAsync(q, managed, bytes, hipMemcpyDeviceToDevice, b));
  finish();
  HIP_CHECK(hipMemcpyAsync(q, managed, bytes / 2, hipMemcpyDeviceToDevice, b));
  managedWrites<bad><<<1, kBlock, 0, a>>>(bad ? managed : managed + kBlock);
  finish();
  for (int round = 0; round < 3; ++round) { // the same address again, or another one
    HIP_CHECK(hipFree(managed));
    HIP_CHECK(hipMallocManaged(reinterpret_cast<void **>(&managed), bytes, hipMemAttachGlobal));
    managedWrites<bad><<<kBlocks, kBlock, 0, b>>>(managed);
    finish();
    managedWrites<bad><<<kBlocks, kBlock, 0, a>>>(managed);
    finish();
  }

  const auto rows = [&](dim3 block) { return Rows<bad>{block, p, q, a, b}; };
  rows({16, 16}).overlap(rows16x16<bad>);
  rows({8, 8}).overlap(rows8x8<bad>);
  rows({32, 8}).overlap(rows32x8<bad>);
  rows({16, 5}).overlap(rows16x5<bad>);
  rows({12, 8}).overlap(rows12x8<bad>);
  for (const bool isFirst : {true, false}) {
    rows({16, 16}).write(writes16x16<bad>, isFirst);
    rows({8, 8}).write(writes8x8<bad>, isFirst);
    rows({32, 8}).write(writes32x8<bad>, isFirst);
    rows({16, 5}).write(writes16x5<bad>, isFirst);
    rows({12, 8}).write(writes12x8<bad>, isFirst);
    rows({20, 4}).write(writes20x4<bad>, isFirst);
  }
  rows({16, 16}).read(reads16x16<bad>);
  rows({8, 8}).read(reads8x8<bad>);
  rows({16, 5}).read(reads16x5<bad>);
  rows({12, 8}).read(reads12x8<bad>);
  for (void *memory : {static_cast<void *>(p), static_cast<void *>(q), static_cast<void *>(out),
                       static_cast<void *>(table), static_cast<void *>(managed)})
    HIP_CHECK(hipFree(memory));
  HIP_CHECK(hipEventDestroy(event));
  HIP_CHECK(hipStreamDestroy(a));
  HIP_CHECK(hipStreamDestroy(b));
}
