// hipRTC in one process with Intel's driver, which brings an LLVM and a clang of its own: each compiles after the other has, and
// the driver takes what hipRTC has made.
#include <hip/hip_runtime.h>
#include <hip/hiprtc.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#define MUST(call)                                                                            \
  do {                                                                                        \
    const int error = (call);                                                                 \
    if (error != 0) {                                                                         \
      std::printf("%s:%d: %s: %d\n", __FILE__, __LINE__, #call, error);                       \
      return 1;                                                                               \
    }                                                                                         \
  } while (0)

int main() {
  int count = 0;
  if (hipGetDeviceCount(&count) == hipErrorNoDevice) {
    std::printf("SKIP: Intel's Level Zero driver (intel-opencl-icd) shows no device\n");
    return 77;
  }
  hipDeviceProp_t properties;
  MUST(hipGetDeviceProperties(&properties, 0));
  if (!std::strstr(properties.name, "Intel")) {
    std::printf("this is not Intel's driver\n");
    return 1;
  }
  for (int i = 0; i < 3; ++i) {
    const std::string source = "template <class T> __global__ void k(T *p) { p[threadIdx.x] = sqrtf(p[threadIdx.x]) + " +
                               std::to_string(i) + "; }";
    hiprtcProgram program;
    MUST(hiprtcCreateProgram(&program, source.c_str(), "neo.hip", 0, nullptr, nullptr));
    MUST(hiprtcAddNameExpression(program, "k<float>"));
    MUST(hiprtcCompileProgram(program, 0, nullptr));
    const char *name;
    MUST(hiprtcGetLoweredName(program, "k<float>", &name));
    size_t size = 0;
    MUST(hiprtcGetCodeSize(program, &size));
    std::vector<char> code(size);
    MUST(hiprtcGetCode(program, code.data()));
    hipModule_t module;
    hipFunction_t function;
    MUST(hipModuleLoadData(&module, code.data()));
    MUST(hipModuleGetFunction(&function, module, name));
    float *data;
    MUST(hipMalloc(&data, 64 * sizeof(float)));
    void *arguments[] = {&data};
    MUST(hipModuleLaunchKernel(function, 1, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr));
    MUST(hipDeviceSynchronize());
    MUST(hipFree(data));
    MUST(hipModuleUnload(module));
    MUST(hiprtcDestroyProgram(&program));
  }
  std::printf("passed\n");
  return 0;
}
