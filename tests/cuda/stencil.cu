// SPDX-License-Identifier: MIT
// Steps of a heat equation in pitched memory, with a halo in shared memory.
#include "check.h"
#include <utility>

const int kSize = 16;

__global__ void step(const float *in, float *out, size_t pitch, int width, int height) {
  __shared__ float tile[kSize + 2][kSize + 2];
  const int x = blockIdx.x * kSize + threadIdx.x, y = blockIdx.y * kSize + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  auto at = [&](int column, int row) {
    column = min(max(column, 0), width - 1);
    row = min(max(row, 0), height - 1);
    return *((const float *)((const char *)in + row * pitch) + column);
  };
  tile[ty][tx] = at(x, y);
  if (tx == 1)
    tile[ty][0] = at(x - 1, y);
  if (tx == kSize)
    tile[ty][kSize + 1] = at(x + 1, y);
  if (ty == 1)
    tile[0][tx] = at(x, y - 1);
  if (ty == kSize)
    tile[kSize + 1][tx] = at(x, y + 1);
  __syncthreads();
  if (x < width && y < height)
    *((float *)((char *)out + y * pitch) + x) =
        0.25f * (tile[ty - 1][tx] + tile[ty + 1][tx] + tile[ty][tx - 1] + tile[ty][tx + 1]);
}

int main() {
  const int width = 64, height = 48, steps = 5;
  std::vector<float> now(width * height), next(width * height);
  now[20 * width + 30] = 4096;
  float *a = nullptr, *b = nullptr;
  size_t pitch = 0;
  const size_t row = width * sizeof(float);
  CALL(cudaMallocPitch(&a, &pitch, row, height));
  CALL(cudaMallocPitch((void **)&b, &pitch, row, height));
  EXPECT(pitch >= row);
  CALL(cudaMemcpy2D(a, pitch, now.data(), row, row, height, cudaMemcpyHostToDevice));
  CALL(cudaMemset2D(b, pitch, 0, row, height));
  for (int i = 0; i < steps; ++i) {
    step<<<dim3(width / kSize, height / kSize), dim3(kSize, kSize)>>>(a, b, pitch, width, height);
    std::swap(a, b);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        next[y * width + x] =
            0.25f * (now[std::max(y - 1, 0) * width + x] + now[std::min(y + 1, height - 1) * width + x] +
                     now[y * width + std::max(x - 1, 0)] + now[y * width + std::min(x + 1, width - 1)]);
    now.swap(next);
  }
  std::vector<float> result(width * height);
  CALL(cudaMemcpy2D(result.data(), row, a, pitch, row, height, cudaMemcpyDeviceToHost));
  EXPECT(result == now); // powers of two: exact
}
