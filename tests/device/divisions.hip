// SPDX-License-Identifier: MIT
// Integer divisions and remainders with divisors that are made of the thread's number, where threads whose divisor would be zero stay
// out.
#include "tests/device/check.h"

namespace {

// Guards as programmers write them: each keeps the zeros out.
template <class T, bool remainder> __host__ __device__ T divided(T a, T b) { return T(remainder ? a % b : a / b); }

constexpr int kForms = 9;

template <class T, bool remainder>
__host__ __device__ void divide(T *o, int stride, int t, int m, T n, const T *a, const int *some, int row) {
  auto out = [&](int form) -> T & { return o[form * stride + t]; };
  if (t < m && (t & 7))
    out(0) = divided<T, remainder>(n, T(t & 7));
  if (t % 5)
    out(1) = divided<T, remainder>(a[t], T(t % 5));
  else
    out(1) = a[t];
  // A selection of the program's own.
  out(2) = divided<T, remainder>(n, T(some[t] ? t & 3 : 1));
  T divisor = 3;
  if (some[t]) {
    out(3) = 1;
    divisor = T(t & 15);
  }
  out(3) += divided<T, remainder>(a[t], divisor);
  for (int i = 0; i < (t & 3); ++i)
    out(4) += divided<T, remainder>(n, T((t & 3) - i));
  if ((t & 31) != 31 && (t & 31) != 0 && t < m)
    out(5) = divided<T, remainder>(divided<T, remainder>(n, T(31 - (t & 31))), T(t & 31));
  if (a[t])
    out(6) = divided<T, remainder>(n, a[t]);
  if (row)
    out(7) = divided<T, remainder>(T(t), T(row));
  if (t != 3)
    out(8) = divided<T, remainder>(n, T(t < 3 ? t - 3 : 5));
}

template <class T, bool remainder>
__global__ void guarded(T *o, int stride, int m, T n, const T *a, const int *some, int row) {
  const int t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z) +
                blockIdx.x * (blockDim.x * blockDim.y * blockDim.z);
  divide<T, remainder>(o, stride, t, m, n, a, some, row);
}

// Divisors that are constants once the lanes' numbers are.
__global__ void byThreadAlone(int *o, int n) {
  const int t = threadIdx.x;
  if (t & 7)
    o[t] = n / (t & 7);
}

template <class T, bool remainder> void check(dim3 block, unsigned blocks) {
  const int count = int(block.x * block.y * block.z * blocks), m = count - 3;
  std::vector<T> a(count), expected(kForms * count);
  std::vector<int> some(count);
  for (int i = 0; i < count; ++i) {
    a[i] = T(i % 6 == 0 ? 0 : i * 37 - 100);
    some[i] = (i & 15) && (i & 3) && i % 3 != 2;
  }
  const T n = T(-77);
  DeviceArray<T> out(kForms * count), in(a);
  DeviceArray<int> flags(some);
  for (int t = 0; t < count; ++t)
    divide<T, remainder>(expected.data(), count, t, m, n, a.data(), some.data(), 7);
  guarded<T, remainder><<<blocks, block>>>(out, count, m, n, in, flags, 7);
  HIP_CHECK(hipGetLastError());
  const std::vector<T> found = out.host();
  int wrong = 0;
  for (int i = 0; i < kForms * count; ++i)
    if (found[i] != expected[i] && wrong++ == 0)
      std::fprintf(stderr, "block %u x %u x %u, %zu bytes, form %d, thread %d: %lld, expected %lld\n", block.x, block.y,
                   block.z, sizeof(T), i / count, i % count, (long long)found[i], (long long)expected[i]);
  CHECK_EQ(wrong, 0);
}

template <class T> void checkType() {
  check<T, false>(dim3(64), 3);
  check<T, true>(dim3(64), 3);
}

TEST(bytes) {
  checkType<signed char>();
  checkType<unsigned char>();
}
TEST(halfwords) {
  checkType<short>();
  checkType<unsigned short>();
}
TEST(words) {
  checkType<int>();
  checkType<unsigned>();
}
TEST(longWords) {
  checkType<long long>();
  checkType<unsigned long long>();
}

TEST(blocksOfAllShapes) {
  for (dim3 block : {dim3(33), dim3(100), dim3(250), dim3(16), dim3(8, 8), dim3(16, 3), dim3(4, 4, 4), dim3(20, 20),
                     dim3(1), dim3(3), dim3(2, 2)}) {
    check<int, false>(block, 3);
    check<int, true>(block, 3);
  }
}

TEST(divisorsOfTheThreadAlone) {
  for (int threads : {64, 33, 100, 250, 256}) {
    DeviceArray<int> out(threads);
    byThreadAlone<<<1, threads>>>(out, -77);
    HIP_CHECK(hipGetLastError());
    const std::vector<int> found = out.host();
    for (int t = 0; t < threads; ++t)
      CHECK_EQ(found[t], t & 7 ? -77 / (t & 7) : 0);
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
