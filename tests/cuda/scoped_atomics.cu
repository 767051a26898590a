// SPDX-License-Identifier: MIT
// CUDA 12.8's atomic functions with an order and a scope, for integers of all widths, float and double.
#include "check.h"

template <class T> __global__ void count(T *sum, T *most, T *least, T *viaExchange) {
  const T mine = (T)(threadIdx.x % 100 + 1);
  __nv_atomic_add(sum, (T)1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_fetch_max(most, mine, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_min(least, mine, __NV_ATOMIC_ACQ_REL);
  T expected = __nv_atomic_load_n(viaExchange, __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(viaExchange, &expected, (T)(expected + 1), true, __NV_ATOMIC_SEQ_CST,
                                         __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM)) {
  }
}

__global__ void bits(unsigned *words, int *data, int *flag, int *seen) {
  const unsigned bit = 1u << threadIdx.x;
  __nv_atomic_or(words, bit, __NV_ATOMIC_RELAXED);
  __nv_atomic_and(words + 1, ~bit, __NV_ATOMIC_RELAXED);
  __nv_atomic_fetch_xor(words + 2, bit, __NV_ATOMIC_RELAXED);
  __nv_atomic_sub(words + 3, 2u, __NV_ATOMIC_RELAXED);
  if (threadIdx.x == 0) {
    *data = 42;
    __nv_atomic_thread_fence(__NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    int one = 1, old;
    __nv_atomic_store(flag, &one, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    int two = 2;
    __nv_atomic_exchange(flag, &two, &old, __NV_ATOMIC_ACQUIRE);
    seen[0] = old;
    __nv_atomic_load(flag, &old, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_CLUSTER);
    seen[1] = old;
    int wrong = 7, five = 5;
    seen[2] = __nv_atomic_compare_exchange(flag, &wrong, &five, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_ACQUIRE);
    seen[3] = wrong;
    __nv_atomic_store_n(flag, 9, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_THREAD);
    seen[4] = __nv_atomic_exchange_n(flag, 0, __NV_ATOMIC_RELAXED);
  }
}

template <class T> void countAll() {
  T *sum = onDevice<T>({0}), *most = onDevice<T>({0}), *least = onDevice<T>({(T)120}), *exchanged = onDevice<T>({0});
  count<T><<<1, 120>>>(sum, most, least, exchanged);
  EXPECT(onHost(sum, 1)[0] == (T)120);
  EXPECT(onHost(most, 1)[0] == (T)100);
  EXPECT(onHost(least, 1)[0] == (T)1);
  EXPECT(onHost(exchanged, 1)[0] == (T)120);
}

int main() {
  countAll<int>();
  countAll<unsigned>();
  countAll<long long>();
  countAll<unsigned long long>();
  countAll<short>();
  countAll<unsigned char>();
  countAll<float>();
  countAll<double>();
  unsigned *words = onDevice<unsigned>({0u, ~0u, 5u, 100u});
  int *data = onDevice<int>({0}), *flag = onDevice<int>({0}), *seen = onDevice<int>({0, 0, 0, 0, 0});
  bits<<<1, 32>>>(words, data, flag, seen);
  EXPECT(onHost(words, 4) == (std::vector<unsigned>{~0u, 0u, ~5u, 36u}));
  EXPECT(onHost(seen, 5) == (std::vector<int>{1, 2, 0, 2, 9}));
  return 0;
}
