// SPDX-License-Identifier: MIT
// Transposes a matrix by tiles, with a padded tile so that no two threads of a warp meet in a bank.
#include "check.h"

#define TILE_DIM 32
#define BLOCK_ROWS 8

template <class T> __global__ void transpose(T *__restrict__ out, const T *__restrict__ in, int width, int height) {
  __shared__ T tile[TILE_DIM][TILE_DIM + 1];
  int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < width && y + j < height)
      tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * width + x];
  __syncthreads();
  x = blockIdx.y * TILE_DIM + threadIdx.x;
  y = blockIdx.x * TILE_DIM + threadIdx.y;
  for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
    if (x < height && y + j < width)
      out[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main() {
  const int width = 300, height = 170;
  std::vector<double> in(width * height);
  for (int i = 0; i < width * height; ++i)
    in[i] = i * 0.5;
  double *dIn = onDevice(in), *dOut = onDevice(std::vector<double>(in.size()));
  const dim3 threads(TILE_DIM, BLOCK_ROWS);
  const dim3 blocks((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM, 1);
  transpose<double><<<blocks, threads>>>(dOut, dIn, width, height);
  const std::vector<double> out = onHost(dOut, in.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT(out[x * height + y] == in[y * width + x]);
}
