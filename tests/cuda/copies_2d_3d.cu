// SPDX-License-Identifier: MIT
// Copies of rectangles and boxes, and memory of three dimensions.
#include "check.h"

__global__ void increment(cudaPitchedPtr box, int width, int height, int depth) {
  const int x = threadIdx.x, y = blockIdx.x, z = blockIdx.y;
  char *slice = (char *)box.ptr + z * box.pitch * height;
  if (x < width && y < height && z < depth)
    ((int *)(slice + y * box.pitch))[x] += 1000;
}

int main() {
  const int width = 20, height = 6, depth = 4;
  std::vector<int> host(width * height * depth), back(host.size());
  for (size_t i = 0; i < host.size(); ++i)
    host[i] = int(i);
  const cudaExtent extent = make_cudaExtent(width * sizeof(int), height, depth);
  cudaPitchedPtr box;
  CALL(cudaMalloc3D(&box, extent));
  CALL(cudaMemset3D(box, 0, extent));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(host.data(), width * sizeof(int), width, height);
  copy.dstPtr = box;
  copy.extent = extent;
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  increment<<<dim3(height, depth), 32>>>(box, width, height, depth);
  copy.srcPtr = box;
  copy.dstPtr = make_cudaPitchedPtr(back.data(), width * sizeof(int), width, height);
  copy.kind = cudaMemcpyDeviceToHost;
  CALL(cudaMemcpy3DAsync(&copy, 0));
  CALL(cudaStreamSynchronize(0));
  for (size_t i = 0; i < host.size(); ++i)
    EXPECT(back[i] == host[i] + 1000);

  // Some columns of some rows.
  int *device = onDevice(std::vector<int>(100, -1));
  CALL(cudaMemcpy2D(device + 22, 10 * sizeof(int), host.data() + 21, width * sizeof(int), 5 * sizeof(int), 3,
                    cudaMemcpyHostToDevice));
  CALL(cudaMemcpy2DAsync(device + 72, 10 * sizeof(int), device + 22, 10 * sizeof(int), 5 * sizeof(int), 2,
                         cudaMemcpyDeviceToDevice));
  const std::vector<int> square = onHost(device, 100);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 10; ++x) {
      const bool inside = x >= 2 && x < 7 && ((y >= 2 && y < 5) || y == 7 || y == 8);
      const int row = y >= 7 ? y - 7 : y - 2;
      EXPECT(square[10 * y + x] == (inside ? host[21 + row * width + x - 2] : -1));
    }
  CALL(cudaFree(box.ptr));
}
