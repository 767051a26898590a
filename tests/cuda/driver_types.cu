// SPDX-License-Identifier: MIT
// CUresult is a type of its own, a CUdeviceptr is a number, and calls have CUDA 12's and CUDA 13's forms.
#include "check.h"

#include <cstring>
#include <cuda.h>
#include <type_traits>

static int kindOf(CUresult) { return 1; }
static int kindOf(cudaError_t) { return 2; }

int main() {
  static_assert(std::is_same<CUdeviceptr, unsigned long long>::value, "a number");
  EXPECT(kindOf(CUDA_SUCCESS) == 1 && kindOf(cudaSuccess) == 2);
  EXPECT(kindOf(CUDA_ERROR_MISALIGNED_ADDRESS) == 1 && kindOf(cudaErrorMisalignedAddress) == 2);
  const char *name = nullptr;
  EXPECT(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &name) == CUDA_SUCCESS);
  EXPECT(!std::strcmp(name, "CUDA_ERROR_INVALID_VALUE"));
  EXPECT(!std::strcmp(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue"));

  EXPECT(cuInit(0) == CUDA_SUCCESS);
  CUdevice device;
  EXPECT(cuDeviceGet(&device, 0) == CUDA_SUCCESS);
  CUcontext old, current;
  EXPECT(cuCtxCreate(&old, 0, device) == CUDA_SUCCESS && cuCtxDestroy(old) == CUDA_SUCCESS);
  CUctxCreateParams parameters = {};
  EXPECT(cuCtxCreate(&current, &parameters, 0, device) == CUDA_SUCCESS);
  CUexecAffinityParam affinity = {};
  parameters.execAffinityParams = &affinity, parameters.numExecAffinityParams = 1;
  CUcontext none;
  EXPECT(cuCtxCreate(&none, &parameters, 0, device) == CUDA_ERROR_UNSUPPORTED_EXEC_AFFINITY);

  CUdeviceptr memory = 0;
  EXPECT(cuMemAlloc(&memory, 1000) == CUDA_SUCCESS && memory != 0);
  EXPECT(cuMemsetD8(memory + 100, 7, 4) == CUDA_SUCCESS);
  CUDA_MEMCPY2D rows = {};
  unsigned char bytes[4] = {};
  rows.srcMemoryType = CU_MEMORYTYPE_DEVICE, rows.srcDevice = memory + 100, rows.srcPitch = 4;
  rows.dstMemoryType = CU_MEMORYTYPE_HOST, rows.dstHost = bytes, rows.dstPitch = 4;
  rows.WidthInBytes = 4, rows.Height = 1;
  EXPECT(cuMemcpy2D(&rows) == CUDA_SUCCESS);
  EXPECT(bytes[0] == 7 && bytes[3] == 7);
  EXPECT(cuMemsetD2D16(memory, 8, 0x0102, 2, 3) == CUDA_SUCCESS);
  unsigned short words[12] = {};
  EXPECT(cuMemsetD8(memory + 4, 0, 4) == CUDA_SUCCESS && cuMemcpyDtoH(words, memory, sizeof words) == CUDA_SUCCESS);
  EXPECT(words[1] == 0x0102 && words[2] == 0 && words[4] == 0x0102 && words[9] == 0x0102);
  EXPECT(cuMemFree(memory) == CUDA_SUCCESS);
  EXPECT(cuMemFree(memory) == CUDA_ERROR_INVALID_VALUE);

  int value = -1;
  EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR_SUPPORTED, device) ==
         CUDA_SUCCESS);
  EXPECT(value == 1);
  EXPECT(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_GENERIC_COMPRESSION_SUPPORTED, device) == CUDA_SUCCESS);
  EXPECT(value == 0);

  // The places of CUDA 13, and the numbers of devices of CUDA 12.
  int *managed;
  EXPECT(cudaMallocManaged(&managed, 4096) == cudaSuccess);
  const cudaMemLocation host = {cudaMemLocationTypeHost, 0}, first = {cudaMemLocationTypeDevice, 0};
  EXPECT(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, first) == cudaSuccess);
  EXPECT(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, 0) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, first, 0) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, host, 0, nullptr) == cudaSuccess);
  EXPECT(cudaMemPrefetchAsync(managed, 4096, host, 1, nullptr) == cudaErrorInvalidValue);
  EXPECT(cudaFree(managed) == cudaSuccess);

  // Hints of streams
  cudaStreamAttrValue window = {};
  EXPECT(cudaStreamSetAttribute(nullptr, cudaStreamAttributeAccessPolicyWindow, &window) == cudaSuccess);
  EXPECT(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20) == cudaSuccess);
  size_t persisting = 1;
  EXPECT(cudaDeviceGetLimit(&persisting, cudaLimitPersistingL2CacheSize) == cudaSuccess && persisting == 0);
  EXPECT(cuCtxDestroy(current) == CUDA_SUCCESS);
}
