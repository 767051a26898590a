// SPDX-License-Identifier: MIT
// Two files, chosen by PART, which make.sh links to one code object: its metadata has a note of each.
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))

#if PART == 0
__device__ int factor = 3;
__device__ __attribute__((noinline)) int scaled(int x) { return x * factor; }
extern "C" __global__ void addToFactor(int number) { factor += number; }
#else
extern __device__ int factor;
__device__ int scaled(int x);
extern "C" __global__ void scale(int *out) {
  const int t = __builtin_amdgcn_workitem_id_x();
  out[t] = scaled(t) + factor;
}
#endif
