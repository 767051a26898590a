// SPDX-License-Identifier: MIT
// Additions of HIP 7 for kernels: reductions of a warp for more types, operations of half precision that are never fused, conversions and
// atomic sums of 16 bits.
#include <hip/hip_bf16.h>
#include <hip/hip_fp16.h>

#include "tests/device/check.h"

#include <cmath>
#include <functional>
#include <vector>

template <class T> struct Reduced {
  T sum, least, most;
};
template <class T> __global__ void reduce(const T *values, Reduced<T> *out, unsigned long long mask) {
  const unsigned lane = threadIdx.x;
  if (mask >> lane & 1)
    out[lane] = {__reduce_add_sync(mask, values[lane]), __reduce_min_sync(mask, values[lane]),
                 __reduce_max_sync(mask, values[lane])};
}
template <class T> __global__ void reduceBits(const T *values, T *out, unsigned long long mask) {
  const unsigned lane = threadIdx.x;
  if (mask >> lane & 1) {
    out[3 * lane] = __reduce_and_sync(mask, values[lane]);
    out[3 * lane + 1] = __reduce_or_sync(mask, values[lane]);
    out[3 * lane + 2] = __reduce_xor_sync(mask, values[lane]);
  }
}

static const unsigned long long kMasks[] = {0xffffffff, 1, 0x80000000, 0x0f0f0ff0, 0x55555555};

// The values are small multiples of a power of two, so that sums are exact in any order.
template <class T> static void checkReductions(std::function<T(int)> make) {
  T *values;
  Reduced<T> *out;
  HIP_CHECK(hipMallocManaged(&values, 32 * sizeof *values));
  HIP_CHECK(hipMallocManaged(&out, 32 * sizeof *out));
  const auto number = [](int i) { return (i * 37 + 11) % 41 - 20; };
  for (int i = 0; i < 32; ++i)
    values[i] = make(number(i));
  for (unsigned long long mask : kMasks) {
    int sum = 0, least = 100, most = -100;
    for (int i = 0; i < 32; ++i)
      if (mask >> i & 1) {
        sum += number(i);
        least = std::min(least, number(i));
        most = std::max(most, number(i));
      }
    reduce<<<1, 32>>>(values, out, mask);
    HIP_CHECK(hipDeviceSynchronize());
    for (int i = 0; i < 32; ++i)
      if (mask >> i & 1) {
        CHECK_EQ((double)out[i].sum, (double)make(sum));
        CHECK_EQ((double)out[i].least, (double)make(least));
        CHECK_EQ((double)out[i].most, (double)make(most));
      }
  }
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipFree(out));
}
template <class T> static void checkBits() {
  T *values, *out;
  HIP_CHECK(hipMallocManaged(&values, 32 * sizeof *values));
  HIP_CHECK(hipMallocManaged(&out, 96 * sizeof *out));
  for (int i = 0; i < 32; ++i)
    values[i] = static_cast<T>(0x9e3779b97f4a7c15ull * (i + 3) | 0x100000001ull);
  for (unsigned long long mask : kMasks) {
    T all = static_cast<T>(-1), any = 0, odd = 0;
    for (int i = 0; i < 32; ++i)
      if (mask >> i & 1) {
        all &= values[i];
        any |= values[i];
        odd ^= values[i];
      }
    reduceBits<<<1, 32>>>(values, out, mask);
    HIP_CHECK(hipDeviceSynchronize());
    for (int i = 0; i < 32; ++i)
      if (mask >> i & 1) {
        CHECK_EQ(out[3 * i], all);
        CHECK_EQ(out[3 * i + 1], any);
        CHECK_EQ(out[3 * i + 2], odd);
      }
  }
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipFree(out));
}

// Sums that are rounded, and an operation of the program's own.
__global__ void reduceRounded(const float *values, float *sums, unsigned *products, unsigned long long mask) {
  const unsigned lane = threadIdx.x;
  if (mask >> lane & 1) {
    sums[lane] = __reduce_add_sync(mask, values[lane]);
    const auto multiply = [](unsigned &x, unsigned &y) { return x * y; };
    products[lane] = __reduce_op_sync(mask, 2 * lane + 1, multiply, [](unsigned product) { return product; });
  }
}
TEST(allLanesGetTheSameSum) {
  float *values, *sums;
  unsigned *products;
  HIP_CHECK(hipMallocManaged(&values, 32 * sizeof *values));
  HIP_CHECK(hipMallocManaged(&sums, 32 * sizeof *sums));
  HIP_CHECK(hipMallocManaged(&products, 32 * sizeof *products));
  for (int i = 0; i < 32; ++i)
    values[i] = std::ldexp(1.0f + 0.1f * i, i % 24);
  for (unsigned long long mask : kMasks) {
    reduceRounded<<<1, 32>>>(values, sums, products, mask);
    HIP_CHECK(hipDeviceSynchronize());
    const int first = __builtin_ctzll(mask);
    unsigned product = 1;
    double sum = 0;
    for (unsigned i = 0; i < 32; ++i)
      if (mask >> i & 1) {
        product *= 2 * i + 1;
        sum += values[i];
      }
    CHECK(std::fabs(sums[first] - sum) <= 1e-5 * sum);
    for (int i = 0; i < 32; ++i)
      if (mask >> i & 1) {
        CHECK_EQ(sums[i], sums[first]);
        CHECK_EQ(products[i], product);
      }
  }
  HIP_CHECK(hipFree(values));
  HIP_CHECK(hipFree(sums));
  HIP_CHECK(hipFree(products));
}

TEST(reductionsOfAWarp) {
  checkReductions<int>([](int i) { return i; });
  checkReductions<long long>([](int i) { return i * (1ll << 40); });
  checkReductions<float>([](int i) { return i * 0.25f; });
  checkReductions<double>([](int i) { return i * 0x1p-40; });
  checkReductions<__half>([](int i) { return __float2half(i * 0.5f); });
  checkBits<int>();
  checkBits<unsigned>();
  checkBits<long long>();
  checkBits<unsigned long long>();
}

__host__ __device__ float notFused(float x, float y, float z) {
  const __half a = __float2half(x), b = __float2half(y), c = __float2half(z);
  return __half2float(__hadd_rn(__hmul_rn(a, b), c));
}
__global__ void roundTwice(float x, float y, float z, float *result, __half2 *pairs, __hip_bfloat16 *brains) {
  result[0] = notFused(x, y, z);
  const __half2 two = __floats2half2_rn(x, y);
  pairs[0] = __hadd2_rn(two, two);
  pairs[1] = __hsub2_rn(two, __floats2half2_rn(1, 2));
  pairs[2] = __hmul2_rn(two, two);
  const __hip_bfloat16 p = __float2bfloat16(x), q = __float2bfloat16(y);
  brains[0] = __hadd_rn(p, q);
  brains[1] = __hsub_rn(p, q);
  brains[2] = __hmul_rn(p, q);
}

// 1.0009765625 squared is 1.001953125 + 2^-20: rounded first, the rest is gone; fused, it is what is left.
TEST(roundedOperationsAreNotFused) {
  constexpr float x = 1 + 0x1p-10f, z = -(1 + 0x1p-9f);
  float *result;
  __half2 *pairs;
  __hip_bfloat16 *brains;
  HIP_CHECK(hipMallocManaged(&result, sizeof *result));
  HIP_CHECK(hipMallocManaged(&pairs, 3 * sizeof *pairs));
  HIP_CHECK(hipMallocManaged(&brains, 3 * sizeof *brains));
  roundTwice<<<1, 1>>>(x, x, z, result, pairs, brains);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_EQ(*result, 0.0f);
  CHECK_EQ(notFused(x, x, z), 0.0f);
  CHECK_EQ(__low2float(pairs[0]), 2 * x);
  CHECK_EQ(__high2float(pairs[1]), x - 2);
  CHECK_EQ(__low2float(pairs[2]), 1 + 0x1p-9f);
  CHECK_EQ(__bfloat162float(brains[0]), 2.0f); // x is 1 in bfloat16
  CHECK_EQ(__bfloat162float(brains[1]), 0.0f);
  CHECK_EQ(__bfloat162float(brains[2]), 1.0f);
  HIP_CHECK(hipFree(result));
  HIP_CHECK(hipFree(pairs));
  HIP_CHECK(hipFree(brains));
}

__global__ void fromIntegers(const int *in, float *out) {
  out[threadIdx.x] = __bfloat162float(__int2bfloat16_rn(in[threadIdx.x]));
}

// Rounded once: by way of float, which has 24 bits, the second and the third would become ties and be rounded down.
TEST(integersToBfloat16) {
  const int in[] = {0, 0x40400001, -0x40400001, 255, 257, -259, 0x7fffffff, static_cast<int>(0x80000000)};
  const float expected[] = {0, 0x1.02p30f, -0x1.02p30f, 255, 256, -260, 0x1p31f, -0x1p31f};
  int *device;
  float *out;
  HIP_CHECK(hipMallocManaged(&device, sizeof in));
  HIP_CHECK(hipMallocManaged(&out, sizeof expected));
  std::copy(std::begin(in), std::end(in), device);
  fromIntegers<<<1, 8>>>(device, out);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 8; ++i) {
    CHECK_EQ(out[i], expected[i]);
    CHECK_EQ(__bfloat162float(__int2bfloat16_rn(in[i])), expected[i]);
  }
  HIP_CHECK(hipFree(device));
  HIP_CHECK(hipFree(out));
}

__global__ void sums(__half *halves, __hip_bfloat16 *brains) {
  unsafeAtomicAdd(&halves[threadIdx.x & 1], __float2half(0.5f));
  unsafeAtomicAdd(&brains[threadIdx.x & 1], __float2bfloat16(1.0f));
}
TEST(atomicSumsOf16Bits) {
  __half *halves;
  __hip_bfloat16 *brains;
  HIP_CHECK(hipMallocManaged(&halves, 4 * sizeof *halves));
  HIP_CHECK(hipMallocManaged(&brains, 4 * sizeof *brains));
  for (int i = 0; i < 4; ++i) {
    halves[i] = __float2half(i);
    brains[i] = __float2bfloat16(i);
  }
  sums<<<2, 64>>>(halves, brains);
  HIP_CHECK(hipDeviceSynchronize());
  for (int i = 0; i < 4; ++i) {
    CHECK_EQ(__half2float(halves[i]), i + (i < 2 ? 32.0f : 0.0f));
    CHECK_EQ(__bfloat162float(brains[i]), i + (i < 2 ? 64.0f : 0.0f));
  }
  HIP_CHECK(hipFree(halves));
  HIP_CHECK(hipFree(brains));
}

int main(int argc, char **argv) { return runTests(argc, argv); }
