// SPDX-License-Identifier: MIT
// The other half of separate_compilation.cu.
#include "scale.h"

#include "../check.h"

__constant__ float factor;
__device__ int table[4] = {0, 10, 20, 30};

__device__ float scaleBy(float x) { return factor * x; }

static __device__ float minusSeven(float x) { return x - 7; }
__device__ Function chosen = minusSeven;

void setFactor(float value) { CALL(cudaMemcpyToSymbol(factor, &value, sizeof(value))); }
