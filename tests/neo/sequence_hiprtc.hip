// SPDX-License-Identifier: MIT
// hipRTC in one process with Intel's driver, which brings an LLVM and a clang of its own: each compiles after the other has, and
// the driver takes what hipRTC has made. A module of two kernels is one Level Zero module for an application that asks for it before
// it uses anything else of it, and not afterwards.
#include "sequence.h"
#include <hip/hiprtc.h>
#include <hiplz/interop.h>

#include <string>
#include <vector>

#define MUST_RTC(call)                                                                                                 \
  do {                                                                                                                 \
    const int error = (call);                                                                                          \
    if (error != 0) {                                                                                                  \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error);                                                \
      return 1;                                                                                                        \
    }                                                                                                                  \
  } while (0)

int main() {
  if (int code = requireIntel())
    return code;
  for (int i = 0; i < 3; ++i) {
    const std::string source =
        "template <class T> __global__ void k(T *p) { p[threadIdx.x] = sqrtf(p[threadIdx.x]) + " + std::to_string(i) +
        "; } extern \"C\" __global__ void other() {}";
    hiprtcProgram program;
    MUST_RTC(hiprtcCreateProgram(&program, source.c_str(), "neo.hip", 0, nullptr, nullptr));
    MUST_RTC(hiprtcAddNameExpression(program, "k<float>"));
    MUST_RTC(hiprtcCompileProgram(program, 0, nullptr));
    const char *name;
    MUST_RTC(hiprtcGetLoweredName(program, "k<float>", &name));
    size_t size = 0;
    MUST_RTC(hiprtcGetCodeSize(program, &size));
    std::vector<char> code(size);
    MUST_RTC(hiprtcGetCode(program, code.data()));
    hipModule_t module;
    hipFunction_t function;
    MUST(hipModuleLoadData(&module, code.data()));
    ze_module_handle_t native;
    if (i == 0)
      MUST(hiplzGetNativeModule(module, 0, &native));
    MUST(hipModuleGetFunction(&function, module, name));
    float *data;
    MUST(hipMalloc(&data, 64 * sizeof(float)));
    void *arguments[] = {&data};
    MUST(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    MUST(hipDeviceSynchronize());
    EXPECT(i == 0 ? hipSuccess : hipErrorNotSupported, hiplzGetNativeModule(module, 0, &native));
    MUST(hipFree(data));
    MUST(hipModuleUnload(module));
    MUST_RTC(hiprtcDestroyProgram(&program));
  }
  std::printf("passed\n");
  return 0;
}
