// SPDX-License-Identifier: MIT
// Texture objects: of linear memory, of an array with filtering and normalised coordinates, and with borders; the levels of mipmapped arrays.
#include "check.h"

__global__ void readLinear(cudaTextureObject_t texture, int *out) {
  out[threadIdx.x] = tex1Dfetch<int>(texture, threadIdx.x);
}
__global__ void sample(cudaTextureObject_t texture, float *out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  // Between a texel and its right neighbour.
  out[y * width + x] = tex2D<float>(texture, (x + 1.0f) / width, (y + 0.5f) / height);
}
__global__ void readOutside(cudaTextureObject_t texture, float *out) { *out = tex2D<float>(texture, -5.5f, 0.5f); }

int main() {
  std::vector<int> numbers(64);
  for (int i = 0; i < 64; ++i)
    numbers[i] = i * i;
  int *dNumbers = onDevice(numbers), *dOut = nullptr;
  CALL(cudaMalloc(&dOut, 64 * sizeof(int)));
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = dNumbers;
  resource.res.linear.desc = cudaCreateChannelDesc<int>();
  resource.res.linear.sizeInBytes = 64 * sizeof(int);
  cudaTextureDesc description = {};
  description.readMode = cudaReadModeElementType;
  cudaTextureObject_t linear = 0;
  CALL(cudaCreateTextureObject(&linear, &resource, &description, nullptr));
  readLinear<<<1, 64>>>(linear, dOut);
  EXPECT(onHost(dOut, 64) == numbers);

  const int width = 32, height = 16;
  std::vector<float> texels(width * height);
  for (int i = 0; i < width * height; ++i)
    texels[i] = float((i * 37) % 101);
  cudaArray_t array = nullptr;
  cudaChannelFormatDesc channel = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
  CALL(cudaMallocArray(&array, &channel, width, height));
  CALL(cudaMemcpy2DToArray(array, 0, 0, texels.data(), width * sizeof(float), width * sizeof(float), height,
                           cudaMemcpyHostToDevice));
  resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  description.addressMode[0] = cudaAddressModeWrap;
  description.addressMode[1] = cudaAddressModeClamp;
  description.filterMode = cudaFilterModeLinear;
  description.normalizedCoords = 1;
  cudaTextureObject_t filtered = 0, bordered = 0;
  CALL(cudaCreateTextureObject(&filtered, &resource, &description, nullptr));
  float *dSamples = nullptr;
  CALL(cudaMalloc(&dSamples, texels.size() * sizeof(float)));
  sample<<<dim3(width / 8, height / 8), dim3(8, 8)>>>(filtered, dSamples, width, height);
  const std::vector<float> samples = onHost(dSamples, texels.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      EXPECT(std::fabs(samples[y * width + x] - (texels[y * width + x] + texels[y * width + (x + 1) % width]) / 2) <
             0.5f);
  description = {};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
  description.borderColor[0] = 9;
  CALL(cudaCreateTextureObject(&bordered, &resource, &description, nullptr));
  readOutside<<<1, 1>>>(bordered, dSamples);
  EXPECT(onHost(dSamples, 1)[0] == 9);
  // Unlike HIP, CUDA reduces the number of levels to those that exist.
  cudaMipmappedArray_t levels = nullptr;
  cudaArray_t last = nullptr;
  CALL(cudaMallocMipmappedArray(&levels, &channel, make_cudaExtent(width, height, 0), 100));
  CALL(cudaGetMipmappedArrayLevel(&last, levels, 5));
  EXPECT(cudaGetMipmappedArrayLevel(&last, levels, 6) == cudaErrorInvalidValue);
  CALL(cudaFreeMipmappedArray(levels));
  for (cudaTextureObject_t texture : {linear, filtered, bordered})
    CALL(cudaDestroyTextureObject(texture));
  CALL(cudaFreeArray(array));
}
