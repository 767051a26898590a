// SPDX-License-Identifier: MIT
// The algorithms of libstdc++'s parallel mode: OpenMP on all processors. Compiled by GCC with -O3 -march=native -fopenmp.
#pragma once
#include <cstddef>
#include <cstdint>

float nativeSum(const float *in, size_t count);
void nativeScan(const uint32_t *in, uint32_t *out, size_t count);
void nativeSort(uint32_t *keys, size_t count);
void nativeSort(float *keys, size_t count);
