// SPDX-License-Identifier: MIT
// Atomic functions of every type on global and shared memory: sums and extremes from many threads, old values, bounded
// increments, compare-and-exchange loops, and the _block and _system forms.
#include "tests/device/check.h"

typedef unsigned long long u64;
typedef long long s64;

enum { kBlocks = 13, kThreads = 96, kAll = kBlocks * kThreads };

// AMD's headers have each function for these types alone; signed 64-bit integers have extremes, as long long.
template <class T, class = void> constexpr bool hasAdd = false;
template <class T> constexpr bool hasAdd<T, decltype((void)atomicAdd((T *)nullptr, T()))> = true;
template <class T, class = void> constexpr bool hasSub = false;
template <class T> constexpr bool hasSub<T, decltype((void)atomicSub((T *)nullptr, T()))> = true;
template <class T, class = void> constexpr bool hasExchange = false;
template <class T> constexpr bool hasExchange<T, decltype((void)atomicExch((T *)nullptr, T()))> = true;
template <class T, class = void> constexpr bool hasCompare = false;
template <class T> constexpr bool hasCompare<T, decltype((void)atomicCAS((T *)nullptr, T(), T()))> = true;
template <class T, class = void> constexpr bool hasAnd = false;
template <class T> constexpr bool hasAnd<T, decltype((void)atomicAnd((T *)nullptr, T()))> = true;
template <class T, class = void> constexpr bool hasMax = false;
template <class T> constexpr bool hasMax<T, decltype((void)atomicMax((T *)nullptr, T()))> = true;
template <class T> constexpr int functions() {
  return hasAdd<T> + hasSub<T> + hasExchange<T> + hasCompare<T> + hasAnd<T> + hasMax<T>;
}
static_assert(functions<int>() == 6 && functions<unsigned>() == 6 && functions<unsigned long>() == 6 &&
              functions<u64>() == 6 && functions<float>() == 5 && functions<double>() == 5);
static_assert(functions<long>() == 0 && functions<s64>() == 1 && hasMax<s64> && functions<short>() == 0);

// One of each operation; every thread contributes the number i + 1. Slots: 0 add, 1 sub, 2 min, 3 max, 4 exch, 5 cas.
template <class T> __device__ void arithmetic(T *slots, int i) {
  T v = (T)(i + 1);
  atomicAdd(&slots[0], v);
  atomicSub(&slots[1], v);
  atomicMin(&slots[2], (T)(i * 37 % 1001) - (T)500);
  atomicMax(&slots[3], (T)(i * 37 % 1001) - (T)500);
  atomicExch(&slots[4], v);
  // An addition by compare-and-exchange loses nothing.
  T old = slots[5], seen;
  do {
    seen = old;
    old = atomicCAS(&slots[5], seen, seen + 1);
  } while (old != seen);
}

template <class T> __global__ void globalArithmetic(T *slots) {
  arithmetic(slots, blockIdx.x * blockDim.x + threadIdx.x);
}

template <class T> __global__ void sharedArithmetic(T *out, T minimum, T maximum) {
  __shared__ T slots[6];
  if (threadIdx.x < 6)
    slots[threadIdx.x] = threadIdx.x == 2 ? maximum : threadIdx.x == 3 ? minimum : (T)0;
  __syncthreads();
  arithmetic(slots, threadIdx.x);
  __syncthreads();
  if (threadIdx.x < 6)
    out[blockIdx.x * 6 + threadIdx.x] = slots[threadIdx.x];
}

template <class T> static void checkSlots(const T *r, int n, T minimum, T maximum) {
  T sum = 0, low = maximum, high = minimum;
  for (int i = 0; i < n; ++i) {
    sum += (T)(i + 1);
    T v = (T)((T)(i * 37 % 1001) - (T)500);
    low = v < low ? v : low;
    high = v > high ? v : high;
  }
  CHECK_EQ(r[0], sum);
  CHECK_EQ(r[1], (T)(0 - sum));
  CHECK_EQ(r[2], low);
  CHECK_EQ(r[3], high);
  CHECK(r[4] >= (T)1 && r[4] <= (T)n);
  CHECK_EQ(r[5], (T)n);
}

template <class T> static void checkArithmetic() {
  T minimum = std::numeric_limits<T>::lowest(), maximum = std::numeric_limits<T>::max();
  DeviceArray<T> slots(std::vector<T>{0, 0, maximum, minimum, 0, 0});
  globalArithmetic<T><<<kBlocks, kThreads>>>(slots);
  HIP_CHECK(hipGetLastError());
  checkSlots(slots.host().data(), kAll, minimum, maximum);
  DeviceArray<T> shared(6 * kBlocks);
  sharedArithmetic<T><<<kBlocks, kThreads>>>(shared, minimum, maximum);
  HIP_CHECK(hipGetLastError());
  std::vector<T> r = shared.host();
  for (int b = 0; b < kBlocks; ++b)
    checkSlots(r.data() + 6 * b, kThreads, minimum, maximum);
}

// Old values of an addition are all different; those of an exchange form one chain.
template <class T> __global__ void oldValues(T *counter, T *seen, T *box, T *chain) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = atomicAdd(counter, (T)1);
  chain[i] = atomicExch(box, (T)(i + 1));
}

template <class T> static void checkOldValues() {
  DeviceArray<T> counter(1), box(1), seen(kAll), chain(kAll);
  oldValues<T><<<kBlocks, kThreads>>>(counter, seen, box, chain);
  HIP_CHECK(hipGetLastError());
  std::vector<int> times(kAll), received(kAll + 1);
  for (T v : seen.host())
    if (v >= 0 && v < kAll)
      ++times[(int)v];
  for (T v : chain.host())
    ++received[(int)v];
  ++received[(int)box.host()[0]];
  for (int i = 0; i < kAll; ++i)
    CHECK_EQ(times[i], 1);
  for (int i = 0; i <= kAll; ++i)
    CHECK_EQ(received[i], 1);
}

// Slots: 0 and, 1 or, 2 xor.
template <class T> __global__ void bits(T *slots) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  __shared__ T local[3];
  if (threadIdx.x == 0) {
    local[0] = ~(T)0;
    local[1] = local[2] = 0;
  }
  __syncthreads();
  T bit = (T)1 << (i * 7 % (8 * sizeof(T)));
  atomicAnd(&local[0], ~((T)1 << (i % 16)));
  atomicOr(&local[1], bit);
  atomicXor(&local[2], (T)i * (T)0x10001);
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAnd(&slots[0], local[0]);
    atomicOr(&slots[1], local[1]);
    atomicXor(&slots[2], local[2]);
  }
}

template <class T> static void checkBits() {
  DeviceArray<T> slots(std::vector<T>{~(T)0, 0, 0});
  bits<T><<<kBlocks, kThreads>>>(slots);
  HIP_CHECK(hipGetLastError());
  T x = 0;
  for (int i = 0; i < kAll; ++i)
    x ^= (T)i * (T)0x10001;
  std::vector<T> r = slots.host();
  CHECK_EQ(r[0], ~(T)0xffff);
  CHECK_EQ(r[1], ~(T)0);
  CHECK_EQ(r[2], x);
}

__global__ void wrapping(unsigned *slots, unsigned *seen) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  seen[i] = atomicInc(&slots[0], 9);
  atomicDec(&slots[1], 9);
  if (i == 0) {
    atomicInc(&slots[2], 5);
    atomicDec(&slots[3], 5);
    atomicDec(&slots[4], 5);
  }
}

// Four half words of two words, each the counter of a quarter of the threads.
__global__ void halfWords(unsigned short *counters) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned short *counter = counters + i % 4;
  unsigned short old = *(volatile unsigned short *)counter, seen;
  do {
    seen = old;
    old = atomicCAS(counter, seen, (unsigned short)(seen + 1));
  } while (old != seen);
}

// A pointer that is one of global and shared memory, which the compiler cannot know.
__global__ void eitherMemory(int *global, int *out, int useShared) {
  __shared__ int local;
  if (threadIdx.x == 0)
    local = 100;
  __syncthreads();
  int *p = (int)blockIdx.x % 2 == useShared ? &local : global;
  atomicAdd(p, 1);
  __syncthreads();
  if (threadIdx.x == 0)
    out[blockIdx.x] = local;
}

__global__ void scopes(int *i, unsigned *u, float *f, double *d, u64 *l) {
  atomicAdd_system(i, 2);
  atomicAdd_block(&u[0], 1u);
  atomicMax_system(&u[1], (unsigned)threadIdx.x);
  atomicOr_system(&u[2], 1u << (threadIdx.x % 32));
  atomicInc_system(&u[3], 1000u);
  atomicAdd_system(f, 0.5f);
  atomicAdd_system(d, 0.25);
  atomicMin_system(l, (u64)threadIdx.x);
  atomicCAS_system(&l[1], (u64)0, (u64)77);
  atomicExch_system(&l[2], (u64)5);
  unsafeAtomicAdd(&f[1], 1.0f);
  safeAtomicAdd(&d[1], 1.0);
  atomicAddNoRet(&f[2], 2.0f);
}

// A NaN in memory ends no loop, and gives way in a minimum.
__global__ void notANumber(float *f) {
  atomicAdd(&f[0], 1.0f);
  atomicMin(&f[1], 3.0f);
  atomicMax(&f[2], 3.0f);
  atomicMax(&f[3], NAN);
  atomicAdd(&f[4], 0.0f);
}

// The value that is read is a number at once: the compare-and-exchange loop that an addition is has it as bits and as a number.
__global__ void readNumbers(float *f, double *d, float *twice, double *half) {
  int i = threadIdx.x;
  twice[i] = atomicAdd(f, 1.0f) * 2;
  half[i] = (atomicAdd(d, 2.0) + 2.0) / 2;
}

// The loop as programs write it, with the bits of the sum behind it.
__global__ void readBits(double *d, double *before, u64 *after) {
  u64 *bits = (u64 *)d, old = *bits, seen, sum;
  do {
    seen = old;
    sum = __double_as_longlong(__longlong_as_double(seen) + 1.0);
    old = atomicCAS(bits, seen, sum);
  } while (old != seen);
  before[threadIdx.x] = __longlong_as_double(seen);
  after[threadIdx.x] = sum;
}

TEST(arithmetic) {
  checkArithmetic<int>();
  checkArithmetic<unsigned>();
  checkArithmetic<unsigned long>();
  checkArithmetic<u64>();
  checkArithmetic<float>();
  checkArithmetic<double>();
}

__global__ void extremes(s64 *slots) {
  const s64 v = ((s64)(threadIdx.x * 37 % 101) - 50) << 32;
  atomicMin(&slots[0], v);
  atomicMax(&slots[1], v);
}
TEST(extremesOfLongLong) {
  DeviceArray<s64> slots(2);
  extremes<<<1, 101>>>(slots);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(slots.host()[0], -50ll * (1ll << 32));
  CHECK_EQ(slots.host()[1], 50ll << 32);
}

TEST(oldValues) {
  checkOldValues<int>();
  checkOldValues<u64>();
  checkOldValues<float>();
  checkOldValues<double>();
}

TEST(oldValuesInArithmetic) {
  DeviceArray<float> f(1), twice(kThreads);
  DeviceArray<double> d(1), half(kThreads), g(1), before(kThreads);
  DeviceArray<u64> after(kThreads);
  readNumbers<<<1, kThreads>>>(f, d, twice, half);
  readBits<<<1, kThreads>>>(g, before, after);
  HIP_CHECK(hipGetLastError());
  std::vector<float> t = twice.host();
  std::vector<double> h = half.host(), b = before.host();
  std::vector<u64> a = after.host();
  for (int i = 0; i < kThreads; ++i) {
    double sum;
    memcpy(&sum, &a[i], sizeof sum);
    CHECK_EQ(sum, b[i] + 1);
  }
  std::sort(t.begin(), t.end());
  std::sort(h.begin(), h.end());
  std::sort(b.begin(), b.end());
  for (int i = 0; i < kThreads; ++i) {
    CHECK_EQ(t[i], 2.0f * i);
    CHECK_EQ(h[i], i + 1.0);
    CHECK_EQ(b[i], (double)i);
  }
}

TEST(bits) {
  checkBits<int>();
  checkBits<unsigned>();
  checkBits<unsigned long>();
  checkBits<u64>();
}

TEST(wrapping) {
  DeviceArray<unsigned> slots(std::vector<unsigned>{0, 0, 7, 9, 0}), seen(kAll);
  wrapping<<<kBlocks, kThreads>>>(slots, seen);
  HIP_CHECK(hipGetLastError());
  std::vector<unsigned> w = slots.host();
  CHECK_EQ(w[0], kAll % 10);
  CHECK_EQ(w[1], (10 - kAll % 10) % 10);
  CHECK_EQ(w[2], 0u);
  CHECK_EQ(w[3], 5u);
  CHECK_EQ(w[4], 5u);
  for (unsigned v : seen.host())
    CHECK(v <= 9);
}

TEST(halfWords) {
  DeviceArray<unsigned short> halves(4);
  halfWords<<<kBlocks, kThreads>>>(halves);
  HIP_CHECK(hipGetLastError());
  for (unsigned short v : halves.host())
    CHECK_EQ(v, kAll / 4);
}

TEST(eitherMemory) {
  for (int useShared : {0, 1}) {
    DeviceArray<int> global(1), out(kBlocks);
    eitherMemory<<<kBlocks, kThreads>>>(global, out, useShared);
    HIP_CHECK(hipGetLastError());
    int sharedBlocks = 0;
    std::vector<int> o = out.host();
    for (int b = 0; b < kBlocks; ++b) {
      sharedBlocks += b % 2 == useShared;
      CHECK_EQ(o[b], b % 2 == useShared ? 100 + kThreads : 100);
    }
    CHECK_EQ(global.host()[0], (kBlocks - sharedBlocks) * kThreads);
  }
}

TEST(scopes) {
  DeviceArray<int> i(1);
  DeviceArray<unsigned> u(4);
  DeviceArray<float> f(3);
  DeviceArray<double> d(2);
  DeviceArray<u64> l(std::vector<u64>{99, 0, 1});
  scopes<<<1, kThreads>>>(i, u, f, d, l);
  HIP_CHECK(hipGetLastError());
  CHECK_EQ(i.host()[0], 2 * kThreads);
  CHECK_EQ(u.host()[0], (unsigned)kThreads);
  CHECK_EQ(u.host()[1], (unsigned)kThreads - 1);
  CHECK_EQ(u.host()[2], 0xffffffffu);
  CHECK_EQ(u.host()[3], (unsigned)kThreads);
  CHECK_EQ(f.host()[0], kThreads * 0.5f);
  CHECK_EQ(f.host()[1], (float)kThreads);
  CHECK_EQ(f.host()[2], 2.0f * kThreads);
  CHECK_EQ(d.host()[0], kThreads * 0.25);
  CHECK_EQ(d.host()[1], (double)kThreads);
  CHECK_EQ(l.host()[0], 0ull);
  CHECK_EQ(l.host()[1], 77ull);
  CHECK_EQ(l.host()[2], 5ull);
}

TEST(notANumber) {
  DeviceArray<float> n(std::vector<float>{NAN, NAN, NAN, 2.0f, -0.0f});
  notANumber<<<1, 1>>>(n);
  HIP_CHECK(hipGetLastError());
  std::vector<float> nan = n.host();
  CHECK(nan[0] != nan[0]);
  CHECK_EQ(nan[1], 3.0f);
  CHECK_EQ(nan[2], 3.0f);
  CHECK_EQ(nan[3], 2.0f);
  CHECK_EQ(nan[4], 0.0f);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
