// SPDX-License-Identifier: MIT
// Values of which only a part has been written: structures and vectors in private, shared and global memory, passed to functions and
// returned from them, and variables that one way through a kernel forgets (planted.h).
#include "planted.h"

struct Pair {
  int first, second;
};

struct Ray {
  float3 origin, direction;
  float length;
};

struct WithPadding {
  char kind;
  double value;
};

union Word {
  unsigned char bytes[4];
  unsigned all;
};

// Functions.

__device__ __attribute__((noinline)) int larger(Pair pair) {
  int result = 1;
  for (int i = pair.first; i < pair.second; ++i) // finds: initcheck error
    ++result;
  return result;
}
template <bool bad> __global__ void passedByValue(int *out, int x) {
  Pair pair;
  pair.first = x;
  if (!bad)
    pair.second = x;
  out[globalId()] = larger(pair);
}

template <bool bad> __device__ __attribute__((noinline)) Pair makePair(int x) {
  Pair pair;
  pair.first = x;
  if (!bad)
    pair.second = x;
  return pair;
}
template <bool bad> __global__ void returned(int *out, int x) {
  const Pair pair = makePair<bad>(x);
  if (pair.second > 3) // finds: initcheck error
    out[globalId()] = pair.first;
}

template <bool bad> __device__ __attribute__((noinline)) bool find(const int *values, int count, int key, int *place) {
  if (!bad)
    *place = 0;
  for (int i = 0; i < count; ++i)
    if (values[i] == key) {
      *place = i;
      return true;
    }
  return false;
}
template <bool bad> __global__ void resultIsIgnored(const int *values, int *out) {
  int place;
  find<bad>(values, 16, 1000, &place);
  out[place & 15] = 1; // finds: initcheck error
}

class Counter {
public:
  __device__ Counter() {}
  __device__ explicit Counter(int start) : count_(start) {}
  __device__ void add(int n) { count_ += n; }
  __device__ bool isFull() const { return count_ > 10; }

private:
  int count_;
};

template <bool bad> __global__ void constructorForgets(int *out, int x) {
  Counter counter = bad ? Counter() : Counter(x);
  counter.add(x);
  if (counter.isFull()) // finds: initcheck error
    out[globalId()] = 1;
}

// Vectors and structures in memory.

template <bool bad> __global__ void fourthOfVector(int *out, float x) {
  __shared__ float4 s[kBlock];
  s[threadIdx.x].x = s[threadIdx.x].y = s[threadIdx.x].z = x;
  if (!bad)
    s[threadIdx.x].w = x;
  __syncthreads();
  const float4 v = s[kBlock - 1 - threadIdx.x];
  if (v.x + v.w > 1) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void writesRays(Ray *rays, float x) {
  Ray &ray = rays[globalId()];
  ray.origin = make_float3(x, x, x);
  ray.direction.x = ray.direction.y = x;
  if (!bad)
    ray.direction.z = x;
  ray.length = x;
}
template <bool bad> __global__ void followsRays(const Ray *rays, int *out) {
  const Ray ray = rays[globalId()];
  const float end = ray.origin.z + ray.length * ray.direction.z;
  if (end > 0) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void bytesOfVector(int *out, unsigned char x) {
  uchar4 v;
  v.x = v.y = v.z = x;
  if (!bad)
    v.w = x;
  const unsigned word = __builtin_bit_cast(unsigned, v);
  if (word >> 24 > 5) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void bytesOfUnion(int *out, unsigned char x) {
  Word word;
  for (int k = 0; k < (bad ? 3 : 4); ++k)
    word.bytes[k] = x;
  if (word.all >> 16 > 7) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void structureThroughShared(int *out, int x) {
  __shared__ Pair pairs[kBlock];
  Pair pair;
  pair.first = x;
  if (!bad)
    pair.second = x;
  pairs[threadIdx.x] = pair;
  __syncthreads();
  const Pair other = pairs[threadIdx.x ^ 1];
  out[(other.second + other.first) & 7] = 1; // finds: initcheck error
}

template <bool bad> __global__ void copiedByMemcpy(int *out, int x) {
  int from[4], to[4];
  for (int k = 0; k < 4 - bad; ++k)
    from[k] = x;
  memcpy(to, from, sizeof to);
  int sum = 0;
  for (int k = 0; k < 4; ++k)
    sum += to[k];
  if (sum > 100) // finds: initcheck error
    out[globalId()] = 1;
}

// Ways through a kernel.

template <bool bad> __global__ void noDefault(const int *kinds, int *out) {
  int weight;
  switch (kinds[globalId()]) {
  case 1: weight = 10; break;
  case 2: weight = 20; break;
  default:
    if (!bad)
      weight = 0;
  }
  if (weight > 15) // finds: initcheck error
    out[globalId()] = weight;
}

template <bool bad> __global__ void loopMayNotRun(const int *values, int *out, int n) { // n is 0
  int last;
  if (!bad)
    last = 0;
  for (int i = 0; i < n; ++i)
    last = values[i];
  if (last == 5) // finds: initcheck error
    out[globalId()] = 1;
}

template <bool bad> __global__ void firstElementsOnly(int *out, int n) {
  int window[8];
  for (int k = 0; k < n - bad; ++k)
    window[k] = k;
  int sum = 0;
  for (int k = 0; k < n; ++k)
    sum += window[k];
  out[sum & 7] = 1; // finds: initcheck error
}

template <bool bad>
__global__ void tailOfTile(const int *in, int *out, int n) { // the tail of the last block is not loaded
  __shared__ int s[kBlock];
  const int i = globalId();
  if (i < n)
    s[threadIdx.x] = in[i];
  else if (!bad)
    s[threadIdx.x] = 0;
  __syncthreads();
  for (int width = kBlock / 2; width > 0; width /= 2) {
    if (static_cast<int>(threadIdx.x) < width)
      s[threadIdx.x] += s[threadIdx.x + width];
    __syncthreads();
  }
  if (threadIdx.x == 0 && s[0] > 0) // finds: initcheck error
    out[blockIdx.x] = s[0];
}

template <bool bad> __global__ void counterIsNotCleared(int *count, int *out) {
  const int place = atomicAdd(count, 1);
  out[place & (kItems - 1)] = 1; // finds: initcheck error
}

template <bool bad> __global__ void maximumOfNothing(float *most, const float *in, int *out) {
  __shared__ float s;
  if (!bad && threadIdx.x == 0)
    s = 0;
  __syncthreads();
  if (in[globalId()] > s) // finds: initcheck error
    out[globalId()] = 1;
  *most = 1;
}

template <bool bad> __global__ void neverStoredHalf(int *out, unsigned x) {
  unsigned short halves[2];
  halves[0] = static_cast<unsigned short>(x);
  if (!bad)
    halves[1] = 0;
  const unsigned both = halves[0] | halves[1] << 16;
  if (both >> 8) // finds: initcheck error
    out[globalId()] = 1;
}

// Correct code that looks wrong at first sight.

__global__ void copiesPadding(WithPadding *to, const WithPadding *from) { to[globalId()] = from[globalId()]; }
__global__ void makesPadding(WithPadding *to, int x) {
  WithPadding made;
  made.kind = 1;
  made.value = x;
  to[globalId()] = made;
}
__global__ void usesOneMember(int *out, int x) {
  Pair pair;
  pair.first = x;
  const Pair copy = pair;
  if (copy.first > 3)
    out[globalId()] = copy.first;
}
__global__ void choosesTheWritten(int *out, int x) {
  int left, right;
  const bool which = x & 1;
  if (which)
    left = x;
  else
    right = x;
  out[globalId()] = which ? left : right;
}
__global__ void lowByteOfWord(int *out, unsigned char x) {
  Word word;
  word.bytes[0] = x;
  if ((word.all & 0xff) == 3)
    out[globalId()] = 1;
}
__global__ void firstThreeOfFour(float4 *v, int *out, float x) {
  v[globalId()].x = v[globalId()].y = v[globalId()].z = x;
  const float4 all = v[globalId()];
  if (all.x + all.y + all.z > 5)
    out[globalId()] = 1;
}

template <class T> T *unwritten(size_t count) {
  void *memory = nullptr;
  HIP_CHECK(hipMalloc(&memory, count * sizeof(T)));
  return static_cast<T *>(memory);
}

// min() chooses, it decides nothing.
template <bool bad> __global__ void leastOfAll(int *out, int n) {
  int values[4];
  for (int i = 0; i < (bad ? 3 : 4); ++i)
    values[i] = i + n;
  int best = values[0];
  for (int i = 1; i < 4; ++i)
    best = min(best, values[i]);
  out[globalId()] = 2;
  if (best == 7) // finds: initcheck error
    out[globalId()] = 1;
}
__global__ void leastIsNotUsed(int *out, int n) {
  int values[4];
  values[0] = n;
  const int least = min(values[0], values[n & 3]);
  out[globalId()] = n > 100 ? least : n;
}

template <bool bad> void run() {
  int *out = allocate<int>(kItems), *zeros = allocate<int>(kItems);
  LAUNCH(passedByValue, kBlocks, out, 3);
  LAUNCH(returned, kBlocks, out, 3);
  LAUNCH(resultIsIgnored, kBlocks, zeros, out);
  LAUNCH(constructorForgets, kBlocks, out, 3);
  LAUNCH(fourthOfVector, kBlocks, out, 1.0f);
  Ray *rays = unwritten<Ray>(kItems);
  LAUNCH(writesRays, kBlocks, rays, 1.0f);
  LAUNCH(followsRays, kBlocks, rays, out);
  LAUNCH(bytesOfVector, kBlocks, out, 3);
  LAUNCH(bytesOfUnion, kBlocks, out, 3);
  LAUNCH(structureThroughShared, kBlocks, out, 3);
  LAUNCH(copiedByMemcpy, kBlocks, out, 3);
  LAUNCH(noDefault, kBlocks, zeros, out);
  LAUNCH(loopMayNotRun, kBlocks, zeros, out, 0);
  LAUNCH(firstElementsOnly, kBlocks, out, 8);
  LAUNCH(tailOfTile, kBlocks, zeros, out, kItems - 10);
  LAUNCH(counterIsNotCleared, kBlocks, bad ? unwritten<int>(1) : zeros, out);
  LAUNCH(maximumOfNothing, kBlocks, unwritten<float>(1), reinterpret_cast<float *>(zeros), out);
  LAUNCH(neverStoredHalf, kBlocks, out, 3);
  auto *padded = unwritten<WithPadding>(kItems), *copies = unwritten<WithPadding>(kItems);
  makesPadding<<<kBlocks, kBlock>>>(padded, 3);
  copiesPadding<<<kBlocks, kBlock>>>(copies, padded);
  LAUNCH(leastOfAll, kBlocks, out, 3);
  leastIsNotUsed<<<kBlocks, kBlock>>>(out, 3);
  usesOneMember<<<kBlocks, kBlock>>>(out, 3);
  choosesTheWritten<<<kBlocks, kBlock>>>(out, 3);
  lowByteOfWord<<<kBlocks, kBlock>>>(out, 3);
  firstThreeOfFour<<<kBlocks, kBlock>>>(unwritten<float4>(kItems), out, 3);
  static WithPadding onHost[kItems];
  HIP_CHECK(hipMemcpy(onHost, copies, sizeof onHost, hipMemcpyDeviceToHost));
  static int results[kItems];
  HIP_CHECK(hipMemcpy(results, out, sizeof results, hipMemcpyDeviceToHost));
}
