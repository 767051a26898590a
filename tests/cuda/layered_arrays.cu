// SPDX-License-Identifier: MIT
// An array of several layers, filled by one 3D copy and read by layer.
#include "check.h"

__global__ void readLayers(cudaTextureObject_t texture, float *out, int width, int height, int layer) {
  const int x = threadIdx.x, y = threadIdx.y;
  out[(layer * height + y) * width + x] = 2 * tex2DLayered<float>(texture, x + 0.5f, y + 0.5f, layer);
}

int main() {
  const int width = 16, height = 8, layers = 5;
  std::vector<float> texels(width * height * layers);
  for (size_t i = 0; i < texels.size(); ++i)
    texels[i] = float(i);
  const cudaChannelFormatDesc channel = cudaCreateChannelDesc<float>();
  cudaArray_t array = nullptr;
  CALL(cudaMalloc3DArray(&array, &channel, make_cudaExtent(width, height, layers), cudaArrayLayered));
  cudaMemcpy3DParms copy = {0};
  copy.srcPos = make_cudaPos(0, 0, 0);
  copy.dstPos = make_cudaPos(0, 0, 0);
  copy.srcPtr = make_cudaPitchedPtr(texels.data(), width * sizeof(float), width, height);
  copy.dstArray = array;
  copy.extent = make_cudaExtent(width, height, layers);
  copy.kind = cudaMemcpyHostToDevice;
  CALL(cudaMemcpy3D(&copy));
  cudaChannelFormatDesc found;
  cudaExtent extent;
  unsigned flags = 0;
  CALL(cudaArrayGetInfo(&found, &extent, &flags, array));
  EXPECT(extent.depth == layers && (flags & cudaArrayLayered) && found.x == 32);

  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description = {};
  description.filterMode = cudaFilterModePoint;
  cudaTextureObject_t texture = 0;
  CALL(cudaCreateTextureObject(&texture, &resource, &description, NULL));
  float *out = nullptr;
  CALL(cudaMalloc(&out, texels.size() * sizeof(float)));
  for (int layer = 0; layer < layers; ++layer)
    readLayers<<<1, dim3(width, height)>>>(texture, out, width, height, layer);
  const std::vector<float> result = onHost(out, texels.size());
  for (size_t i = 0; i < texels.size(); ++i)
    EXPECT(result[i] == 2 * texels[i]);
  CALL(cudaDestroyTextureObject(texture));
  CALL(cudaFreeArray(array));
  CALL(cudaFree(out));
}
