// SPDX-License-Identifier: MIT
// The empty kernel of the raw Level Zero half of launch.hip.
__kernel void empty(void) {}
__kernel void four_args(__global float *a, __global float *b, int n, float f) {}
