// SPDX-License-Identifier: MIT
// The library's interface: operations on arrays in device memory. They return when the device has begun, not when it has
// finished, and leave errors to hipGetLastError.
#pragma once
#include <cstddef>

void vectorAdd(const float *a, const float *b, float *sum, size_t n);
void vectorScale(float *values, float factor, size_t n);
