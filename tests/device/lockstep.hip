// SPDX-License-Identifier: MIT
// Work-items that a processor executes in step as lanes of vectors: what they compute is what each computes alone. The
// functions run on the host too, work-item by work-item, for blocks that do and do not fill their warps.
#include "tests/device/check.h"

struct Item {
  unsigned x, y, z, linear; // in the block, from 0
  unsigned global;          // over all blocks
};

constexpr unsigned kInputs = 256;

// A value is uniform while the loop runs, and differs once lanes have left it in different iterations.
struct LastIteration {
  __host__ __device__ unsigned operator()(Item i, const unsigned *in) const {
    unsigned k = 0, sum = 0;
    while (k * k < in[i.global % kInputs] % 500) {
      ++k;
      for (unsigned inner = 0; inner < k % 3 + i.linear % 4; ++inner)
        sum += inner ^ k;
    }
    return k * 10000 + sum;
  }
};

// break, continue and return in nested loops and a switch.
struct Jumps {
  __host__ __device__ unsigned operator()(Item i, const unsigned *in) const {
    unsigned result = 1;
    for (unsigned a = 0; a < 9; ++a) {
      if ((in[(i.global + a) % kInputs] & 7) == 3)
        continue;
      switch ((i.linear + a) % 5) {
      case 0: result = result * 3 + a; [[fallthrough]];
      case 1: result ^= 0x55; break;
      case 2:
        for (unsigned b = 0;; ++b) {
          result += b * i.x;
          if (b * 3 > i.y + a)
            break;
          if (result % 97 == 5)
            return result;
        }
        break;
      default:
        if (result > 100000)
          return result + 7;
        result += 2;
      }
    }
    return result;
  }
};

// Lanes that must not divide have nothing that can be divided by.
struct Division {
  __host__ __device__ unsigned operator()(Item i, const unsigned *in) const {
    int divisor = int(in[i.global % kInputs] % 5) - 1, dividend = divisor == -1 ? 12345 : int(0x80000000u);
    unsigned result = 3;
    if (divisor != 0)
      result = unsigned(dividend / divisor) ^ unsigned(dividend % divisor);
    unsigned long long wide = in[(i.global + 1) % kInputs] % 3;
    if (wide)
      result += unsigned((0x123456789abcull + i.global) / wide);
    return result;
  }
};

// Numbers of 8 and 16 bits wrap within a warp, and their sign is one of the bits that differ.
struct NarrowIntegers {
  __host__ __device__ unsigned operator()(Item i, const unsigned *) const {
    signed char a = (signed char)(i.linear * 8);
    unsigned char b = (unsigned char)(i.linear * 16);
    short c = (short)(i.global * 2048);
    return unsigned(a < 0) + 2 * unsigned(a / 4 + 100) + 1000 * b + (c < 5 ? 500000 : 0) +
           unsigned(a >> 3 & 15) * 1000000;
  }
};

// Private arrays: interleaved ones, ones whose address is taken, and ones of bytes and structures.
__host__ __device__ __attribute__((noinline)) unsigned sumOf(const unsigned *numbers, unsigned count) {
  unsigned sum = 0;
  for (unsigned i = 0; i < count; ++i)
    sum += numbers[i] * (i + 1);
  return sum;
}
struct PrivateArrays {
  struct Mixed {
    unsigned char small;
    double large;
    unsigned short middle[3];
  };
  __host__ __device__ unsigned operator()(Item i, const unsigned *in) const {
    unsigned interleaved[8], passed[5];
    unsigned char bytes[16] = {};
    Mixed mixed[3] = {};
    for (unsigned k = 0; k < 8; ++k)
      interleaved[k] = in[(i.global + k) % kInputs];
    for (unsigned k = 0; k < 20; ++k) {
      interleaved[(i.linear + k * 3) % 8] += interleaved[k % 8] >> 3;
      bytes[interleaved[k % 8] % 16] += (unsigned char)k;
      mixed[k % 3].large += bytes[k % 16];
      mixed[(i.x + k) % 3].middle[k % 3] += (unsigned short)(interleaved[3] >> 4);
    }
    for (unsigned k = 0; k < 5; ++k)
      passed[k] = bytes[k] + interleaved[k];
    return sumOf(passed, i.linear % 6) + unsigned(mixed[i.y % 3].large) + mixed[1].middle[i.linear % 3];
  }
};

// Indices with a stride of 1, backwards, with gaps, and anywhere; elements of 1, 2, 3, 4, 8 and 16 bytes.
struct Accesses {
  __host__ __device__ unsigned operator()(Item i, const unsigned *in) const {
    const unsigned char *bytes = reinterpret_cast<const unsigned char *>(in);
    const unsigned short *halves = reinterpret_cast<const unsigned short *>(in);
    const uint3 *threes = reinterpret_cast<const uint3 *>(in);
    const uint4 *fours = reinterpret_cast<const uint4 *>(in);
    unsigned at = i.linear % 64;
    unsigned result = in[at] + in[at + 1] + in[255 - at] + in[at * 3] + in[in[at] % kInputs];
    result += bytes[at] + bytes[1023 - at] * 3u + bytes[in[at] % 1024] * 5u;
    result ^= halves[at + 1] + halves[in[at] % 512] * 7u;
    if (at % 3 != 1) {
      uint3 three = threes[at];
      uint4 four = fours[at];
      result += three.x ^ three.z ^ four.y ^ four.w;
    }
    return result + unsigned(reinterpret_cast<const unsigned long long *>(in)[at] >> 33);
  }
};

// Recursion and calls through pointers, lane by lane.
__host__ __device__ __attribute__((noinline)) unsigned depth(unsigned n, unsigned x) {
  return n == 0 ? x : depth(n - 1, x * 5 + n) ^ (x >> 3);
}
struct Calls {
  __host__ __device__ unsigned operator()(Item i, const unsigned *in) const {
    unsigned x = in[i.global % kInputs];
    return x % 3 == 1 ? 17 : depth(x % 7, i.linear) + depth(3, x);
  }
};

template <class F> __global__ void run(F function, const unsigned *in, unsigned *out) {
  unsigned linear = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  unsigned global = blockIdx.x * blockDim.x * blockDim.y * blockDim.z + linear;
  out[global] = function(Item{threadIdx.x, threadIdx.y, threadIdx.z, linear, global}, in);
}

template <class F> void check(F function) {
  std::vector<unsigned> in(kInputs);
  for (unsigned i = 0; i < kInputs; ++i)
    in[i] = i % 5 == 0 ? i : i * 2654435761u;
  DeviceArray<unsigned> deviceIn(in);
  for (dim3 block : {dim3(64), dim3(45), dim3(7, 5, 3), dim3(16, 16), dim3(32, 3), dim3(1), dim3(3, 2)}) {
    const unsigned threads = block.x * block.y * block.z, blocks = 3;
    DeviceArray<unsigned> deviceOut(threads * blocks);
    run<<<blocks, block>>>(function, deviceIn, deviceOut);
    HIP_CHECK(hipGetLastError());
    std::vector<unsigned> out = deviceOut.host();
    unsigned wrong = 0;
    for (unsigned g = 0; g < threads * blocks; ++g) {
      unsigned t = g % threads;
      Item item{t % block.x, t / block.x % block.y, t / block.x / block.y, t, g};
      unsigned expected = function(item, in.data());
      if (out[g] != expected && wrong++ == 0)
        std::fprintf(stderr, "blocks of %u x %u x %u: %u of thread %u should be %u\n", block.x, block.y, block.z,
                     out[g], g, expected);
    }
    CHECK_EQ(wrong, 0u);
  }
}

// Old programs rely on a warp's steps: no barrier, no shuffle, only volatile shared memory.
__global__ void reduceInStep(const unsigned *in, unsigned *out) {
  __shared__ volatile unsigned part[64];
  unsigned t = threadIdx.x;
  part[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    part[t] += part[t + 32];
    part[t] += part[t + 16];
    part[t] += part[t + 8];
    part[t] += part[t + 4];
    part[t] += part[t + 2];
    part[t] += part[t + 1];
  }
  if (t == 0)
    out[blockIdx.x] = part[0];
}

// AMD's users leave the barrier out where the block is a warp, without volatile, or have a fence in its place.
__global__ void reverseInStep(const unsigned *in, unsigned *out) {
  __shared__ unsigned part[32];
  part[threadIdx.x] = in[blockIdx.x * 32 + threadIdx.x];
  out[blockIdx.x * 32 + threadIdx.x] = part[31 - threadIdx.x];
}
__global__ void rotateInStep(const unsigned *in, unsigned *out) {
  __shared__ unsigned part[64];
  part[threadIdx.x] = in[blockIdx.x * 64 + threadIdx.x];
  __syncthreads();
  const unsigned got = part[63 - threadIdx.x];
  __syncthreads();
  part[threadIdx.x] = got;
  __threadfence_block();
  out[blockIdx.x * 64 + threadIdx.x] = part[threadIdx.x / 32 * 32 + (threadIdx.x + 16) % 32];
}

// A lock of each thread, which no vector of threads can take, and then a reduction in step. Half of the warp goes round a loop.
__global__ void reduceBehindLock(const unsigned *in, unsigned *lock, unsigned *count, unsigned *out) {
  __shared__ unsigned part[32];
  const unsigned t = threadIdx.x;
  for (bool done = false; !done;)
    if (atomicCAS(lock, 0u, 1u) == 0) {
      *(volatile unsigned *)count += 1;
      __threadfence();
      atomicExch(lock, 0u);
      done = true;
    }
  part[t] = in[blockIdx.x * 32 + t];
  for (unsigned step = 16; step != 0; step /= 2)
    if (t < step) {
      __threadfence_block();
      part[t] += part[t + step];
    }
  __threadfence_block();
  out[blockIdx.x * 32 + t] = part[0];
}

// The exchanged value belongs to the thread that has the lock: the others cannot come to where it is.
__global__ void exchangeInLock(unsigned *lock, unsigned from, unsigned to, unsigned *out) {
  __shared__ unsigned part[2];
  if (threadIdx.x == 0)
    part[0] = 0;
  __syncthreads();
  for (bool done = false; !done;)
    if (atomicCAS(lock, 0u, 1u) == 0) {
      part[to] = part[from] + 1;
      __threadfence_block();
      atomicExch(lock, 0u);
      done = true;
    }
  __syncthreads();
  out[threadIdx.x] = part[0];
}

TEST(warpBesideLocks) {
  std::vector<unsigned> in(kInputs);
  for (unsigned i = 0; i < kInputs; ++i)
    in[i] = i * 2654435761u;
  DeviceArray<unsigned> deviceIn(in), lock(2), count(1), sums(kInputs), counts(64);
  reduceBehindLock<<<kInputs / 32, 32>>>(deviceIn, lock, count, sums);
  exchangeInLock<<<1, 64>>>((unsigned *)lock + 1, 0, 0, counts);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(count.host()[0], kInputs);
  const std::vector<unsigned> s = sums.host();
  for (unsigned i = 0; i < kInputs; ++i) {
    unsigned expected = 0;
    for (unsigned k = 0; k < 32; ++k)
      expected += in[i / 32 * 32 + k];
    CHECK_EQ(s[i], expected);
  }
  for (unsigned c : counts.host())
    CHECK_EQ(c, 64u);
}

TEST(warpWithoutBarriers) {
  std::vector<unsigned> in(kInputs), expected(4);
  for (unsigned i = 0; i < kInputs; ++i)
    expected[i / 64] += in[i] = i * 2654435761u;
  DeviceArray<unsigned> deviceIn(in), out(4);
  reduceInStep<<<4, 64>>>(deviceIn, out);
  HIP_CHECK(hipGetLastError());
  CHECK(out.host() == expected);

  DeviceArray<unsigned> reversed(kInputs), rotated(kInputs);
  reverseInStep<<<kInputs / 32, 32>>>(deviceIn, reversed);
  rotateInStep<<<kInputs / 64, 64>>>(deviceIn, rotated);
  const std::vector<unsigned> r = reversed.host(), s = rotated.host();
  for (unsigned i = 0; i < kInputs; ++i) {
    CHECK_EQ(r[i], in[i / 32 * 32 + 31 - i % 32]);
    const unsigned from = i / 32 * 32 + (i + 16) % 32;
    CHECK_EQ(s[i], in[from / 64 * 64 + 63 - from % 64]);
  }
}

// All lanes add to one number, some lanes do, and each gets a number of its own. Sums of these floats are exact.
__global__ void addToOne(float *sums, double *wide, unsigned *counts, unsigned *tickets, unsigned items) {
  __shared__ unsigned local[8];
  __shared__ float localSum;
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x < 8)
    local[threadIdx.x] = 0;
  if (threadIdx.x == 0)
    localSum = 0;
  __syncthreads();
  if (i < items) {
    atomicAdd(&sums[0], float(i));
    if (i % 3 == 1) {
      atomicAdd(&wide[i % 2], double(i) / 4);
      atomicSub(&counts[1], i);
    }
    atomicAdd(&local[i % 5], i);
    atomicMax(&local[6], i);
    atomicAdd(&localSum, 0.5f);
    tickets[atomicAdd(&counts[0], 1u)] = i;
  }
  __syncthreads();
  if (threadIdx.x < 5)
    atomicAdd(&counts[2 + threadIdx.x], local[threadIdx.x]);
  if (threadIdx.x == 0) {
    atomicMax(&counts[7], local[6]);
    atomicAdd(&sums[1], localSum);
  }
}

TEST(atomics) {
  constexpr unsigned kItems = 150;
  DeviceArray<float> sums(std::vector<float>(2));
  DeviceArray<double> wide(std::vector<double>(2));
  DeviceArray<unsigned> counts(std::vector<unsigned>(8)), tickets(std::vector<unsigned>(kItems, 1000));
  addToOne<<<3, 60>>>(sums, wide, counts, tickets, kItems);
  HIP_CHECK(hipGetLastError());
  double expected[2] = {};
  unsigned minus = 0, modulo[5] = {};
  for (unsigned i = 0; i < kItems; ++i) {
    if (i % 3 == 1) {
      expected[i % 2] += double(i) / 4;
      minus -= i;
    }
    modulo[i % 5] += i;
  }
  CHECK_EQ(sums.host()[0], float(kItems * (kItems - 1) / 2));
  CHECK_EQ(sums.host()[1], kItems * 0.5f);
  CHECK_EQ(wide.host()[0], expected[0]);
  CHECK_EQ(wide.host()[1], expected[1]);
  std::vector<unsigned> counted = counts.host(), drawn = tickets.host(), seen(kItems);
  CHECK_EQ(counted[0], kItems);
  CHECK_EQ(counted[1], minus);
  for (unsigned k = 0; k < 5; ++k)
    CHECK_EQ(counted[2 + k], modulo[k]);
  CHECK_EQ(counted[7], kItems - 1);
  for (unsigned item : drawn)
    CHECK(item < kItems && seen[item]++ == 0);
}

TEST(lastIteration) { check(LastIteration()); }
TEST(jumps) { check(Jumps()); }
TEST(division) { check(Division()); }
TEST(narrowIntegers) { check(NarrowIntegers()); }
TEST(privateArrays) { check(PrivateArrays()); }
TEST(accesses) { check(Accesses()); }
TEST(calls) { check(Calls()); }

int main(int argc, char **argv) { return runTests(argc, argv); }
