// SPDX-License-Identifier: MIT
// Every C++ form of the API is called once, with the arguments that programs pass. The program is compiled and not run.
#include <hip/hip_runtime_api.h>

#include <hip/hip_ext.h>

struct Particle {
  float4 position;
};
static __constant__ float coefficients[16];
static __device__ int counter;
#ifdef __HIP__
__global__ void kernel(float *out, int n) {
  if (out)
    out[0] = coefficients[n] + counter;
}
#else
static void kernel(float *, int) {}
#endif

hipError_t callAll() {
  float *f = nullptr;
  Particle *p = nullptr;
  void *v = nullptr;
  size_t size = 0;
  int number = 0;
  void *arguments[] = {&f, &number};
  hipError_t e = hipMalloc(&f, 4);
  e = hipMalloc(&v, 4);
  e = hipMallocPitch(&p, &size, 4, 4);
  e = hipHostMalloc(&p, 4);
  e = hipHostMalloc(&v, 4);
  e = hipHostMalloc(&f, 4, hipHostMallocMapped);
  e = hipHostAlloc(&p, 4, hipHostAllocDefault);
  e = hipMallocManaged(&p, 4);
  e = hipMallocManaged(&v, 4);
  e = hipMallocAsync(&p, 4, hipStreamPerThread);
  e = hipMallocAsync(&v, 4, hipStreamLegacy);
  e = hipMallocAsync(&p, 4, hipMemPool_t(), nullptr);
  e = hipMallocAsync(&v, 4, hipMemPool_t(), nullptr);
  e = hipMallocFromPoolAsync(&p, 4, nullptr, nullptr);
  e = hipGetSymbolAddress(&v, coefficients);
  e = hipGetSymbolSize(&size, counter);
  e = hipMemcpyToSymbol(coefficients, v, 64);
  e = hipMemcpyToSymbol(counter, &number, sizeof number, 0, hipMemcpyHostToDevice);
  e = hipMemcpyToSymbolAsync(counter, v, 4, 0, hipMemcpyDeviceToDevice);
  e = hipMemcpyFromSymbol(&number, counter, sizeof number);
  e = hipMemcpyFromSymbolAsync(v, coefficients, 4, 0, hipMemcpyDeviceToHost, nullptr);
  e = hipMemcpyAsync(v, f, 4, hipMemcpyDefault);
  e = hipLaunchKernel(kernel, dim3(1), 64, arguments);
  e = hipLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(1), dim3(64), arguments, 0, nullptr);
  e = hipLaunchCooperativeKernel(kernel, dim3(1), dim3(64), arguments, 0, nullptr);
  e = hipFuncSetAttribute(kernel, hipFuncAttributeMaxDynamicSharedMemorySize, 1);
  e = hipFuncSetCacheConfig(kernel, hipFuncCachePreferL1);
  e = hipFuncSetSharedMemConfig(kernel, hipSharedMemBankSizeDefault);
  hipFuncAttributes attributes;
  e = hipFuncGetAttributes(&attributes, kernel);
  e = hipFuncGetAttributes(&attributes, reinterpret_cast<const void *>(kernel));
  e = hipOccupancyMaxActiveBlocksPerMultiprocessor(&number, kernel, 64, 0);
  e = hipOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&number, kernel, 64, 0, hipOccupancyDefault);
  e = hipOccupancyMaxPotentialBlockSize(&number, &number, kernel);
  e = hipOccupancyMaxPotentialBlockSize(&number, &number, kernel, 0, 0);
  e = hipOccupancyMaxPotentialBlockSizeWithFlags(&number, &number, kernel);
  e = hipOccupancyMaxPotentialBlockSizeVariableSMem(&number, &number, kernel, [](int block) { return block * 4; });
  e = hipOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &number, &number, kernel, [](int block) { return block * 4; }, 0, 0);
  hipLaunchParams launch = {};
  e = hipLaunchCooperativeKernelMultiDevice<void (*)(float *, int)>(&launch, 1u);
  e = hipExtLaunchMultiKernelMultiDevice<void (*)(float *, int)>(&launch, 1u);
  hipExtLaunchKernelGGL(kernel, dim3(1), dim3(64), 0, nullptr, nullptr, nullptr, 0, nullptr, 3);

  static texture<float4, hipTextureType2D, hipReadModeElementType> reference;
  static texture<unsigned char, 1, hipReadModeNormalizedFloat> bytes;
  const hipChannelFormatDesc desc = hipCreateChannelDesc<float4>();
  e = hipBindTexture(&size, reference, v, desc, 64);
  e = hipBindTexture(nullptr, bytes, v);
  e = hipBindTexture2D(&size, reference, v, desc, 4, 4, 256);
  e = hipBindTexture2D(&size, reference, v, 4, 4, 256);
  e = hipBindTextureToArray(reference, hipArray_const_t());
  e = hipBindTextureToArray(reference, hipArray_const_t(), desc);
  e = hipBindTextureToMipmappedArray(reference, hipMipmappedArray_const_t());
  e = hipBindTextureToMipmappedArray(reference, hipMipmappedArray_const_t(), desc);
  e = hipUnbindTexture(reference);
  e = hipCreateChannelDescHalf4().w == 16 && hipCreateChannelDesc<uchar2>().z == 0 ? e : hipErrorUnknown;
  hipDeviceProp_t properties;
  e = hipGetDeviceProperties(&properties, 0);
  e = hipChooseDevice(&number, &properties);
  return e;
}
