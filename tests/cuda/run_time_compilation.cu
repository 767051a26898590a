// SPDX-License-Identifier: MIT
// NVRTC and the driver API: a kernel compiled from text, loaded as a module, launched by the driver's functions.
#include "check.h"
#include <cstring>
#include <cuda.h>
#include <nvrtc.h>
#include <string>

#define DRIVER(call) EXPECT((call) == CUDA_SUCCESS)

// It has CUDA's headers and built-in functions, and may define what CUDA does not have.
static const char *const kSource = R"(
#include <cooperative_groups.h>
__device__ float atomicMin(float *address, float value) { return *address = fminf(*address, value); }
static_assert(sizeof(__activemask()) == 4, "masks have 32 bits");
__constant__ float offset;
template <class T> __global__ void scale(T *data, T factor, int count) {
  const int i = cooperative_groups::this_grid().thread_rank();
  int next;
  asm("add.s32 %0, %1, 1;" : "=r"(next) : "r"(i));
  if (next <= count)
    data[i] = data[i] * factor + OFFSET_SIGN offset;
}
)";

int main() {
  DRIVER(cuInit(0));
  int devices = 0, major = 0;
  DRIVER(cuDeviceGetCount(&devices));
  CUdevice device;
  CUcontext context;
  DRIVER(cuDeviceGet(&device, 0));
  char name[100];
  DRIVER(cuDeviceGetName(name, sizeof(name), device));
  DRIVER(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
  DRIVER(cuCtxCreate(&context, 0, device));
  EXPECT(devices > 0 && std::strlen(name) > 0 && major >= 6);

  nvrtcProgram program;
  EXPECT(nvrtcCreateProgram(&program, kSource, "scale.cu", 0, nullptr, nullptr) == NVRTC_SUCCESS);
  EXPECT(nvrtcAddNameExpression(program, "scale<float>") == NVRTC_SUCCESS);
  const char *options[] = {"--gpu-architecture=compute_60", "-DOFFSET_SIGN=-", "--std=c++14"};
  const nvrtcResult result = nvrtcCompileProgram(program, 3, options);
  size_t logSize = 0, codeSize = 0;
  EXPECT(nvrtcGetProgramLogSize(program, &logSize) == NVRTC_SUCCESS);
  std::string log(logSize, '\0');
  nvrtcGetProgramLog(program, &log[0]);
  if (result != NVRTC_SUCCESS)
    std::fprintf(stderr, "%s: %s\n", nvrtcGetErrorString(result), log.c_str());
  EXPECT(result == NVRTC_SUCCESS);
  EXPECT(nvrtcGetPTXSize(program, &codeSize) == NVRTC_SUCCESS);
  std::string code(codeSize, '\0');
  EXPECT(nvrtcGetPTX(program, &code[0]) == NVRTC_SUCCESS);
  const char *lowered = nullptr;
  EXPECT(nvrtcGetLoweredName(program, "scale<float>", &lowered) == NVRTC_SUCCESS);

  CUmodule module;
  CUfunction kernel;
  DRIVER(cuModuleLoadData(&module, code.data()));
  DRIVER(cuModuleGetFunction(&kernel, module, lowered));
  EXPECT(nvrtcDestroyProgram(&program) == NVRTC_SUCCESS);
  CUdeviceptr data, offset;
  size_t size = 0;
  const float one = 1;
  DRIVER(cuModuleGetGlobal(&offset, &size, module, "offset"));
  EXPECT(size == sizeof(float));
  DRIVER(cuMemcpyHtoD(offset, (void *)&one, size));
  int count = 200;
  std::vector<float> values(count, 4);
  float factor = 2.5f;
  DRIVER(cuMemAlloc(&data, count * sizeof(float)));
  DRIVER(cuMemcpyHtoD(data, values.data(), count * sizeof(float)));
  void *arguments[] = {&data, &factor, &count};
  CUstream stream;
  DRIVER(cuStreamCreate(&stream, CU_STREAM_DEFAULT));
  DRIVER(cuLaunchKernel(kernel, (count + 63) / 64, 1, 1, 64, 1, 1, 0, stream, arguments, nullptr));
  DRIVER(cuStreamSynchronize(stream));
  DRIVER(cuMemcpyDtoH(values.data(), data, count * sizeof(float)));
  for (float value : values)
    EXPECT(value == 9);

  // The same launch from a structure
  CUlaunchAttribute attributes[2] = {};
  attributes[0].id = CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION;
  attributes[0].value.programmaticStreamSerializationAllowed = 1;
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_COOPERATIVE;
  CUlaunchConfig launch = {};
  launch.gridDimX = (count + 63) / 64, launch.gridDimY = launch.gridDimZ = 1;
  launch.blockDimX = 64, launch.blockDimY = launch.blockDimZ = 1;
  launch.hStream = stream, launch.attrs = attributes, launch.numAttrs = 2;
  DRIVER(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1024));
  EXPECT(cuFuncSetAttribute(kernel, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, 1 << 30) ==
         CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuLaunchKernelEx(&launch, kernel, arguments, nullptr));
  DRIVER(cuStreamSynchronize(stream));
  float again = 0;
  DRIVER(cuMemcpyDtoH(&again, data, sizeof again));
  EXPECT(again != values[0]);
  attributes[1].value.cooperative = 1;
  DRIVER(cuLaunchKernelEx(&launch, kernel, arguments, nullptr));
  DRIVER(cuStreamSynchronize(stream));
  attributes[1].id = CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION;
  attributes[1].value.clusterDim.x = 2;
  EXPECT(cuLaunchKernelEx(&launch, kernel, arguments, nullptr) == CUDA_ERROR_NOT_SUPPORTED);
  attributes[1].id = (CUlaunchAttributeID)99;
  EXPECT(cuLaunchKernelEx(&launch, kernel, arguments, nullptr) == CUDA_ERROR_INVALID_VALUE);
  DRIVER(cuMemFree(data));
  DRIVER(cuModuleUnload(module));
  DRIVER(cuCtxDestroy(context));
}
