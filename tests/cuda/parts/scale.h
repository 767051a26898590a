// SPDX-License-Identifier: MIT
// The part of parts/scale.cu that separate_compilation.cu uses.
#pragma once

typedef float (*Function)(float);

extern __constant__ float factor;
extern __device__ int table[4];
extern __device__ Function chosen;

__device__ float scaleBy(float x);
void setFactor(float value);
