// SPDX-License-Identifier: MIT
// Shared memory whose size the launch tells, for several arrays in one.
#include "check.h"

template <class T> struct SharedMemory {
  __device__ operator T *() {
    extern __shared__ int memory[];
    return (T *)memory;
  }
};

template <class T> __global__ void reverse(T *data) {
  T *shared = SharedMemory<T>();
  shared[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = shared[blockDim.x - 1 - threadIdx.x];
}

__global__ void twoArrays(const float *in, float *out) {
  extern __shared__ __align__(16) unsigned char bytes[];
  float *values = (float *)bytes;
  int *order = (int *)(values + blockDim.x);
  values[threadIdx.x] = in[threadIdx.x];
  order[(threadIdx.x * 5) % blockDim.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = values[order[threadIdx.x]];
}

template <class T> void test() {
  std::vector<T> data(96);
  for (int i = 0; i < 96; ++i)
    data[i] = T(i * 1.5);
  T *device = onDevice(data);
  reverse<T><<<1, 96, 96 * sizeof(T)>>>(device);
  const std::vector<T> result = onHost(device, 96);
  for (int i = 0; i < 96; ++i)
    EXPECT(result[i] == data[95 - i]);
}

int main() {
  test<int>();
  test<double>();
  std::vector<float> in(64);
  for (int i = 0; i < 64; ++i)
    in[i] = float(i);
  float *dIn = onDevice(in), *dOut = onDevice(in);
  CALL(cudaFuncSetAttribute(twoArrays, cudaFuncAttributeMaxDynamicSharedMemorySize, 32768));
  twoArrays<<<1, 64, 64 * (sizeof(float) + sizeof(int))>>>(dIn, dOut);
  const std::vector<float> out = onHost(dOut, 64);
  for (int i = 0; i < 64; ++i)
    EXPECT(out[(i * 5) % 64] == float(i));
}
