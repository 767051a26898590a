// SPDX-License-Identifier: MIT
// The smallest number divided by minus one: it wraps, and is no division by zero.
#include "tests/device/check.h"

#include <type_traits>

namespace {

// AMD's processors give the smallest number and the remainder zero.
template <class T> __global__ void smallest(T *o, const T *a, const T *b, T minusOne) {
  const int t = threadIdx.x;
  T *mine = o + 6 * t;
  mine[0] = T(a[t] / b[t]);
  mine[1] = T(a[t] % b[t]);
  mine[2] = T(a[t] / minusOne);
  mine[3] = T(a[t] % minusOne);
  // Threads that stay out have the smallest number.
  if (a[t] != std::numeric_limits<T>::min()) {
    mine[4] = T(a[t] / minusOne);
    mine[5] = T(a[t] / b[t ^ 1]);
  }
}

template <class T> void checkSmallest(int threads) {
  using U = std::make_unsigned_t<T>;
  const T least = std::numeric_limits<T>::min();
  std::vector<T> a(threads + 1), b(threads + 1);
  for (int t = 0; t <= threads; ++t) {
    a[t] = t % 3 ? least : T(t - 50);
    b[t] = t % 4 ? T(-1) : T(t + 1);
  }
  DeviceArray<T> out(6 * threads), left(a), right(b);
  smallest<T><<<1, threads>>>(out, left, right, T(-1));
  HIP_CHECK(hipGetLastError());
  const std::vector<T> found = out.host();
  auto quotient = [](T x, T y) { return y == T(-1) ? T(U(0) - U(x)) : T(x / y); };
  auto rest = [](T x, T y) { return y == T(-1) ? T(0) : T(x % y); };
  for (int t = 0; t < threads; ++t) {
    const T *mine = &found[6 * t];
    CHECK_EQ(mine[0], quotient(a[t], b[t]));
    CHECK_EQ(mine[1], rest(a[t], b[t]));
    CHECK_EQ(mine[2], quotient(a[t], T(-1)));
    CHECK_EQ(mine[3], T(0));
    CHECK_EQ(mine[4], a[t] != least ? quotient(a[t], T(-1)) : T(0));
    CHECK_EQ(mine[5], a[t] != least ? quotient(a[t], b[t ^ 1]) : T(0));
  }
}

TEST(smallestNumberByMinusOne) {
  for (int threads : {1, 33, 64}) {
    checkSmallest<signed char>(threads);
    checkSmallest<short>(threads);
    checkSmallest<int>(threads);
    checkSmallest<long long>(threads);
  }
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
