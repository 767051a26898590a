// SPDX-License-Identifier: MIT
// Launches by function: cudaLaunchKernel with typed and untyped kernels, and the limits of a launch.
#include "check.h"

struct Pair {
  short x;
  double y;
};

__global__ void combine(float *out, Pair pair, char c, const int *in) {
  const uint3 thread = threadIdx;
  const dim3 shape = blockDim;
  const unsigned i = (thread.z * shape.y + thread.y) * shape.x + thread.x;
  out[i] = float(pair.x + pair.y + c + in[i]);
}

template <class T> __global__ void fill(T *data, T value) { data[blockIdx.x] = value; }

int main() {
  std::vector<int> in(24);
  for (int i = 0; i < 24; ++i)
    in[i] = i * 100;
  int *dIn = onDevice(in);
  float *dOut = onDevice(std::vector<float>(24));
  Pair pair = {3, 0.25};
  char c = 'A';
  void *arguments[] = {&dOut, &pair, &c, &dIn};
  CALL(cudaLaunchKernel(combine, dim3(1), dim3(4, 3, 2), arguments));
  std::vector<float> out = onHost(dOut, 24);
  for (int i = 0; i < 24; ++i)
    EXPECT(out[i] == 68.25f + in[i]);
  cudaStream_t stream;
  CALL(cudaStreamCreate(&stream));
  pair.x = 4;
  CALL(cudaLaunchKernel((const void *)combine, dim3(1), dim3(2, 3, 4), arguments, 0, stream));
  CALL(cudaStreamSynchronize(stream));
  EXPECT(onHost(dOut, 24)[23] == 69.25f + in[23]);
  float value = 5;
  void *fillArguments[] = {&dOut, &value};
  CALL(cudaLaunchKernel((void *)fill<float>, 24, 1, fillArguments, 0, 0));
  for (float x : onHost(dOut, 24))
    EXPECT(x == 5);
  void (*kernel)(float *, float) = fill<float>;
  kernel<<<dim3(24), 1, 0, stream>>>(dOut, 6.5f);
  CALL(cudaStreamSynchronize(stream));
  EXPECT(onHost(dOut, 24)[7] == 6.5f);
}
