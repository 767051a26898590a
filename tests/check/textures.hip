// SPDX-License-Identifier: MIT
// Textures, surfaces and copies (planted.h). What HIP defines outside of them is no defect. The last defect costs the device.
#include "planted.h"

constexpr int kSide = 16;

__global__ void fetchFreed(hipTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex1Dfetch<float>(texture, threadIdx.x); // finds: memcheck error
}

__global__ void sampleFreedArray(hipTextureObject_t texture, float *out) {
  out[threadIdx.x] = tex2D<float>(texture, threadIdx.x % kSide, threadIdx.x / kSide); // finds: memcheck error
}

template <bool bad> __global__ void blocksWriteOneElement(hipSurfaceObject_t surface) {
  if (threadIdx.x == 0)
    surf2Dwrite<float>(blockIdx.x, surface, (bad ? 0 : blockIdx.x) * sizeof(float), 0); // finds: racecheck error
}

__global__ void outside(hipTextureObject_t linear, hipTextureObject_t texture, hipSurfaceObject_t surface, float *out) {
  const int i = threadIdx.x;
  float sum = tex1Dfetch<float>(linear, i - 8) + tex1Dfetch<float>(linear, i + kItems);
  sum += tex2D<float>(texture, i - 20.0f, 2.0f * i);
  sum += surf2Dread<float>(surface, (i - 8) * static_cast<int>(sizeof(float)), i);
  sum += surf2Dread<float>(surface, i * static_cast<int>(sizeof(float)), -1, hipBoundaryModeClamp);
  surf2Dwrite(1.0f, surface, (kSide + i) * static_cast<int>(sizeof(float)), 0);
  out[i] = sum;
}

static hipTextureObject_t linearTexture(float *memory, size_t bytes) {
  hipResourceDesc resource{};
  resource.resType = hipResourceTypeLinear;
  resource.res.linear.devPtr = memory;
  resource.res.linear.desc = hipCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = bytes;
  const hipTextureDesc how{};
  hipTextureObject_t texture;
  HIP_CHECK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
  return texture;
}

struct Image {
  hipArray_t array;
  hipTextureObject_t texture;
  hipSurfaceObject_t surface;

  Image() {
    const hipChannelFormatDesc format = hipCreateChannelDesc<float>();
    const float zeros[kSide * kSide] = {};
    HIP_CHECK(hipMallocArray(&array, &format, kSide, kSide, hipArraySurfaceLoadStore));
    HIP_CHECK(hipMemcpy2DToArray(array, 0, 0, zeros, kSide * sizeof(float), kSide * sizeof(float), kSide,
                                 hipMemcpyHostToDevice));
    hipResourceDesc resource{};
    resource.resType = hipResourceTypeArray;
    resource.res.array.array = array;
    hipTextureDesc how{};
    how.addressMode[0] = how.addressMode[1] = hipAddressModeClamp;
    HIP_CHECK(hipCreateTextureObject(&texture, &resource, &how, nullptr));
    HIP_CHECK(hipCreateSurfaceObject(&surface, &resource));
  }
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;
};

#define COPY extern "C" __attribute__((noinline)) void

COPY copyTooManyRows(hipArray_t array, float *host, bool bad) { // finds: memcheck error in copyTooManyRows
  (void)hipMemcpy2DToArray(array, 0, 0, host, kSide * sizeof(float), kSide * sizeof(float), kSide + bad,
                           hipMemcpyHostToDevice);
}
COPY copyFromBeyondRow(hipArray_t array, float *host, bool bad) { // finds: memcheck error in copyFromBeyondRow
  (void)hipMemcpy2DFromArray(host, kSide * sizeof(float), array, bad ? sizeof(float) : 0, 0, kSide * sizeof(float), 1,
                             hipMemcpyDeviceToHost);
}
// The runtime goes by the pointers.
COPY copyFromDeviceAsFromHost(float *host, float *memory,
                              bool bad) { // finds: memcheck error in copyFromDeviceAsFromHost
  HIP_CHECK(hipMemcpy(host, memory, kSide, bad ? hipMemcpyHostToDevice : hipMemcpyDeviceToHost));
}
COPY copyToHostAsToDevice(float *host, float *memory, bool bad) { // finds: memcheck error in copyToHostAsToDevice
  HIP_CHECK(hipMemcpyAsync(host, memory, kSide, bad ? hipMemcpyDeviceToDevice : hipMemcpyDefault, nullptr));
  HIP_CHECK(hipDeviceSynchronize());
}
COPY copyBeyondMemory(hipArray_t array, float *memory, bool bad) { // finds: memcheck error in copyBeyondMemory
  (void)hipMemcpy2DToArray(array, 0, 0, memory, kSide * sizeof(float), kSide * sizeof(float), kItems / kSide + bad,
                           hipMemcpyDeviceToDevice);
}

template <bool bad> void run() {
  float *out = allocate<float>(kItems), *values = allocate<float>(kItems), *pooled = nullptr;
  float host[(kSide + 1) * kSide] = {};
  Image image, gone;
  copyFromDeviceAsFromHost(host, values, bad);
  copyToHostAsToDevice(host, values, bad);
  copyTooManyRows(image.array, host, bad);
  copyFromBeyondRow(image.array, host, bad);
  copyBeyondMemory(image.array, values, bad);
  HIP_CHECK(hipMallocAsync(reinterpret_cast<void **>(&pooled), kItems * sizeof(float), nullptr));
  HIP_CHECK(hipMemsetAsync(pooled, 0, kItems * sizeof(float), nullptr));
  const hipTextureObject_t ofPooled = linearTexture(pooled, kItems * sizeof(float));
  const hipTextureObject_t linear = linearTexture(values, kItems * sizeof(float));
  if (bad)
    HIP_CHECK(hipFreeAsync(pooled, nullptr));
  fetchFreed<<<1, kBlock>>>(ofPooled, out);
  blocksWriteOneElement<bad><<<kBlocks, kBlock>>>(image.surface);
  outside<<<1, kBlock>>>(linear, image.texture, image.surface, out);
  HIP_CHECK(hipDeviceSynchronize());
  if (bad)
    HIP_CHECK(hipFreeArray(gone.array));
  sampleFreedArray<<<1, kBlock>>>(gone.texture, out);
  (void)hipDeviceSynchronize();
}
