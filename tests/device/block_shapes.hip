// SPDX-License-Identifier: MIT
// Blocks of every shape: rows that fill warps and rows that do not, last warps that are partial, blocks of a few threads. Each
// thread does its own work once, at its own place, whatever the lanes are that it shares registers with.
#include "tests/device/check.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

namespace {

struct Shape {
  dim3 block, grid;
};

const Shape kShapes[] = {
    {{32, 1, 1}, {3, 1, 1}}, {{64, 2, 1}, {2, 2, 1}}, {{16, 1, 1}, {5, 1, 1}},   {{48, 1, 1}, {3, 1, 1}},
    {{8, 1, 1}, {9, 1, 1}},  {{24, 1, 1}, {4, 1, 1}}, {{100, 1, 1}, {3, 1, 1}},  {{33, 1, 1}, {2, 1, 1}},
    {{31, 1, 1}, {4, 1, 1}}, {{9, 1, 1}, {7, 1, 1}},  {{1000, 1, 1}, {2, 1, 1}}, {{16, 16, 1}, {2, 2, 1}},
    {{8, 8, 1}, {3, 2, 1}},  {{4, 4, 4}, {2, 2, 2}},  {{8, 5, 1}, {2, 1, 1}},    {{16, 3, 1}, {2, 1, 1}},
    {{4, 9, 1}, {2, 3, 1}},  {{2, 32, 1}, {2, 1, 1}}, {{1, 64, 1}, {3, 1, 1}},   {{20, 20, 1}, {2, 2, 1}},
    {{7, 3, 5}, {2, 1, 2}},  {{48, 3, 1}, {1, 2, 1}}, {{1, 1, 1}, {100, 1, 1}},  {{1, 1, 1}, {17, 3, 2}},
    {{4, 1, 1}, {33, 1, 1}}, {{3, 1, 1}, {50, 1, 1}}, {{5, 1, 1}, {7, 3, 1}},    {{7, 1, 1}, {40, 1, 1}},
    {{2, 1, 1}, {1, 9, 3}},  {{2, 2, 1}, {11, 2, 1}}, {{1, 3, 2}, {9, 1, 1}},    {{2, 2, 2}, {5, 5, 1}},
    {{1, 1, 6}, {21, 1, 2}}, {{4, 2, 1}, {13, 1, 1}}, {{1, 1, 1}, {1, 1, 1}},    {{3, 1, 1}, {1, 70, 1}}};

size_t threadsOf(const dim3 &size) { return size_t(size.x) * size.y * size.z; }

// All that a thread knows of itself, at the place that follows from it.
__global__ void ids(unsigned *out, unsigned *visits) {
  const unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned place = block * blockDim.x * blockDim.y * blockDim.z + linear;
  out[4 * place] = threadIdx.x + 1000 * threadIdx.y + 1000000 * threadIdx.z;
  out[4 * place + 1] = blockIdx.x;
  out[4 * place + 2] = blockIdx.y + 1000 * blockIdx.z;
  out[4 * place + 3] = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&visits[place], 1u);
}

TEST(everyThreadKnowsItself) {
  for (const Shape &shape : kShapes) {
    const size_t threads = threadsOf(shape.block), all = threads * threadsOf(shape.grid);
    DeviceArray<unsigned> out(4 * all), visits(all);
    ids<<<shape.grid, shape.block>>>(out, visits);
    HIP_CHECK(hipGetLastError());
    const auto found = out.host(), count = visits.host();
    for (size_t i = 0; i < all; ++i) {
      const unsigned t = i % threads, b = i / threads, x = t % shape.block.x, y = t / shape.block.x % shape.block.y,
                     z = t / (shape.block.x * shape.block.y), bx = b % shape.grid.x;
      CHECK_EQ(count[i], 1u);
      CHECK_EQ(found[4 * i], x + 1000 * y + 1000000 * z);
      CHECK_EQ(found[4 * i + 1], bx);
      CHECK_EQ(found[4 * i + 2], b / shape.grid.x % shape.grid.y + 1000 * (b / (shape.grid.x * shape.grid.y)));
      CHECK_EQ(found[4 * i + 3], bx * shape.block.x + x);
    }
  }
}

// Early returns, loops of different lengths, a private array, a function that is not inlined.
__device__ __attribute__((noinline)) int collatz(unsigned n) {
  return n <= 1 ? 0 : 1 + collatz(n % 2 ? 3 * n + 1 : n / 2);
}

__global__ void work(const int *in, int *out, int count, int width) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, z = blockIdx.z * blockDim.z + threadIdx.z;
  const int y = (z * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y; // rows of all planes
  const int i = y * width + x;
  if (x >= width || i >= count || in[i] % 7 == 3)
    return;
  int last[4];
  for (int k = 0; k < 4; ++k)
    last[k] = in[i] + k;
  int sum = 0;
  for (int k = 0; k < in[i] % 5; ++k)
    sum += last[(k + int(threadIdx.x)) % 4];
  out[i] = sum + collatz(unsigned(in[i] % 30)) + in[i];
}

int collatzOnHost(unsigned n) { return n <= 1 ? 0 : 1 + collatzOnHost(n % 2 ? 3 * n + 1 : n / 2); }

TEST(controlFlow) {
  for (const Shape &shape : kShapes) {
    const int width = int(shape.grid.x * shape.block.x) - (shape.grid.x > 1);
    const int rows = int(shape.grid.y * shape.block.y * shape.grid.z * shape.block.z);
    const int count = width * rows;
    std::vector<int> in(static_cast<size_t>(count)), wanted(static_cast<size_t>(count), -1);
    for (int i = 0; i < count; ++i)
      in[i] = (i * 37 + 11) % 101;
    const int limit = count - 1;
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < width; ++x) {
        const int i = y * width + x;
        if (i >= limit || in[i] % 7 == 3)
          continue;
        int sum = 0;
        for (int k = 0; k < in[i] % 5; ++k)
          sum += in[i] + (k + x % int(shape.block.x)) % 4;
        wanted[i] = sum + collatzOnHost(unsigned(in[i] % 30)) + in[i];
      }
    DeviceArray<int> source(in), out(std::vector<int>(wanted.size(), -1));
    work<<<shape.grid, shape.block>>>(source, out, limit, width);
    HIP_CHECK(hipGetLastError());
    CHECK(out.host() == wanted);
  }
}

// Mostly arithmetic, with loops of different lengths: warps of more lanes than a register has numbers.
__host__ __device__ unsigned long long mix(unsigned seed, unsigned rounds) {
  float sum = float(seed % 97);
  unsigned state = seed | 1;
  for (unsigned i = 0; i < rounds; ++i) {
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    sum = float(int(sum) % 1024) * 3.0f + float(state % 7);
    if (state % 64 == 9)
      break;
  }
  return (static_cast<unsigned long long>(state) << 32) + static_cast<unsigned>(sum);
}

__global__ void compute(unsigned long long *out) {
  const unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  const unsigned place = block * blockDim.x * blockDim.y * blockDim.z + linear;
  out[place] = mix(place, 20 + place % 11);
}

TEST(arithmetic) {
  for (const Shape &shape : kShapes) {
    const size_t all = threadsOf(shape.block) * threadsOf(shape.grid);
    DeviceArray<unsigned long long> out(all);
    compute<<<shape.grid, shape.block>>>(out);
    HIP_CHECK(hipGetLastError());
    const auto found = out.host();
    for (size_t i = 0; i < all; ++i)
      CHECK_EQ(found[i], mix(i, 20 + i % 11));
  }
}

// Products of rows and columns: the rows of a block have the columns' words in common. The last threads have no work.
template <class T> __global__ void product(const T *a, const T *b, T *c, int rows, int columns, int inner) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row =
      ((blockIdx.z * blockDim.z + threadIdx.z) * gridDim.y + blockIdx.y) * blockDim.y + threadIdx.y; // of all planes
  if (row >= rows || column >= columns)
    return;
  T sum = 0;
  for (int k = 0; k < inner; ++k)
    sum += a[row * inner + k] * b[k * columns + column];
  c[row * columns + column] = sum;
}

template <class T> void multiply() {
  for (const Shape &shape : kShapes) {
    const int columns = std::max(1, int(shape.grid.x * shape.block.x) - 3), inner = 37;
    const int rows = std::max(1, int(shape.grid.y * shape.block.y * shape.grid.z * shape.block.z) - 2);
    std::vector<T> a(size_t(rows * inner)), b(size_t(inner * columns)), wanted(size_t(rows * columns));
    for (size_t i = 0; i < a.size(); ++i)
      a[i] = T(i * 7 % 23);
    for (size_t i = 0; i < b.size(); ++i)
      b[i] = T(i * 5 % 19);
    for (int row = 0; row < rows; ++row)
      for (int column = 0; column < columns; ++column)
        for (int k = 0; k < inner; ++k)
          wanted[row * columns + column] += a[row * inner + k] * b[k * columns + column];
    DeviceArray<T> left(a), right(b), out(std::vector<T>(wanted.size(), T(99)));
    product<T><<<shape.grid, shape.block>>>(left, right, out, rows, columns, inner);
    HIP_CHECK(hipGetLastError());
    CHECK(out.host() == wanted);
  }
}

TEST(rowsTimesColumns) {
  multiply<float>();
  multiply<double>();
  multiply<unsigned>();
}

// A tree in shared memory and a shuffle.
__global__ void sums(const int *in, int *out, int *neighbours) {
  __shared__ int part[1024];
  const int threads = blockDim.x * blockDim.y * blockDim.z;
  const int linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
  part[linear] = in[block * threads + linear];
  neighbours[block * threads + linear] = __shfl_xor(part[linear], 1);
  __syncthreads();
  for (int width = 512; width > 0; width /= 2) {
    if (linear < width && linear + width < threads)
      part[linear] += part[linear + width];
    __syncthreads();
  }
  if (linear == 0)
    out[block] = part[0];
}

TEST(threadsOfABlockTogether) {
  for (const Shape &shape : kShapes) {
    const size_t threads = threadsOf(shape.block), blocks = threadsOf(shape.grid);
    std::vector<int> in(threads * blocks);
    for (size_t i = 0; i < in.size(); ++i)
      in[i] = int(i * 7 % 101);
    DeviceArray<int> source(in), out(blocks), neighbours(in.size());
    sums<<<shape.grid, shape.block>>>(source, out, neighbours);
    HIP_CHECK(hipGetLastError());
    const auto found = out.host(), next = neighbours.host();
    for (size_t b = 0; b < blocks; ++b) {
      int sum = 0;
      for (size_t t = 0; t < threads; ++t) {
        sum += in[b * threads + t];
        CHECK_EQ(next[b * threads + t], (t ^ 1) < threads ? in[b * threads + (t ^ 1)] : 0); // 0: there is no such lane
      }
      CHECK_EQ(found[b], sum);
    }
  }
}

// Nothing is touched beyond the last thread's element: it is the last of its page.
__global__ void addOne(int *values) { values[blockIdx.x * blockDim.x + threadIdx.x] += 1; }

TEST(nothingIsTouchedBehindTheLastThread) {
  const size_t page = size_t(::sysconf(_SC_PAGESIZE));
  char *pages =
      static_cast<char *>(::mmap(nullptr, 3 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  CHECK_EQ(::mprotect(pages + 2 * page, page, PROT_NONE), 0);
  HIP_CHECK(hipHostRegister(pages, 2 * page, hipHostRegisterMapped));
  for (unsigned threads : {1u, 2u, 3u, 5u, 7u, 8u, 9u, 17u, 33u, 100u})
    for (unsigned blocks : {1u, 2u, 5u, 11u}) {
      int *values = reinterpret_cast<int *>(pages + 2 * page) - threads * blocks;
      std::fill_n(values, threads * blocks, 41);
      values[-1] = 7;
      addOne<<<blocks, threads>>>(values);
      HIP_CHECK(hipDeviceSynchronize());
      CHECK_EQ(values[-1], 7);
      CHECK_EQ(std::count(values, values + threads * blocks, 42), ptrdiff_t(threads * blocks));
    }
  HIP_CHECK(hipHostUnregister(pages));
  ::munmap(pages, 3 * page);
}

// More private memory than a stack may have, for each of the threads that share registers.
__global__ void largeArrays(const int *in, int *out, int rounds) {
  int values[3000];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int k = 0; k < 3000; ++k)
    values[k] = in[i] + k;
  for (int k = 0; k < rounds; ++k)
    values[(in[i] * 7 + k * 13) % 3000] += values[(k * 17 + i) % 3000];
  out[i] = values[(in[i] * 7) % 3000] + values[2999];
}

TEST(largePrivateArraysOfTinyBlocks) {
  std::vector<int> in(96);
  for (int i = 0; i < 96; ++i)
    in[i] = i * 11 % 50;
  DeviceArray<int> source(in), one(96), other(96), third(96);
  largeArrays<<<96, 1>>>(source, one, 100);
  largeArrays<<<24, 4>>>(source, other, 100);
  largeArrays<<<3, 32>>>(source, third, 100);
  HIP_CHECK(hipGetLastError());
  CHECK(one.host() == third.host());
  CHECK(other.host() == third.host());
  CHECK_EQ(third.host()[0] != 0, true);
}

// Results of atomics and text: blocks of few threads one after the other.
__global__ void tickets(unsigned *next, unsigned *taken, float *sum) {
  const unsigned mine = atomicAdd(next, 1u);
  taken[mine] = blockIdx.x * blockDim.x + threadIdx.x + 1;
  atomicAdd(sum, 0.5f);
}

TEST(atomicsOfTinyBlocks) {
  for (unsigned threads : {1u, 3u, 4u, 8u}) {
    const unsigned blocks = 77, all = blocks * threads;
    DeviceArray<unsigned> next(1), taken(all);
    DeviceArray<float> sum(1);
    tickets<<<blocks, threads>>>(next, taken, sum);
    HIP_CHECK(hipGetLastError());
    auto ids = taken.host();
    std::sort(ids.begin(), ids.end());
    for (unsigned i = 0; i < all; ++i)
      CHECK_EQ(ids[i], i + 1);
    CHECK_EQ(next.host()[0], all);
    CHECK_EQ(sum.host()[0], 0.5f * float(all));
  }
}

__global__ void speak(int *spoken) {
  if (blockIdx.x % 3 == 1) {
    printf("block %u thread %u\n", blockIdx.x, threadIdx.x);
    spoken[blockIdx.x] = 1;
  }
}

__global__ void insists(int *reached, unsigned bad) {
  assert(blockIdx.x != bad);
  reached[blockIdx.x] = 1;
}

template <class Function> std::string outputOf(int descriptor, Function function) {
  std::FILE *file = std::tmpfile();
  std::fflush(nullptr);
  const int saved = ::dup(descriptor);
  ::dup2(::fileno(file), descriptor);
  function();
  std::fflush(nullptr);
  ::dup2(saved, descriptor);
  ::close(saved);
  std::string text(size_t(::lseek(::fileno(file), 0, SEEK_END)), '\0');
  CHECK_EQ(::pread(::fileno(file), text.data(), text.size(), 0), ssize_t(text.size()));
  std::fclose(file);
  return text;
}

TEST(printfOfTinyBlocks) {
  for (unsigned threads : {1u, 2u}) {
    DeviceArray<int> spoken(20);
    const std::string text = outputOf(1, [&] {
      speak<<<20, threads>>>(spoken);
      HIP_CHECK(hipDeviceSynchronize());
    });
    CHECK_EQ(std::count(text.begin(), text.end(), '\n'), ptrdiff_t(7 * threads));
    for (unsigned block = 1; block < 20; block += 3)
      for (unsigned thread = 0; thread < threads; ++thread)
        CHECK(text.find("block " + std::to_string(block) + " thread " + std::to_string(thread) + "\n") !=
              std::string::npos);
  }
}

TEST(assertOfTinyBlocks) {
  int *reached;
  HIP_CHECK(hipHostMalloc(&reached, 40 * sizeof(int)));
  std::fill_n(reached, 40, 0);
  hipError_t error = hipSuccess;
  const std::string text = outputOf(2, [&] {
    insists<<<40, 1>>>(reached, 21);
    error = hipDeviceSynchronize();
  });
  CHECK_EQ(error, HIP_VERSION_MAJOR < 7 ? hipErrorAssert : hipErrorLaunchFailure);
  CHECK(text.find("failed. Block: [21,0,0], thread: [0,0,0]\n") != std::string::npos);
  CHECK_EQ(reached[21], 0);
  HIP_CHECK(hipDeviceReset());
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
