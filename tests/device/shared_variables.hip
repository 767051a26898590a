// SPDX-License-Identifier: MIT
// __shared__ variables of every kind: scalars, arrays of several dimensions, structs with member functions and unions, in
// kernels, device functions and templates, beside dynamic shared memory under several types and names.
#include "check.h"

#include <hip/hip_fp16.h>

#include <algorithm>

namespace {

struct Point {
  double x;
  char tag;
  int counts[3];
  Point() = default;
  __device__ void set(int i) {
    x = i * 0.5;
    tag = static_cast<char>('a' + i % 26);
    for (int k = 0; k < 3; ++k)
      counts[k] = i + k;
  }
  __device__ int sum() const { return counts[0] + counts[1] + counts[2] + tag; }
};
union Bits {
  float number;
  unsigned word;
};
struct __attribute__((aligned(64))) Line {
  int words[3];
};
enum class Color : unsigned char { red, green };

struct Seen {
  int point, matrix, bits, color, line, half, flag, vector, pointer, function, inner;
  unsigned long long wide;
};

// A variable of a function is one for the block, wherever it is called from.
__device__ int accumulate(int value) {
  __shared__ int total;
  if (threadIdx.x == 0)
    total = 0;
  __syncthreads();
  atomicAdd(&total, value);
  __syncthreads();
  const int result = total;
  __syncthreads();
  return result;
}
// Each instance of a template has its own.
template <class T, int count> __device__ T reversed(T value) {
  __shared__ T values[count];
  values[threadIdx.x] = value;
  __syncthreads();
  T result = values[count - 1 - threadIdx.x];
  __syncthreads();
  return result;
}

constexpr int kThreads = 64;

__global__ void kinds(Seen *out) {
  __shared__ Point points[kThreads];
  __shared__ short matrix[4][4][4];
  __shared__ Bits bits;
  __shared__ Color color;
  __shared__ Line line;
  __shared__ __half halves[kThreads];
  __shared__ bool flag;
  __shared__ float4 vectors[kThreads];
  __shared__ Point *chosen;
  __shared__ unsigned long long wide;
  __shared__ struct {
    int a;
    struct {
      char b[5];
    } inner[2];
  } unnamed;
  const int i = static_cast<int>(threadIdx.x);
  points[i].set(i);
  matrix[i / 16][i / 4 % 4][i % 4] = static_cast<short>(3 * i);
  halves[i] = __float2half(i * 0.25f);
  vectors[i] = make_float4(i, i + 1, i + 2, i + 3);
  if (i == 5) {
    bits.number = 1.0f;
    color = Color::green;
    line.words[2] = 77;
    flag = true;
    chosen = &points[9];
    wide = 0x123456789abcdef0ull;
    unnamed.inner[1].b[4] = 42;
    unnamed.a = 8;
  }
  __syncthreads();
  const int other = kThreads - 1 - i;
  Seen s;
  s.point = points[other].sum();
  s.matrix = matrix[other / 16][other / 4 % 4][other % 4];
  s.bits = bits.word == 0x3f800000u;
  s.color = color == Color::green;
  s.line = line.words[2] + (reinterpret_cast<unsigned long long>(&line) % 64 == 0 ? 0 : 1000);
  s.half = static_cast<int>(4 * __half2float(halves[other]));
  s.flag = flag;
  s.vector = static_cast<int>(vectors[other].w);
  s.pointer = chosen->sum();
  s.wide = wide;
  s.inner = unnamed.a + unnamed.inner[1].b[4];
  __syncthreads();
  s.function = accumulate(i) * 10000 + accumulate(1);
  s.function += reversed<int, kThreads>(i) + reversed<char, kThreads>(static_cast<char>(i));
  out[i] = s;
}

int sumOf(int i) { return 3 * i + 3 + 'a' + i % 26; }

TEST(allKinds) {
  DeviceArray<Seen> out(kThreads);
  kinds<<<1, kThreads>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<Seen> seen = out.host();
  for (int i = 0; i < kThreads; ++i) {
    const int other = kThreads - 1 - i;
    CHECK_EQ(seen[i].point, sumOf(other));
    CHECK_EQ(seen[i].matrix, 3 * other);
    CHECK_EQ(seen[i].bits, 1);
    CHECK_EQ(seen[i].color, 1);
    CHECK_EQ(seen[i].line, 77);
    CHECK_EQ(seen[i].half, other);
    CHECK_EQ(seen[i].flag, 1);
    CHECK_EQ(seen[i].vector, other + 3);
    CHECK_EQ(seen[i].pointer, sumOf(9));
    CHECK_EQ(seen[i].wide, 0x123456789abcdef0ull);
    CHECK_EQ(seen[i].inner, 50);
    CHECK_EQ(seen[i].function, 63 * 32 * 10000 + 64 + 2 * other);
  }
}

// Dynamic shared memory begins behind the static variables; all names are the same memory.
template <class T> __global__ void dynamic(T *out) {
  __shared__ int before[5];
  extern __shared__ __attribute__((aligned(16))) unsigned char raw[];
  T *values = reinterpret_cast<T *>(raw);
  if (threadIdx.x < 5)
    before[threadIdx.x] = static_cast<int>(threadIdx.x) + 100;
  values[threadIdx.x] = static_cast<T>(threadIdx.x + blockIdx.x);
  __syncthreads();
  out[blockIdx.x * blockDim.x + threadIdx.x] =
      static_cast<T>(values[blockDim.x - 1 - threadIdx.x] + static_cast<T>(before[threadIdx.x % 5] - 100));
}

template <class T> void dynamicMemory() {
  const int threads = 48, blocks = 3;
  DeviceArray<T> out(threads * blocks);
  dynamic<T><<<blocks, threads, threads * sizeof(T)>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<T> values = out.host();
  for (int i = 0; i < threads * blocks; ++i)
    CHECK_EQ(values[i], static_cast<T>(threads - 1 - i % threads + i / threads + i % threads % 5));
}

__device__ int viaOtherName(int index) {
  extern __shared__ int numbers[];
  return numbers[index];
}
__global__ void names(int *out) {
  extern __shared__ short halves[];
  halves[2 * threadIdx.x] = static_cast<short>(threadIdx.x);
  halves[2 * threadIdx.x + 1] = 1;
  __syncthreads();
  out[threadIdx.x] = viaOtherName(static_cast<int>(blockDim.x - 1 - threadIdx.x));
}

TEST(otherNames) {
  DeviceArray<int> out(32);
  names<<<1, 32, 32 * sizeof(int)>>>(out);
  HIP_CHECK(hipGetLastError());
  std::vector<int> values = out.host();
  for (int i = 0; i < 32; ++i)
    CHECK_EQ(values[i], 0x10000 + 31 - i);
}

// Static variables that take everything leave no dynamic memory, and the kernel accesses none.
__global__ void everything(int *out, bool hasMore) {
  __shared__ int all[16384];
  extern __shared__ int more[];
  for (int i = static_cast<int>(threadIdx.x); i < 16384; i += 64)
    all[i] = i;
  __syncthreads();
  if (hasMore)
    more[threadIdx.x] = 1;
  for (int i = static_cast<int>(threadIdx.x); i < 16384; i += 64)
    out[i] = all[16383 - i];
}

TEST(staticVariablesTakeEverything) {
  hipDeviceProp_t properties;
  HIP_CHECK(hipGetDeviceProperties(&properties, 0));
  if (properties.sharedMemPerBlock != 65536) {
    std::printf("skipped: the device has %zu bytes of shared memory\n", properties.sharedMemPerBlock);
    return;
  }
  DeviceArray<int> out(16384);
  everything<<<1, 64>>>(out, false);
  HIP_CHECK(hipGetLastError());
  const std::vector<int> values = out.host();
  for (int i = 0; i < 16384; ++i)
    CHECK_EQ(values[i], 16383 - i);
  everything<<<1, 64, 1>>>(out, false);
  CHECK_EQ(hipGetLastError(), hipErrorInvalidValue);
}

TEST(dynamicMemoryOfEachType) {
  dynamicMemory<char>();
  dynamicMemory<int>();
  dynamicMemory<double>();
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
