// SPDX-License-Identifier: MIT
// A libOpenCL.so.1 in front of the real one, HIPLZ_TEST_OPENCL, whose devices lack what HIPLZ_TEST_LACKING names, with blanks between the
// words: doubles, halfs, subgroups, votes (they list it, and refuse modules with it) and variables (no function tells where
// a program's variables are). The driver on OpenCL is tested with it.
#define CL_TARGET_OPENCL_VERSION 300
#include "base/spirv_words.h"

#include <CL/cl.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <string>
#include <string_view>

namespace {

void *real(const char *name) {
  static void *const library = [] {
    const char *path = std::getenv("HIPLZ_TEST_OPENCL");
    void *opened = dlopen(path ? path : "", RTLD_NOW | RTLD_LOCAL);
    if (!opened) {
      std::fprintf(stderr, "HIPLZ_TEST_OPENCL: %s\n", dlerror());
      std::abort();
    }
    return opened;
  }();
  void *function = dlsym(library, name);
  if (!function) {
    std::fprintf(stderr, "OpenCL has no %s\n", name);
    std::abort();
  }
  return function;
}

std::string lacking() {
  const char *words = std::getenv("HIPLZ_TEST_LACKING");
  return words ? " " + std::string(words) + " " : "";
}
bool lacks(std::string_view what) { return lacking().find(" " + std::string(what) + " ") != std::string::npos; }

bool isRefused(uint32_t capability) {
  switch (capability) {
  case spv::CapabilityFloat64: return lacks("doubles");
  case spv::CapabilityFloat16:
  case spv::CapabilityFloat16Buffer: return lacks("halfs");
  case spv::CapabilitySubgroupDispatch:
  case spv::CapabilityGroupNonUniformShuffle: return lacks("subgroups");
  case spv::CapabilityGroupNonUniformVote: return lacks("votes");
  default: return false;
  }
}

} // namespace

// The functions that are passed on jump to the real ones, whose addresses are found when the library is opened.
#define HIPLZ_CL(name)                                                                                                 \
  extern "C" {                                                                                                         \
  __attribute__((visibility("hidden"))) void *real_##name;                                                             \
  }                                                                                                                    \
  namespace {                                                                                                          \
  __attribute__((constructor)) void find_##name() { real_##name = real(#name); }                                       \
  }
#include "opencl/cl_functions.def"
#undef HIPLZ_CL

// Those that are not here for other reasons stand below.
#define HIPLZ_PASS_ON(name)                                                                                            \
  asm(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\n jmp *real_" #name "(%rip)\n.size " #name      \
      ", .-" #name "\n");
HIPLZ_PASS_ON(clGetPlatformIDs)
HIPLZ_PASS_ON(clGetPlatformInfo)
HIPLZ_PASS_ON(clGetDeviceIDs)
HIPLZ_PASS_ON(clGetDeviceAndHostTimer)
HIPLZ_PASS_ON(clCreateContext)
HIPLZ_PASS_ON(clReleaseContext)
HIPLZ_PASS_ON(clCreateCommandQueueWithProperties)
HIPLZ_PASS_ON(clReleaseCommandQueue)
HIPLZ_PASS_ON(clFinish)
HIPLZ_PASS_ON(clFlush)
HIPLZ_PASS_ON(clCreateProgramWithBinary)
HIPLZ_PASS_ON(clSetProgramSpecializationConstant)
HIPLZ_PASS_ON(clBuildProgram)
HIPLZ_PASS_ON(clGetProgramInfo)
HIPLZ_PASS_ON(clGetProgramBuildInfo)
HIPLZ_PASS_ON(clReleaseProgram)
HIPLZ_PASS_ON(clCreateKernel)
HIPLZ_PASS_ON(clReleaseKernel)
HIPLZ_PASS_ON(clGetKernelInfo)
HIPLZ_PASS_ON(clGetKernelWorkGroupInfo)
HIPLZ_PASS_ON(clGetKernelSubGroupInfo)
HIPLZ_PASS_ON(clSetKernelArg)
HIPLZ_PASS_ON(clSetKernelExecInfo)
HIPLZ_PASS_ON(clEnqueueNDRangeKernel)
HIPLZ_PASS_ON(clEnqueueBarrierWithWaitList)
HIPLZ_PASS_ON(clEnqueueMarkerWithWaitList)
HIPLZ_PASS_ON(clCreateUserEvent)
HIPLZ_PASS_ON(clSetUserEventStatus)
HIPLZ_PASS_ON(clSetEventCallback)
HIPLZ_PASS_ON(clGetEventInfo)
HIPLZ_PASS_ON(clWaitForEvents)
HIPLZ_PASS_ON(clGetEventProfilingInfo)
HIPLZ_PASS_ON(clRetainEvent)
HIPLZ_PASS_ON(clReleaseEvent)

#define HIPLZ_EXPORT extern "C" __attribute__((visibility("default")))
#define HIPLZ_REAL(name) reinterpret_cast<decltype(&::name)>(real_##name)

/// Another version of the implementation, because the driver remembers what it has found out about this one.
HIPLZ_EXPORT cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                                size_t *out) {
  if (what != CL_DRIVER_VERSION)
    return HIPLZ_REAL(clGetDeviceInfo)(device, what, size, value, out);
  char version[256] = "";
  if (const cl_int code = HIPLZ_REAL(clGetDeviceInfo)(device, what, sizeof version, version, nullptr))
    return code;
  const std::string text = std::string(version) + " without" + lacking();
  if (out)
    *out = text.size() + 1;
  if (value && size <= text.size())
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

HIPLZ_EXPORT void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  if (lacks("variables") && std::string_view(name) == "clGetDeviceGlobalVariablePointerINTEL")
    return nullptr;
  return HIPLZ_REAL(clGetExtensionFunctionAddressForPlatform)(platform, name);
}

HIPLZ_EXPORT cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *module, size_t size,
                                                          cl_int *code) {
  using namespace hiplz::spirv;
  const Words words({static_cast<const std::byte *>(module), size});
  for (size_t at = kHeaderWords; at < words.count();) {
    const Instruction in(words, at);
    const bool isVariable =
        in.whole() && in.op() == spv::OpVariable && in.operands() > 2 && in[2] == spv::StorageClassCrossWorkgroup;
    if (!in.whole() || (in.op() == spv::OpCapability && isRefused(in[0])) || (isVariable && lacks("variables"))) {
      if (code)
        *code = CL_INVALID_VALUE;
      return nullptr;
    }
    if (in.op() == spv::OpFunction)
      break;
    at = in.end();
  }
  return HIPLZ_REAL(clCreateProgramWithIL)(context, module, size, code);
}
