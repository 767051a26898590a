// SPDX-License-Identifier: MIT
// Half precision and bfloat16: pairs, conversions and arithmetic.
#include "check.h"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void axpy(half2 *y, const half2 *x, half a, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < pairs)
    y[i] = __hfma2(__half2half2(a), x[i], y[i]);
}
__global__ void sumOfProducts(const __half *x, const __half *y, float *result, int count) {
  float sum = 0;
  for (int i = threadIdx.x; i < count; i += warpSize)
    sum += __half2float(__hmul(x[i], y[i]));
  for (int offset = 16; offset; offset /= 2)
    sum += __shfl_down_sync(0xffffffff, sum, offset);
  if (threadIdx.x == 0)
    *result = sum;
}
__global__ void round(__nv_bfloat16 *values, const float *in) {
  values[threadIdx.x] = __float2bfloat16(in[threadIdx.x]) + __float2bfloat16(1.0f);
}

int main() {
  const int count = 512;
  std::vector<half> x(count), y(count);
  for (int i = 0; i < count; ++i) {
    x[i] = __float2half(float(i % 8));
    y[i] = __float2half(0.5f * (i % 4));
  }
  half *dX = onDevice(x), *dY = onDevice(y);
  float *sum = nullptr;
  CALL(cudaMalloc(&sum, sizeof(float)));
  axpy<<<2, 128>>>((half2 *)dY, (const half2 *)dX, __float2half(2.0f), count / 2);
  sumOfProducts<<<1, 32>>>(dX, dY, sum, count);
  const std::vector<half> result = onHost(dY, count);
  float wanted = 0;
  for (int i = 0; i < count; ++i) {
    const float value = 2.0f * (i % 8) + 0.5f * (i % 4);
    EXPECT(__half2float(result[i]) == value);
    wanted += value * (i % 8);
  }
  EXPECT(onHost(sum, 1)[0] == wanted);
  std::vector<float> in(32);
  for (int i = 0; i < 32; ++i)
    in[i] = float(i);
  nv_bfloat16 *rounded = onDevice(std::vector<nv_bfloat16>(32));
  round<<<1, 32>>>(rounded, onDevice(in));
  const std::vector<nv_bfloat16> back = onHost(rounded, 32);
  for (int i = 0; i < 32; ++i)
    EXPECT(__bfloat162float(back[i]) == float(i + 1));
}
