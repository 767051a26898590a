// SPDX-License-Identifier: MIT
// Arrays, textures, surfaces and texture references against Intel's driver in capture mode: all calls must be taken; what
// kernels read is never looked at.
#include "sequence.h"

#include <vector>

#pragma clang diagnostic ignored "-Wdeprecated-declarations"

texture<float, hipTextureType2D> reference;

__global__ void read(hipTextureObject_t linear, hipTextureObject_t flat, hipTextureObject_t levels, float *out) {
  const int i = threadIdx.x;
  out[i] = tex1Dfetch<float>(linear, i) + tex2D<float>(flat, i, i) + tex2DLod<float>(levels, 0.5f, 0.5f, i) +
           tex2D(reference, i, i);
}
__global__ void write(hipSurfaceObject_t surface) { surf2Dwrite(1.0f, surface, 4 * threadIdx.x, threadIdx.y); }

int main() {
  if (int code = requireIntel())
    return code;
  hipDeviceProp_t properties;
  MUST(hipGetDeviceProperties(&properties, 0));
  if (properties.maxTexture2D[0] == 0 || properties.maxTexture1DLinear == 0) {
    std::printf("the device says that it has no textures\n");
    return 1;
  }

  constexpr int kSide = 32;
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float>();
  std::vector<float> host(kSide * kSide, 1.0f);
  hipArray_t array, layers, level;
  hipMipmappedArray_t mipmapped;
  float *memory;
  MUST(hipMallocArray(&array, &desc, kSide, kSide, hipArraySurfaceLoadStore));
  MUST(hipMalloc3DArray(&layers, &desc, make_hipExtent(kSide, kSide, 12), hipArrayCubemap | hipArrayLayered));
  MUST(hipMallocMipmappedArray(&mipmapped, &desc, make_hipExtent(kSide, kSide, 0), 6));
  MUST(hipGetMipmappedArrayLevel(&level, mipmapped, 3));
  MUST(hipMalloc(&memory, kSide * kSide * sizeof(float)));
  MUST(hipMemcpy2DToArray(array, 0, 0, host.data(), kSide * 4, kSide * 4, kSide, hipMemcpyHostToDevice));
  MUST(hipMemcpy2DToArray(level, 0, 0, host.data(), 16, 16, 4, hipMemcpyHostToDevice));
  hipMemcpy3DParms copy{};
  copy.srcPtr = make_hipPitchedPtr(memory, kSide * 4, kSide, kSide);
  copy.dstArray = layers;
  copy.dstPos = make_hipPos(0, 0, 11);
  copy.extent = make_hipExtent(kSide, kSide, 1);
  copy.kind = hipMemcpyDeviceToDevice;
  MUST(hipMemcpy3D(&copy));

  hipResourceDesc resource{};
  hipTextureDesc sampling{};
  hipTextureObject_t linear, flat, levels, srgb;
  hipSurfaceObject_t surface;
  resource.resType = hipResourceTypeLinear;
  resource.res.linear = {memory, desc, kSide * kSide * sizeof(float)};
  MUST(hipCreateTextureObject(&linear, &resource, &sampling, nullptr));
  resource.resType = hipResourceTypePitch2D;
  resource.res.pitch2D = {memory, hipCreateChannelDesc<uchar4>(), kSide, kSide, kSide * 4};
  sampling.readMode = hipReadModeNormalizedFloat;
  sampling.sRGB = 1;
  MUST(hipCreateTextureObject(&srgb, &resource, &sampling, nullptr));
  resource.resType = hipResourceTypeArray;
  resource.res.array.array = array;
  sampling.filterMode = hipFilterModeLinear;
  MUST(hipCreateTextureObject(&flat, &resource, &sampling, nullptr));
  MUST(hipCreateSurfaceObject(&surface, &resource));
  resource.resType = hipResourceTypeMipmappedArray;
  resource.res.mipmap.mipmap = mipmapped;
  sampling.normalizedCoords = 1;
  MUST(hipCreateTextureObject(&levels, &resource, &sampling, nullptr));
  MUST(hipBindTextureToArray(reference, array));

  hipStream_t stream;
  MUST(hipStreamCreate(&stream));
  write<<<1, dim3(kSide, 8), 0, stream>>>(surface);
  read<<<1, kSide, 0, stream>>>(linear, flat, levels, memory);
  MUST(hipGetLastError());
  MUST(hipStreamSynchronize(stream));
  MUST(hipTexRefSetFilterMode(&reference, hipFilterModeLinear));
  MUST(hipUnbindTexture(reference));

  for (hipTextureObject_t texture : {linear, flat, levels, srgb})
    MUST(hipDestroyTextureObject(texture));
  MUST(hipDestroySurfaceObject(surface));
  MUST(hipStreamDestroy(stream));
  MUST(hipFreeArray(array));
  MUST(hipFreeArray(layers));
  MUST(hipFreeMipmappedArray(mipmapped));
  MUST(hipFree(memory));
  std::printf("all calls were taken\n");
  return 0;
}
