// SPDX-License-Identifier: MIT
// A device's properties and attributes, as programs ask for them; the compute capability is that of kernels.
#include "check.h"

__global__ void architecture(int *value) {
#ifdef __CUDA_ARCH__
  *value = __CUDA_ARCH__;
#endif
}

#ifndef __CUDACC__
#error "cucc defines __CUDACC__"
#endif
#ifdef __CUDA_ARCH__
static const bool kHost = false;
#else
static const bool kHost = true;
#endif

int main() {
  static_assert(CUDART_VERSION >= 11000 && __CUDACC_VER_MAJOR__ >= 11, "a version that programs know");
  int driver = 0, runtime = 0, count = 0, value = 0;
  CALL(cudaDriverGetVersion(&driver));
  CALL(cudaRuntimeGetVersion(&runtime));
  CALL(cudaGetDeviceCount(&count));
  EXPECT(kHost && driver > 0 && runtime > 0 && count > 0);
  for (int device = 0; device < count; ++device) {
    CALL(cudaSetDevice(device));
    struct cudaDeviceProp prop;
    CALL(cudaGetDeviceProperties(&prop, device));
    std::printf("%d: %s, compute capability %d.%d, %d multiprocessors, %zu MiB, %d kHz\n", device, prop.name,
                prop.major, prop.minor, prop.multiProcessorCount, prop.totalGlobalMem >> 20, prop.clockRate);
    EXPECT(prop.warpSize == 32 && prop.maxThreadsPerBlock >= 256 && prop.maxGridSize[0] > 65535);
    EXPECT(prop.sharedMemPerBlock >= 32768 && prop.unifiedAddressing && prop.managedMemory);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMaxThreadsPerBlock, device));
    EXPECT(value == prop.maxThreadsPerBlock);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, device));
    EXPECT(value == prop.major);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, device));
    EXPECT(value == prop.multiProcessorCount);
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, device));
    EXPECT(value == 32);
    int *memory = onDevice(std::vector<int>(1));
    architecture<<<1, 1>>>(memory);
    EXPECT(onHost(memory, 1)[0] == prop.major * 100 + prop.minor * 10);
    size_t free = 0, total = 0;
    CALL(cudaMemGetInfo(&free, &total));
    EXPECT(free <= total && total <= prop.totalGlobalMem);
    char bus[32];
    int found = -1;
    CALL(cudaDeviceGetPCIBusId(bus, sizeof(bus), device));
    CALL(cudaDeviceGetByPCIBusId(&found, bus));
    EXPECT(found == device);
  }
}
