// SPDX-License-Identifier: MIT
#include "native.h"

#include <parallel/algorithm>
#include <parallel/numeric>

float nativeSum(const float *in, size_t count) { return __gnu_parallel::accumulate(in, in + count, 0.0f); }
void nativeScan(const uint32_t *in, uint32_t *out, size_t count) { __gnu_parallel::partial_sum(in, in + count, out); }
void nativeSort(uint32_t *keys, size_t count) { __gnu_parallel::sort(keys, keys + count); }
void nativeSort(float *keys, size_t count) { __gnu_parallel::sort(keys, keys + count); }
