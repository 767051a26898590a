// SPDX-License-Identifier: MIT
// A surface is read and written, with the offset in bytes that CUDA asks for.
#include "check.h"

__global__ void mirror(cudaSurfaceObject_t in, cudaSurfaceObject_t out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  uchar4 texel;
  surf2Dread(&texel, in, x * (int)sizeof(uchar4), y, cudaBoundaryModeTrap);
  texel.w = (unsigned char)y;
  surf2Dwrite(texel, out, (width - 1 - x) * (int)sizeof(uchar4), y);
}

int main() {
  const int width = 37, height = 20;
  std::vector<uchar4> texels(width * height);
  for (int i = 0; i < width * height; ++i)
    texels[i] = make_uchar4((unsigned char)i, (unsigned char)(i * 3), (unsigned char)(i / 7), 1);
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<uchar4>();
  cudaArray_t arrays[2];
  cudaSurfaceObject_t surfaces[2];
  for (int i = 0; i < 2; ++i) {
    CALL(cudaMallocArray(&arrays[i], &channel, width, height, cudaArraySurfaceLoadStore));
    cudaResourceDesc resource = {};
    resource.resType = cudaResourceTypeArray;
    resource.res.array.array = arrays[i];
    CALL(cudaCreateSurfaceObject(&surfaces[i], &resource));
  }
  const size_t row = width * sizeof(uchar4);
  CALL(cudaMemcpy2DToArray(arrays[0], 0, 0, texels.data(), row, row, height, cudaMemcpyHostToDevice));
  mirror<<<dim3(5, 3), dim3(8, 8)>>>(surfaces[0], surfaces[1], width, height);
  std::vector<uchar4> result(texels.size());
  CALL(cudaMemcpy2DFromArray(result.data(), row, arrays[1], 0, 0, row, height, cudaMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const uchar4 wanted = texels[y * width + x], found = result[y * width + width - 1 - x];
      EXPECT(found.x == wanted.x && found.y == wanted.y && found.z == wanted.z && found.w == y);
    }
  for (int i = 0; i < 2; ++i) {
    CALL(cudaDestroySurfaceObject(surfaces[i]));
    CALL(cudaFreeArray(arrays[i]));
  }
}
