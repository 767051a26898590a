// SPDX-License-Identifier: MIT
// Kernels that use values nobody has written, and clean twins: the same kernel with bad = false, or given memory that is initialized. A comment
// behind the line says what initcheck must find there; run.py compares. Copies of memory that nobody has written are found in the
// function that copies, which the comment names.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <hip/hip_runtime.h>

#define HIP_CHECK(call)                                                                                                \
  do {                                                                                                                 \
    const hipError_t status = (call);                                                                                  \
    if (status != hipSuccess) {                                                                                        \
      std::fprintf(stderr, "%s: %s\n", #call, hipGetErrorName(status));                                                \
      std::exit(3);                                                                                                    \
    }                                                                                                                  \
  } while (0)

constexpr int kItems = 128, kBlock = 64; // of a launch, and of a block

__device__ int globalId() { return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); }

// Global memory. Of `in` nobody has written the last element where bad.

template <bool bad> __global__ void decidesBranch(const int *in, int *out) {
  const int i = globalId();
  if (in[i] > 5) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void decidesLoop(const int *in, int *out) {
  int sum = 0;
  for (int k = 0; k < (in[globalId()] & 7); ++k) // finds: initcheck error
    sum += k * sum + 1;
  out[globalId()] = sum;
}

// As -O0 has it: x is read twice.
template <bool bad> __global__ __attribute__((optnone, noinline)) void combinesWithItself(const int *in, int *out) {
  int x = in[globalId()], y = bad ? x : (x ^ x) + (x - x);
  if (y == 5) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void decidesSwitch(const int *in, int *out) {
  const int i = globalId();
  switch (in[i]) { // finds: initcheck error
  case 0: out[i] = 17; break;
  case 3: atomicAdd(out, 5); break;
  case 100: out[0] = out[i] * 3; break;
  case 5000: atomicMax(out, i); break;
  default: break;
  }
}

template <bool bad> __global__ void indexes(const int *in, int *out) {
  const int i = globalId();
  out[in[i] & (kItems - 1)] = 1; // finds: initcheck error
}

template <bool bad> __global__ void indexesRead(const int *in, const int *table, int *out) {
  const int i = globalId();
  out[i] = table[in[i] & (kItems - 1)]; // finds: initcheck error
}

template <bool bad> __global__ void divides(const int *in, int *out) {
  const int i = globalId();
  out[i] = i / (in[i] | 1); // finds: initcheck error
}

template <bool bad> __global__ void dividesUnsigned(const unsigned *in, unsigned *out) {
  const unsigned i = globalId();
  out[i] = i % (in[i] | 2); // finds: initcheck error
}

template <bool bad> __global__ void throughArithmetic(const float *in, int *out) {
  const int i = globalId();
  const float x = in[i] * 2.0f + 1.0f, y = sqrtf(x * x) - x;
  if (y < 3.0f) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void throughMathematics(const float *in, int *out) {
  const int i = globalId();
  if (sinf(in[i]) + expf(in[i]) > 100.0f) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void oneBit(const int *in, int *out) {
  const int i = globalId();
  const int low = (in[i] & 0xff00) | 3; // bits that are written
  if ((low & 3) == 3)
    out[i] = 1;
  if (bad ? low & 0x100 : low & 1) // finds: initcheck error
    atomicAdd(out, 2);
}

template <bool bad> __global__ void throughSelect(const int *in, int *out) {
  const int i = globalId();
  const int x = in[i] < 0 ? 7 : 8;
  out[i & x] = 1; // finds: initcheck error
}

template <bool bad> __global__ void throughShuffle(const int *in, int *out) {
  const int i = globalId();
  const int x = __shfl_xor(in[i], 1);
  if (x == 5) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void throughReduction(const int *in, int *out) {
  const int i = globalId();
  int x = in[i];
  for (int width = 16; width; width /= 2)
    x += __shfl_down(x, width, 32);
  if (threadIdx.x % 32 == 0 && x > 100) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void throughVote(const int *in, int *out) {
  const int i = globalId();
  if (__any(in[i] == 77)) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void throughBallot(const int *in, int *out) {
  const int i = globalId();
  const auto votes = __ballot(in[i] == 77);
  if (votes >> (i % 32) & 1) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void shuffleFrom(const int *in, int *out) {
  const int i = globalId();
  out[i] = __shfl(i, in[i] & 31); // finds: initcheck error
}

struct Particle {
  float4 position;
  int kind;
};

template <bool bad> __global__ void memberOfStructure(const Particle *in, int *out) {
  const int i = globalId();
  const Particle p = in[i];
  if (p.kind == 2) // finds: initcheck error
    out[i] = static_cast<int>(p.position.x);
}

template <bool bad> __global__ void elementOfVector(const float4 *in, int *out) {
  const int i = globalId();
  const float4 v = in[i];
  if (v.w > 1.0f) // finds: initcheck error
    out[i] = 1;
}

__device__ int twice(int x) { return 2 * x; }
__device__ __attribute__((noinline)) bool isLarge(int x) { return x > 1000; }

template <bool bad> __global__ void throughCalls(const int *in, int *out) {
  const int i = globalId();
  if (isLarge(twice(in[i]))) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void copies(const int *in, int *copy) { copy[globalId()] = in[globalId()]; }

template <bool bad> __global__ void readsCopy(const int *copy, int *out) {
  const int i = globalId();
  if (copy[i] == 3) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void readsVolatile(const volatile int *in, int *out) {
  if (in[globalId()] == 3) // finds: initcheck error
    out[0] = 1;
}

template <bool bad> __global__ void readsAtomically(int *in, int *out) {
  if (atomicAdd(in + globalId(), 1) == 3) // finds: initcheck error
    out[0] = 1;
}

template <bool bad> __global__ void exchangesByComparison(int *in, int *out) {
  if (atomicCAS(in + globalId(), 5, 6) == 5) // finds: initcheck error
    out[0] = 1;
}

template <bool bad> __global__ void afterExchange(int *in, int *out) {
  const int i = globalId();
  if (!bad)
    atomicExch(in + i, 3);
  if (in[i] == 3) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void readsBytes(const unsigned char *in, int *out) {
  const int i = globalId();
  if (in[4 * i + 3] == 7) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void copiesBlock(const Particle *in, Particle *copy, int *out) {
  const int i = globalId();
  __builtin_memcpy(copy + i, in + i, sizeof(Particle));
  if (copy[i].kind == 1) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void fillsBlock(Particle *p, int *out) {
  const int i = globalId();
  if (!bad)
    __builtin_memset(p + i, 0, sizeof(Particle));
  if (p[i].kind == 1) // finds: initcheck error
    out[i] = 1;
}

struct Bits {
  unsigned a : 5, b : 11, c : 16;
};

template <bool bad> __global__ void bitField(Bits *bits, int *out) {
  const int i = globalId();
  bits[i].b = static_cast<unsigned>(i);
  if (bad ? bits[i].c == 9 : bits[i].b == 9) // finds: initcheck error
    out[i] = 1;
}

// Shared memory.

template <bool bad> __global__ void sharedStatic(int *out) {
  __shared__ int s[kBlock];
  if (threadIdx.x < kBlock - bad)
    s[threadIdx.x] = 1;
  __syncthreads();
  if (s[(threadIdx.x + 1) % kBlock] == 1) // finds: initcheck error
    out[globalId()] = 1;
}

extern __shared__ int dynamic[];
template <bool bad> __global__ void sharedDynamic(int *out) {
  if (threadIdx.x < kBlock - bad)
    dynamic[threadIdx.x] = 1;
  __syncthreads();
  if (dynamic[kBlock - 1 - threadIdx.x] == 1) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void sharedOfBlockBefore(int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0 && (!bad || blockIdx.x == 0))
    sum = 0;
  __syncthreads();
  if (atomicAdd(&sum, 1) == 0) // finds: initcheck error
    out[blockIdx.x] = 1;
}

template <bool bad> __global__ void sharedReduction(const int *in, int *out) {
  __shared__ int s[kBlock];
  s[threadIdx.x] = in[globalId()];
  __syncthreads();
  for (int width = kBlock / 2; width; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width)
      s[threadIdx.x] += s[threadIdx.x + width];
    __syncthreads();
  }
  if (s[0] > 3) // finds: initcheck error
    out[globalId()] = 1;
}

// Private memory.

template <bool bad> __global__ void privateArray(int *out, int n) {
  int a[8];
  for (int k = 0; k < 8 - bad; ++k)
    a[(k + n) & 7] = k;
  for (int k = 0; k < 8; ++k)
    if (a[(k * 3 + n) & 7] > 5) // finds: initcheck error
      atomicAdd(out, k);
}

template <bool bad> __global__ void privateThroughPointer(int *out, int n) {
  float a[16];
  for (int k = n; k < 16; ++k)
    a[k] = 1;
  const float *at = a + (globalId() & 15);
  if (*at == 1.0f) // finds: initcheck error
    out[globalId()] = 1;
}

__device__ void fill(int *a, int from, int n) {
  for (int k = from; k < n; ++k)
    a[k] = k;
}

template <bool bad> __global__ void privateFilledByCall(int *out, int n) {
  int a[16];
  fill(a, bad ? 1 : 0, n);
  if (a[n & 1] == 1) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void privateReadFromGlobal(const int *in, int *out, int n) {
  int a[4];
  for (int k = 0; k < 4; ++k)
    a[k] = in[(globalId() + k) % kItems];
  if (a[n & 3] == 9) // finds: initcheck error
    out[globalId()] = 1;
}

// The heap of kernels.

template <bool bad> __global__ void deviceHeap(int *out) {
  auto *p = static_cast<int *>(malloc(4 * sizeof(int)));
  if (!p)
    return;
  for (int k = 0; k < 4 - bad; ++k)
    p[k] = k;
  if (p[3] == 3) // finds: initcheck error
    out[globalId()] = 1;
  free(p);
}

// Values that leave a kernel.

template <bool bad> __global__ void writesToHost(const float *in, float *host) {
  const int i = globalId();
  host[i] = in[i] + 1.0f; // finds: initcheck error
}

// Several words that lie side by side: what is written to them is looked at together.
template <bool bad> __global__ void writesSeveral(const int *in, int *out) {
  const int i = globalId();
  out[4 * i] = 1;
  out[4 * i + 1] = in[i]; // finds: initcheck error
  out[4 * i + 2] = 2;
  out[4 * i + 3] = i;
}

// Shared memory is nothing that the host copies; a pointer may lead there or elsewhere.
template <bool bad> __global__ void writesEither(const int *in, int *out, bool toShared) {
  __shared__ int s[kBlock];
  int *to = toShared ? s : out + blockIdx.x * kBlock;
  to[threadIdx.x] = in[globalId()]; // finds: initcheck error
  __syncthreads();
  if (toShared)
    out[globalId()] = s[threadIdx.x ^ 1];
}

// Memory of the host is always initialized, also right behind a store; `none` is 0.
template <bool bad> __global__ void readsBack(const int *in, int *host, int *out, int none) {
  const int i = globalId();
  host[i] = in[i];
  const int back = host[i + none];
  if ((bad ? in[i] : back) > 5) // finds: initcheck error
    out[i] = 1;
}

template <bool bad> __global__ void writesForCopy(const float *in, float *out) {
  const int i = globalId();
  out[i] = in[i] * 0.5f; // finds: initcheck error
}

template <bool bad> __global__ void prints(const int *in) {
  if (globalId() == kItems - 1)
    printf("%d\n", in[globalId()]); // finds: initcheck error
}

template <bool bad> __global__ void writesPart(int *out) {
  const int i = globalId();
  if (i < kItems - bad)
    out[i] = i;
}

struct Padded {
  char a;
  double b;
  short c;
};

template <bool bad> __global__ void writesMembers(Padded *out) {
  const int i = globalId();
  out[i].a = 1;
  out[i].b = 2;
  out[i].c = 3;
}

template <bool bad> __global__ void copiesStructure(Padded *out, int n) {
  Padded p;
  p.a = static_cast<char>(n);
  p.b = n;
  p.c = 1;
  out[globalId()] = p;
}

// Clean whatever bad says.

template <bool bad> __global__ void unusedResults(const int *in, int *out) {
  const int i = globalId();
  const bool isWritten = i < kItems / 2;
  if (isWritten && in[i] > 0)
    out[i] = 1;
  const int x = in[i];
  out[i] = isWritten ? x : 5;
  if (out[i] == 77)
    out[i] = 2;
  if ((x & 0) == 0 && x * 0 == 0 && (x | -1) == -1)
    out[i] = 3;
}

template <class T> T *allocate(size_t count, bool isInitialized) {
  void *memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, count * sizeof(T)));
  if (isInitialized)
    HIP_CHECK(hipMemset(memory, 0, count * sizeof(T)));
  return static_cast<T *>(memory);
}

// All but the last element.
template <class T> T *partly(size_t count, bool bad) {
  T *memory = allocate<T>(count, false);
  HIP_CHECK(hipMemset(memory, 0, (count - bad) * sizeof(T)));
  return memory;
}

template <class T> __attribute__((noinline)) void fetch(const T *from, size_t count) {
  T *to = static_cast<T *>(std::malloc(count * sizeof(T)));
  HIP_CHECK(hipMemcpy(to, from, count * sizeof(T), hipMemcpyDeviceToHost));
  std::free(to);
}

constexpr size_t kPitch = 256, kRows = 4, kWidth = 100;

// Rows of a pitched allocation, without their padding.
__attribute__((noinline)) void fetchRows(const char *from) {
  static char to[kRows * kWidth];
  HIP_CHECK(hipMemcpy2D(to, kWidth, from, kPitch, kWidth, kRows, hipMemcpyDeviceToHost));
}

#define LAUNCH(kernel, blocks, ...)                                                                                    \
  do {                                                                                                                 \
    kernel<bad><<<blocks, kBlock, kBlock * sizeof(int)>>>(__VA_ARGS__);                                                \
    HIP_CHECK(hipDeviceSynchronize());                                                                                 \
  } while (0)

template <bool bad> void runKernels() {
  constexpr int kBlocks = kItems / kBlock;
  int *in = partly<int>(kItems, bad), *out = allocate<int>(kItems, true);
  auto *numbers = partly<float>(kItems, bad);
  LAUNCH(decidesBranch, kBlocks, in, out);
  LAUNCH(decidesLoop, kBlocks, in, out);
  LAUNCH(combinesWithItself, kBlocks, in, out);
  LAUNCH(decidesSwitch, kBlocks, in, out);
  LAUNCH(indexes, kBlocks, in, out);
  LAUNCH(indexesRead, kBlocks, in, allocate<int>(kItems, true), out);
  int *quotients = allocate<int>(kItems, true);
  LAUNCH(divides, kBlocks, in, quotients);
  LAUNCH(dividesUnsigned, kBlocks, reinterpret_cast<unsigned *>(in), reinterpret_cast<unsigned *>(quotients));
  LAUNCH(throughArithmetic, kBlocks, numbers, out);
  LAUNCH(throughMathematics, kBlocks, numbers, out);
  LAUNCH(oneBit, kBlocks, in, out);
  LAUNCH(throughSelect, kBlocks, in, out);
  LAUNCH(throughShuffle, kBlocks, in, out);
  LAUNCH(throughReduction, kBlocks, in, out);
  LAUNCH(throughVote, kBlocks, in, out);
  LAUNCH(throughBallot, kBlocks, in, out);
  LAUNCH(shuffleFrom, kBlocks, in, out);
  auto *particles = partly<Particle>(kItems, bad), *others = allocate<Particle>(kItems, true);
  LAUNCH(memberOfStructure, kBlocks, particles, out);
  LAUNCH(elementOfVector, kBlocks, partly<float4>(kItems, bad), out);
  LAUNCH(throughCalls, kBlocks, in, out);
  int *copy = allocate<int>(kItems, true);
  LAUNCH(copies, kBlocks, in, copy);
  int *second = allocate<int>(kItems, false);
  HIP_CHECK(hipMemcpy(second, copy, kItems * sizeof(int), hipMemcpyDeviceToDevice));
  LAUNCH(readsCopy, kBlocks, second, out);
  LAUNCH(readsVolatile, kBlocks, in, out);
  LAUNCH(readsAtomically, kBlocks, partly<int>(kItems, bad), out);
  LAUNCH(exchangesByComparison, kBlocks, partly<int>(kItems, bad), out);
  LAUNCH(afterExchange, kBlocks, allocate<int>(kItems, false), out);
  auto *bytes = allocate<unsigned char>(4 * kItems, false);
  HIP_CHECK(hipMemset(bytes, 0, 4 * kItems - bad));
  LAUNCH(readsBytes, kBlocks, bytes, out);
  LAUNCH(copiesBlock, kBlocks, particles, others, out);
  LAUNCH(fillsBlock, kBlocks, allocate<Particle>(kItems, false), out);
  LAUNCH(bitField, kBlocks, reinterpret_cast<Bits *>(allocate<int>(kItems, false)), out);
  LAUNCH(sharedStatic, kBlocks, out);
  LAUNCH(sharedDynamic, kBlocks, out);
  LAUNCH(sharedOfBlockBefore, kBlocks, out);
  LAUNCH(sharedReduction, kBlocks, in, out);
  LAUNCH(privateArray, kBlocks, out, 3);
  LAUNCH(privateThroughPointer, kBlocks, out, bad);
  LAUNCH(privateFilledByCall, kBlocks, out, 16);
  LAUNCH(privateReadFromGlobal, kBlocks, in, out, 1);
  LAUNCH(deviceHeap, 1, out);
  float *host = nullptr;
  HIP_CHECK(hipHostMalloc(reinterpret_cast<void **>(&host), kItems * sizeof(float), hipHostMallocDefault));
  LAUNCH(writesToHost, kBlocks, numbers, host);
  auto *results = allocate<float>(kItems, true);
  LAUNCH(writesForCopy, kBlocks, numbers, results);
  fetch(results, kItems);
  auto *quads = allocate<int>(4 * kItems, true), *eitherResults = allocate<int>(kItems, true);
  LAUNCH(writesSeveral, kBlocks, in, quads);
  fetch(quads, 4 * kItems);
  LAUNCH(writesEither, kBlocks, in, eitherResults, false);
  fetch(eitherResults, kItems);
  LAUNCH(readsBack, kBlocks, partly<int>(kItems, true), reinterpret_cast<int *>(host), out, 0);
  LAUNCH(prints, kBlocks, in);
  LAUNCH(unusedResults, kBlocks, partly<int>(kItems, true), out);
  fetch(out, kItems);
}

template <bool bad> __attribute__((noinline)) void fetchPart() { // finds: initcheck error in fetch<int>
  int *out = allocate<int>(kItems, false);
  LAUNCH(writesPart, kItems / kBlock, out);
  fetch(out, kItems);
}

template <bool bad> void runCopies() {
  fetchPart<bad>();
  auto *padded = allocate<Padded>(kItems, false);
  LAUNCH(writesMembers, kItems / kBlock, padded);
  fetch(padded, kItems);
  padded = allocate<Padded>(kItems, false);
  LAUNCH(copiesStructure, kItems / kBlock, padded, 5);
  fetch(padded, kItems);
  fetch(partly<char>(1000, bad), 1000); // finds: initcheck error in fetch<char>
  char *rows = allocate<char>(kRows * kPitch, false);
  HIP_CHECK(hipMemset2D(rows, kPitch, 1, kWidth - bad, kRows));
  fetchRows(rows); // finds: initcheck error in fetchRows
}

// Memory that is used again is uninitialized again.
template <bool bad> __attribute__((noinline)) void runPool() {
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  void *memory = nullptr;
  for (bool again : {false, true}) {
    HIP_CHECK(hipMallocAsync(&memory, 1 << 12, stream));
    if (!again || !bad)
      HIP_CHECK(hipMemsetAsync(memory, 0, 1 << 12, stream));
    long long first = 0;
    HIP_CHECK(hipMemcpyAsync(&first, memory, sizeof first, hipMemcpyDeviceToHost,
                             stream)); // finds: initcheck error in runPool
    HIP_CHECK(hipFreeAsync(memory, stream));
    HIP_CHECK(hipStreamSynchronize(stream));
  }
  HIP_CHECK(hipStreamDestroy(stream));
}

template <bool bad> void run() {
  runKernels<bad>();
  runCopies<bad>();
  runPool<bad>();
}

int main(int argc, char **argv) {
  if (argc == 2 && !std::strcmp(argv[1], "bad"))
    run<true>();
  else
    run<false>();
}
