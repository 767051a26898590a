// SPDX-License-Identifier: MIT
// Divisions of 128-bit integers, and a variable whose size is known only at run time.
#include <hip/hip_runtime.h>

extern "C" __global__ void quotients(const __int128 *x, const __int128 *y, __int128 *results) {
  const int i = threadIdx.x;
  const unsigned __int128 a = x[i], b = y[i];
  results[4 * i] = x[i] / y[i];
  results[4 * i + 1] = x[i] % y[i];
  results[4 * i + 2] = a / b;
  results[4 * i + 3] = a % b;
}

extern "C" __global__ void sizes(int *result, int n) {
  int *values = static_cast<int *>(__builtin_alloca((n + threadIdx.x % 3) * sizeof(int)));
  for (int i = 0; i < n; ++i)
    values[i] = i * i + threadIdx.x;
  int sum = 0;
  for (int i = n; i-- > 0;)
    sum += values[i];
  result[threadIdx.x] = sum;
}
