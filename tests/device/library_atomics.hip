// SPDX-License-Identifier: MIT
// The atomic functions of C compilers in kernels: the __atomic and the __sync families, on integers of every width.
#include "tests/device/check.h"

#pragma clang diagnostic ignored "-Watomic-alignment"

namespace {

enum { kBlocks = 5, kThreads = 64, kAll = kBlocks * kThreads };

// Slots: 0 add, 1 subtract, 2 or, 3 and, 4 xor, 5 compare-and-exchange, 6 exchange, 7 store and load, 8 __sync, 9 nand.
template <class T> __global__ void all(T *slots, int order, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T bit = (T)((T)1 << i % (8 * sizeof(T)));
  __atomic_fetch_add(&slots[0], (T)1, __ATOMIC_RELAXED);
  __atomic_sub_fetch(&slots[1], (T)1, order);
  __atomic_fetch_or(&slots[2], bit, __ATOMIC_ACQ_REL);
  __atomic_fetch_and(&slots[3], (T)~bit, __ATOMIC_SEQ_CST);
  __atomic_xor_fetch(&slots[4], (T)(i + 1), __ATOMIC_RELEASE);
  T seen = __atomic_load_n(&slots[5], __ATOMIC_RELAXED);
  while (!__atomic_compare_exchange_n(&slots[5], &seen, (T)(seen + 1), false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
    ;
  T before = __atomic_exchange_n(&slots[6], (T)(i % 100 + 1), __ATOMIC_ACQUIRE);
  if (before > 100)
    atomicAdd(wrong, 1);
  __atomic_store_n(&slots[7], (T)9, __ATOMIC_RELEASE);
  if (__atomic_load_n(&slots[7], order) != 9)
    atomicAdd(wrong, 1);
  __sync_fetch_and_add(&slots[8], (T)2);
  T old;
  do
    old = slots[8];
  while (!__sync_bool_compare_and_swap(&slots[8], old, (T)(old - 1)));
  __sync_synchronize();
  if (i == 0)
    __atomic_fetch_nand(&slots[9], (T)6, __ATOMIC_RELAXED);
}

template <class T> void check() {
  DeviceArray<T> slots(std::vector<T>{0, 0, 0, (T)-1, 0, 0, 0, 0, 0, 3, 0, 0});
  DeviceArray<int> wrong(std::vector<int>{0});
  all<<<kBlocks, kThreads>>>((T *)slots, __ATOMIC_SEQ_CST, (int *)wrong);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = slots.host();
  T odd = 0;
  for (int i = 0; i < kAll; ++i)
    odd ^= (T)(i + 1);
  CHECK_EQ(wrong.host()[0], 0);
  CHECK_EQ(r[0], (T)kAll);
  CHECK_EQ(r[1], (T)-kAll);
  CHECK_EQ(r[2], (T)-1);
  CHECK_EQ(r[3], (T)0);
  CHECK_EQ(r[4], odd);
  CHECK_EQ(r[5], (T)kAll);
  CHECK(r[6] >= 1 && r[6] <= 100);
  CHECK_EQ(r[7], (T)9);
  CHECK_EQ(r[8], (T)kAll);
  CHECK_EQ(r[9], (T) ~(3 & 6));
  CHECK_EQ(r[10], (T)0);
}

// Floating-point numbers through memory.
__global__ void generic(float *values) {
  float value = 2.5f, old;
  __atomic_store(&values[0], &value, __ATOMIC_RELAXED);
  __atomic_load(&values[0], &values[1], __ATOMIC_RELAXED);
  value = 7;
  __atomic_exchange(&values[0], &value, &old, __ATOMIC_SEQ_CST);
  values[2] = old;
}

} // namespace

TEST(widths) {
  check<unsigned char>();
  check<unsigned short>();
  check<unsigned>();
  check<unsigned long long>();
}

TEST(generic) {
  DeviceArray<float> values(3);
  generic<<<1, 1>>>(values);
  HIP_CHECK(hipGetLastError());
  std::vector<float> r = values.host();
  CHECK(r[0] == 7 && r[1] == 2.5f && r[2] == 2.5f);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
