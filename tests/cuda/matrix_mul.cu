// SPDX-License-Identifier: MIT
// Multiplies matrices by tiles in shared memory; the size of a tile is a template parameter.
#include "check.h"

template <int kTile> __global__ void multiply(float *c, const float *a, const float *b, int widthA, int widthB) {
  __shared__ float tileA[kTile][kTile], tileB[kTile][kTile];
  const int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < widthA; tile += kTile) {
    tileA[threadIdx.y][threadIdx.x] = a[row * widthA + tile + threadIdx.x];
    tileB[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * widthB + column];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k)
      sum += tileA[threadIdx.y][k] * tileB[k][threadIdx.x];
    __syncthreads();
  }
  c[row * widthB + column] = sum;
}

template <int kTile> void test() {
  const dim3 sizeA(5 * kTile, 3 * kTile), sizeB(4 * kTile, 5 * kTile);
  std::vector<float> a(sizeA.x * sizeA.y), b(sizeB.x * sizeB.y);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] = float(i % 7);
  for (size_t i = 0; i < b.size(); ++i)
    b[i] = float(i % 5) - 2;
  float *dA = onDevice(a), *dB = onDevice(b), *dC = nullptr;
  CALL(cudaMalloc(&dC, sizeof(float) * sizeA.y * sizeB.x));
  const dim3 block(kTile, kTile), grid(sizeB.x / block.x, sizeA.y / block.y);
  multiply<kTile><<<grid, block>>>(dC, dA, dB, sizeA.x, sizeB.x);
  const std::vector<float> c = onHost(dC, sizeA.y * sizeB.x);
  for (unsigned row = 0; row < sizeA.y; ++row)
    for (unsigned column = 0; column < sizeB.x; ++column) {
      float sum = 0;
      for (unsigned k = 0; k < sizeA.x; ++k)
        sum += a[row * sizeA.x + k] * b[k * sizeB.x + column];
      EXPECT(c[row * sizeB.x + column] == sum);
    }
  CALL(cudaFree(dA));
  CALL(cudaFree(dB));
  CALL(cudaFree(dC));
}

int main() {
  test<16>();
  test<32>();
}
