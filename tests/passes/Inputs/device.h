// SPDX-License-Identifier: MIT
// The few declarations that a device program needs, so that these tests do not depend on the HIP headers.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
__device__ unsigned long __spirv_BuiltInLocalInvocationId(int);
extern "C" __device__ int printf(const char *, ...);
struct dim3 {
  unsigned x, y, z;
  dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
};
extern "C" int __hipPushCallConfiguration(dim3, dim3, unsigned long = 0, struct ihipStream_t * = nullptr);
extern "C" int __hipPopCallConfiguration(dim3 *, dim3 *, unsigned long *, struct ihipStream_t **);
extern "C" int hipLaunchKernel(const void *, dim3, dim3, void **, unsigned long, struct ihipStream_t *);
