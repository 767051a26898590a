// SPDX-License-Identifier: MIT
// The kernels of the raw Level Zero half of launch.hip, which do nothing.
__kernel void empty(void) {}
__kernel void one_arg(int n) {}
__kernel void four_args(__global float *a, __global float *b, int n, float f) {}
__kernel void four_pointers(__global float *a, __global float *b, __global float *c, __global float *d) {}
__kernel void sixteen_args(__global float *a, __global float *b, __global float *c, __global float *d, __global float *e,
                           __global float *f, __global float *g, __global float *h, int i, int j, int k, int l, int m, int n,
                           int o, int p) {}
