// SPDX-License-Identifier: MIT
// The compiler's atomic functions with orders and scopes (__hip_atomic_*): every operation on every type that it takes,
// small integers that share a word, pointers, and messages between threads that need the orders.
#include "tests/device/check.h"

#include <cstdint>

enum { kBlocks = 7, kThreads = 64, kAll = kBlocks * kThreads };
// Slots: 0 add, 1 min, 2 max, 3 exchange, 4 compare-and-exchange, 5 store and load.
template <class T, int scope> __global__ void arithmetic(T *slots, int *wrong) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T one = (T)1, v = (T)(i % 100);
  __hip_atomic_fetch_add(&slots[0], one, __ATOMIC_RELAXED, scope);
  __hip_atomic_fetch_min(&slots[1], (T)(v + 3), __ATOMIC_ACQ_REL, scope);
  __hip_atomic_fetch_max(&slots[2], v, __ATOMIC_SEQ_CST, scope);
  T before = __hip_atomic_exchange(&slots[3], v, __ATOMIC_ACQUIRE, scope);
  if (!(before >= (T)0 && before <= (T)100))
    atomicAdd(wrong, 1);
  T expected = __hip_atomic_load(&slots[4], __ATOMIC_RELAXED, scope);
  while (!__hip_atomic_compare_exchange_weak(&slots[4], &expected, (T)(expected + one), __ATOMIC_RELEASE,
                                             __ATOMIC_RELAXED, scope))
    ;
  __hip_atomic_store(&slots[5], (T)7, __ATOMIC_RELEASE, scope);
  if (__hip_atomic_load(&slots[5], __ATOMIC_ACQUIRE, scope) != (T)7)
    atomicAdd(wrong, 1);
}

template <class T, int scope> static void checkArithmetic() {
  DeviceArray<T> slots(std::vector<T>{0, 100, 0, 0, 0, 0, 0, 0});
  DeviceArray<int> wrong(std::vector<int>{0});
  arithmetic<T, scope><<<kBlocks, kThreads>>>(slots, wrong);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = slots.host();
  CHECK_EQ(wrong.host()[0], 0);
  CHECK_EQ(r[0], (T)kAll); // small integers wrap
  CHECK_EQ(r[1], (T)3);
  CHECK_EQ(r[2], (T)99);
  CHECK(r[3] >= (T)0 && r[3] <= (T)99);
  CHECK_EQ(r[4], (T)kAll);
  CHECK_EQ(r[5], (T)7);
  CHECK_EQ(r[6], (T)0); // neighbours are left alone
  CHECK_EQ(r[7], (T)0);
}

template <class T> __global__ void bitwise(T *slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T bit = (T)((T)1 << (i % (8 * sizeof(T))));
  __hip_atomic_fetch_or(&slots[0], bit, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_and(&slots[1], (T)~bit, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  __hip_atomic_fetch_xor(&slots[2], (T)(i + 1), __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

template <class T> static void checkBitwise() {
  DeviceArray<T> slots(std::vector<T>{0, (T)-1, 0, 0});
  bitwise<T><<<kBlocks, kThreads>>>(slots);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = slots.host();
  T all = 0;
  for (int i = 0; i < kAll; ++i)
    all ^= (T)(i + 1);
  CHECK_EQ(r[0], (T)-1);
  CHECK_EQ(r[1], (T)0);
  CHECK_EQ(r[2], all);
  CHECK_EQ(r[3], (T)0);
}

// Four bytes of one word, each a counter of its own.
__global__ void neighbours(unsigned char *bytes) {
  __hip_atomic_fetch_add(&bytes[threadIdx.x % 4], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// Strong: fails only if the value differs, and says which it is.
template <class T> __global__ void strong(T *place, T *found, bool *outcome) {
  T expected = (T)5;
  outcome[0] = __hip_atomic_compare_exchange_strong(&place[1], &expected, (T)9, __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE,
                                                    __HIP_MEMORY_SCOPE_SYSTEM);
  found[0] = expected;
  outcome[1] = __hip_atomic_compare_exchange_strong(&place[1], &expected, (T)9, __ATOMIC_RELAXED, __ATOMIC_SEQ_CST,
                                                    __HIP_MEMORY_SCOPE_SYSTEM);
  found[1] = expected;
}

template <class T> static void checkStrong() {
  DeviceArray<T> place(std::vector<T>{1, 2, 3, 4}), found(2);
  bool *outcome;
  HIP_CHECK(hipHostMalloc(&outcome, 2));
  strong<T><<<1, 1>>>(place, found, outcome);
  HIP_CHECK(hipDeviceSynchronize());
  CHECK(!outcome[0] && outcome[1]);
  CHECK_EQ(found.host()[0], (T)2);
  CHECK_EQ(found.host()[1], (T)2);
  std::vector<T> r = place.host();
  CHECK(r[0] == (T)1 && r[1] == (T)9 && r[2] == (T)3 && r[3] == (T)4);
  HIP_CHECK(hipHostFree(outcome));
}

// A list that every thread pushes its node on, and pointers that are added to.
struct Node {
  Node *next;
};
__global__ void push(Node *nodes, Node **head, int **cursor) {
  Node *node = nodes + blockIdx.x * blockDim.x + threadIdx.x;
  node->next = __hip_atomic_load(head, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
  while (!__hip_atomic_compare_exchange_strong(head, &node->next, node, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED,
                                               __HIP_MEMORY_SCOPE_AGENT))
    ;
  __hip_atomic_fetch_add(cursor, 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
}

// The data is there when the flag is: the first block writes, the others read. The order is known at run time only.
__global__ void message(int *data, int *flag, int *out, int release, int acquire) {
  if (blockIdx.x == 0) {
    data[threadIdx.x] = 1000 + threadIdx.x;
    __hip_atomic_fetch_add(flag, 1, release, __HIP_MEMORY_SCOPE_AGENT);
  } else {
    while (__hip_atomic_load(flag, acquire, __HIP_MEMORY_SCOPE_AGENT) != (int)blockDim.x)
      ;
    out[(blockIdx.x - 1) * blockDim.x + threadIdx.x] = data[threadIdx.x ^ 1];
  }
}

// The same functions on the host.
__host__ __device__ int both(int *p) {
  __hip_atomic_store(p, 3, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_SYSTEM);
  return __hip_atomic_fetch_add(p, 4, __ATOMIC_ACQ_REL, __HIP_MEMORY_SCOPE_SYSTEM);
}
__global__ void bothKernel(int *p) { p[1] = both(p); }

// In shared memory, by the scope of the block.
__global__ void shared(int *out) {
  __shared__ int sum;
  __shared__ float real;
  if (threadIdx.x == 0) {
    sum = 0;
    real = 0;
  }
  __syncthreads();
  __hip_atomic_fetch_add(&sum, (int)threadIdx.x, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __hip_atomic_fetch_add(&real, 0.5f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP);
  __syncthreads();
  if (threadIdx.x == 0) {
    out[0] = sum;
    out[1] = (int)real;
  }
}

TEST(arithmetic) {
  checkArithmetic<int, __HIP_MEMORY_SCOPE_AGENT>();
  checkArithmetic<unsigned, __HIP_MEMORY_SCOPE_SYSTEM>();
  checkArithmetic<long, __HIP_MEMORY_SCOPE_AGENT>();
  checkArithmetic<unsigned long long, __HIP_MEMORY_SCOPE_AGENT>();
  checkArithmetic<float, __HIP_MEMORY_SCOPE_AGENT>();
  checkArithmetic<double, __HIP_MEMORY_SCOPE_SYSTEM>();
  checkArithmetic<signed char, __HIP_MEMORY_SCOPE_AGENT>();
  checkArithmetic<unsigned short, __HIP_MEMORY_SCOPE_AGENT>();
}

TEST(bitwise) {
  checkBitwise<unsigned>();
  checkBitwise<long long>();
  checkBitwise<unsigned char>();
  checkBitwise<short>();
}

TEST(strong) {
  checkStrong<unsigned char>();
  checkStrong<short>();
  checkStrong<int>();
  checkStrong<double>();
}

TEST(neighbours) {
  DeviceArray<unsigned char> bytes(std::vector<unsigned char>{0, 0, 0, 0});
  neighbours<<<1, 256>>>(bytes);
  HIP_CHECK(hipGetLastError());
  for (unsigned char byte : bytes.host())
    CHECK_EQ((int)byte, 64);
}

TEST(list) {
  DeviceArray<Node> nodes(kAll);
  DeviceArray<Node *> head(std::vector<Node *>{nullptr});
  DeviceArray<int *> cursor(std::vector<int *>{nullptr});
  push<<<kBlocks, kThreads>>>(nodes, head, cursor);
  HIP_CHECK(hipGetLastError());
  std::vector<Node> list = nodes.host();
  int length = 0;
  for (Node *node = head.host()[0]; node && length <= kAll; node = list[node - (Node *)nodes].next)
    ++length;
  CHECK_EQ(length, (int)kAll);
  CHECK_EQ((intptr_t)cursor.host()[0], (intptr_t)(kAll * sizeof(int)));
}

TEST(messages) {
  DeviceArray<int> data(kThreads), flag(std::vector<int>{0}), out(2 * kThreads);
  message<<<3, kThreads>>>(data, flag, out, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE);
  HIP_CHECK(hipGetLastError());
  std::vector<int> received = out.host();
  for (int i = 0; i < 2 * kThreads; ++i)
    CHECK_EQ(received[i], 1000 + ((i % kThreads) ^ 1));

  int host[2];
  CHECK_EQ(both(host), 3);
  CHECK_EQ(host[0], 7);
  DeviceArray<int> device(std::vector<int>{0, 0});
  bothKernel<<<1, 1>>>(device);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(device.host()[0], 7);
  CHECK_EQ(device.host()[1], 3);

  DeviceArray<int> sums(2);
  shared<<<1, 128>>>(sums);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(sums.host()[0], 127 * 64);
  CHECK_EQ(sums.host()[1], 64);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
