// SPDX-License-Identifier: MIT
// Libraries of HIP 7 and their kernels: loaded from memory and from a file, counted, named and launched.
#include "check.h"

#include <hip/hiprtc.h>

#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

namespace {

// AMD's headers have overloads for pointers to pointers.
hipJitOption *const noOptions = nullptr;
hipLibraryOption *const noLibraryOptions = nullptr;

// In a process of HIP 7, kernels are sources of HIP 7: a vector of one value has zeros behind it.
std::vector<char> compiledCode() {
  const char *source = "__device__ int counted = 7;\n"
                       "__managed__ int together = 9;\n"
                       "extern \"C\" __global__ void add(int *to, int n) { to[threadIdx.x] += n; }\n"
                       "extern \"C\" __global__ void multiply(int *to, int n) { to[threadIdx.x] *= n + int2(5).y; }\n";
  hiprtcProgram program;
  size_t bytes = 0;
  CHECK(hiprtcCreateProgram(&program, source, "library", 0, nullptr, nullptr) == HIPRTC_SUCCESS);
  CHECK(hiprtcCompileProgram(program, 0, nullptr) == HIPRTC_SUCCESS);
  CHECK(hiprtcGetCodeSize(program, &bytes) == HIPRTC_SUCCESS);
  std::vector<char> code(bytes);
  CHECK(hiprtcGetCode(program, code.data()) == HIPRTC_SUCCESS);
  CHECK(hiprtcDestroyProgram(&program) == HIPRTC_SUCCESS);
  return code;
}

#ifdef HIPLZ_HIP_VERSION // AMD's headers of HIP 7.2 do not have these
void checkLaterFunctions(hipLibrary_t library, hipKernel_t add, int *memory) {
  hipDeviceptr_t address = nullptr;
  size_t bytes = 0, offset = 1;
  int value = 0;
  HIP_CHECK(hipLibraryGetGlobal(&address, &bytes, library, "counted"));
  HIP_CHECK(hipMemcpy(&value, address, sizeof value, hipMemcpyDeviceToHost));
  CHECK_EQ(bytes, sizeof(int));
  CHECK_EQ(value, 7);
  CHECK(hipLibraryGetManaged(&address, &bytes, library, "counted") == hipErrorNotFound);
  CHECK(hipLibraryGetGlobal(&address, &bytes, library, "absent") == hipErrorNotFound);
  CHECK(hipLibraryGetGlobal(nullptr, nullptr, library, "counted") == hipErrorInvalidValue);
  CHECK(hipLibraryGetGlobal(&address, &bytes, nullptr, "counted") == hipErrorInvalidValue);
  HIP_CHECK(hipLibraryGetManaged(&address, nullptr, library, "together"));
  CHECK_EQ(*static_cast<int *>(address), 9);

  HIP_CHECK(hipKernelGetParamInfo(add, 0, &offset, nullptr));
  CHECK_EQ(offset, 0u);
  HIP_CHECK(hipKernelGetParamInfo(add, 1, &offset, &bytes));
  CHECK_EQ(offset, sizeof(int *));
  CHECK_EQ(bytes, sizeof(int));
  CHECK(hipKernelGetParamInfo(add, 2, &offset, &bytes) == hipErrorInvalidValue);
  CHECK(hipKernelGetParamInfo(add, 0, nullptr, &bytes) == hipErrorInvalidValue);

  HIP_CHECK(hipKernelGetAttribute(&value, HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, add, 0));
  CHECK(value >= 256);
  HIP_CHECK(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, 50, add, 0));
  HIP_CHECK(hipKernelGetAttribute(&value, HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT, add, 0));
  CHECK_EQ(value, 50);
  CHECK(hipKernelSetAttribute(HIP_FUNC_ATTRIBUTE_NUM_REGS, 50, add, 0) == hipErrorInvalidValue);
  CHECK(hipKernelGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, add, 1000) == hipErrorInvalidDevice);
  CHECK(hipKernelGetAttribute(&value, HIP_FUNC_ATTRIBUTE_NUM_REGS, nullptr, 0) == hipErrorInvalidResourceHandle);

  hipFunction_t function;
  HIP_CHECK(hipKernelGetFunction(&function, add));
  CHECK(hipKernelGetFunction(nullptr, add) == hipErrorInvalidValue);
  HIP_CHECK(hipMemset(memory, 0, sizeof(int)));
  void *arguments[] = {&memory, &value};
  HIP_CHECK(hipModuleLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr));
  HIP_CHECK(hipMemcpy(&value, memory, sizeof value, hipMemcpyDeviceToHost));
  CHECK_EQ(value, 50);
}
#endif

void checkLibrary(hipLibrary_t library) {
  unsigned count = 0;
  HIP_CHECK(hipLibraryGetKernelCount(&count, library));
  CHECK(count == 2);
  std::vector<hipKernel_t> kernels(3, nullptr);
  HIP_CHECK(hipLibraryEnumerateKernels(kernels.data(), 3, library));
  std::set<std::string> names;
  for (size_t at = 0; at < 2; ++at) {
    const char *name = nullptr;
    hipLibrary_t owner = nullptr;
    HIP_CHECK(hipKernelGetName(&name, kernels[at]));
    HIP_CHECK(hipKernelGetLibrary(&owner, kernels[at]));
    CHECK(owner == library);
    names.insert(name);
  }
  CHECK(names == (std::set<std::string>{"add", "multiply"}));
  CHECK(!kernels[2]);
  std::vector<hipKernel_t> one(2, nullptr);
  HIP_CHECK(hipLibraryEnumerateKernels(one.data(), 1, library));
  CHECK(one[0] && !one[1]);

  hipKernel_t add, multiply, none;
  HIP_CHECK(hipLibraryGetKernel(&add, library, "add"));
  HIP_CHECK(hipLibraryGetKernel(&multiply, library, "multiply"));
  CHECK(hipLibraryGetKernel(&none, library, "divide") == hipErrorNotFound);
  CHECK(hipLibraryGetKernel(nullptr, library, "add") == hipErrorInvalidValue);
  int *memory, host[8], operand = 3;
  HIP_CHECK(hipMalloc(&memory, sizeof host));
  HIP_CHECK(hipMemset(memory, 0, sizeof host));
  void *arguments[] = {&memory, &operand};
  hipLaunchConfig_t config{};
  config.gridDim = dim3(1);
  config.blockDim = dim3(8);
  // A kernel stands for a host function, and for a function of a module.
  HIP_CHECK(hipLaunchKernelExC(&config, add, arguments));
  HIP_CHECK(hipModuleLaunchKernel(reinterpret_cast<hipFunction_t>(multiply), 1, 1, 1, 8, 1, 1, 0, nullptr, arguments,
                                  nullptr));
  HIP_CHECK(hipLaunchKernel(static_cast<const void *>(add), dim3(1), dim3(8), arguments, 0, nullptr));
  HIP_CHECK(hipMemcpy(host, memory, sizeof host, hipMemcpyDeviceToHost));
  for (int value : host)
    CHECK(value == 3 * 3 + 3);
#ifdef HIPLZ_HIP_VERSION
  checkLaterFunctions(library, add, memory);
#endif
  HIP_CHECK(hipFree(memory));
}

} // namespace

int main() {
  std::vector<char> code = compiledCode();
  hipLibrary_t library;
  hipLibraryOption option = hipLibraryBinaryIsPreserved;
  void *value = nullptr;
  HIP_CHECK(hipLibraryLoadData(&library, code.data(), noOptions, nullptr, 0, &option, &value, 1));
  checkLibrary(library);
  hipKernel_t kernel;
  HIP_CHECK(hipLibraryGetKernel(&kernel, library, "add"));
  HIP_CHECK(hipLibraryUnload(library));
  CHECK(hipLibraryUnload(library) == hipErrorInvalidValue);
  unsigned count = 0;
  const char *name = nullptr;
  CHECK(hipLibraryGetKernelCount(&count, library) == hipErrorInvalidValue);
  CHECK(hipKernelGetName(&name, kernel) == hipErrorInvalidValue);

  const char *file = "hiprtc_libraries.code";
  std::ofstream(file, std::ios::binary).write(code.data(), static_cast<std::streamsize>(code.size()));
  HIP_CHECK(hipLibraryLoadFromFile(&library, file, noOptions, nullptr, 0, noLibraryOptions, nullptr, 0));
  std::remove(file);
  checkLibrary(library);
  HIP_CHECK(hipLibraryUnload(library));

  hipModule_t module;
  HIP_CHECK(hipModuleLoadFatBinary(&module, code.data()));
  HIP_CHECK(hipModuleGetFunctionCount(&count, module));
  CHECK(count == 2);
  HIP_CHECK(hipModuleUnload(module));

  code[0] = 'x';
  CHECK(hipLibraryLoadData(&library, code.data(), noOptions, nullptr, 0, noLibraryOptions, nullptr, 0) ==
        hipErrorInvalidImage);
  option = static_cast<hipLibraryOption>(9);
  CHECK(hipLibraryLoadData(&library, code.data(), noOptions, nullptr, 0, &option, &value, 1) == hipErrorInvalidValue);
  CHECK(hipLibraryLoadFromFile(&library, "no such file", noOptions, nullptr, 0, noLibraryOptions, nullptr, 0) ==
        hipErrorFileNotFound);
  return testResult();
}
