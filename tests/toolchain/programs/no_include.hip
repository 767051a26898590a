// SPDX-License-Identifier: MIT
// A HIP source without any include: the qualifiers and the device's mathematics are there.
__device__ double root(double x) { return sqrt(x) + fabsf(1.0f); }
__host__ __device__ double twice(double x) { return 2 * x; }
__global__ void compute(double *p); // to define it takes the header: clang wants the declaration of hipLaunchKernel
