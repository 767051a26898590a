// SPDX-License-Identifier: MIT
// A libOpenCL.so.1 in front of the real one, HIPLZ_TEST_OPENCL, whose devices lack what HIPLZ_TEST_LACKING names, with blanks between the
// words: doubles, halfs, subgroups, votes (they list it, and refuse modules with it), variables (no function tells where
// a program's variables are), unified (shared memory), fine (shared virtual memory) and coarse. HIPLZ_TEST_BUFFERS=1 adds addresses of
// buffers (cl_ext_buffer_device_address), made of shared virtual memory. The driver on OpenCL is tested with it.
#define CL_TARGET_OPENCL_VERSION 300
#include "spirv/words.h"

#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <map>
#include <mutex>
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
HIPLZ_CL(clCreateBufferWithProperties)
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
HIPLZ_PASS_ON(clEnqueueReadBuffer)
HIPLZ_PASS_ON(clEnqueueWriteBuffer)
HIPLZ_PASS_ON(clEnqueueCopyBuffer)
HIPLZ_PASS_ON(clEnqueueFillBuffer)
HIPLZ_PASS_ON(clCreateBuffer)
HIPLZ_PASS_ON(clGetCommandQueueInfo)
HIPLZ_PASS_ON(clGetContextInfo)
HIPLZ_PASS_ON(clSVMAlloc)
HIPLZ_PASS_ON(clSVMFree)
HIPLZ_PASS_ON(clSetKernelArgSVMPointer)
HIPLZ_PASS_ON(clEnqueueSVMMemcpy)
HIPLZ_PASS_ON(clEnqueueSVMMemFill)

#define HIPLZ_EXPORT extern "C" __attribute__((visibility("default")))
#define HIPLZ_REAL(name) reinterpret_cast<decltype(&::name)>(real_##name)

namespace {

/// A text of OpenCL with more behind it, by the rules of its queries.
template <class Get>
cl_int append(const std::string &more, cl_int code, size_t size, void *value, size_t *out, Get get) {
  std::string text(8192, 0);
  if (code == CL_SUCCESS)
    code = get(text.size(), text.data());
  if (code != CL_SUCCESS)
    return code;
  text = text.c_str() + more;
  if (out)
    *out = text.size() + 1;
  if (value && size <= text.size())
    return CL_INVALID_VALUE;
  if (value)
    std::memcpy(value, text.c_str(), text.size() + 1);
  return CL_SUCCESS;
}

constexpr cl_mem_properties kPrivateAddress = 0x5000;
constexpr cl_mem_info kDeviceAddress = 0x5001;
constexpr cl_kernel_exec_info kAllowedAddresses = 0x5002;

bool hasBufferAddresses() { return std::getenv("HIPLZ_TEST_BUFFERS"); }

/// The memory behind buffers with addresses.
struct Addresses {
  std::mutex mutex;
  std::map<cl_mem, std::pair<cl_context, void *>> memory;
};
Addresses &addresses() {
  static auto *all = new Addresses;
  return *all;
}

cl_int CL_API_CALL setArgumentToAddress(cl_kernel kernel, cl_uint index, cl_ulong address) {
  return HIPLZ_REAL(clSetKernelArgSVMPointer)(kernel, index, reinterpret_cast<void *>(address));
}

} // namespace

HIPLZ_EXPORT cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context, const cl_mem_properties *properties,
                                                             cl_mem_flags flags, size_t size, void *host,
                                                             cl_int *code) {
  if (!hasBufferAddresses() || !properties || properties[0] != kPrivateAddress)
    return HIPLZ_REAL(clCreateBufferWithProperties)(context, properties, flags, size, host, code);
  void *memory = HIPLZ_REAL(clSVMAlloc)(context, flags, size, 0);
  if (!memory) {
    *code = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    return nullptr;
  }
  cl_mem buffer = HIPLZ_REAL(clCreateBuffer)(context, flags | CL_MEM_USE_HOST_PTR, size, memory, code);
  const std::lock_guard lock(addresses().mutex);
  if (buffer)
    addresses().memory[buffer] = {context, memory};
  return buffer;
}

HIPLZ_EXPORT cl_int CL_API_CALL clReleaseMemObject(cl_mem buffer) {
  std::pair<cl_context, void *> memory;
  {
    const std::lock_guard lock(addresses().mutex);
    if (const auto found = addresses().memory.find(buffer); found != addresses().memory.end()) {
      memory = found->second;
      addresses().memory.erase(found);
    }
  }
  const cl_int code = HIPLZ_REAL(clReleaseMemObject)(buffer);
  if (memory.second)
    HIPLZ_REAL(clSVMFree)(memory.first, memory.second);
  return code;
}

HIPLZ_EXPORT cl_int CL_API_CALL clGetMemObjectInfo(cl_mem buffer, cl_mem_info what, size_t size, void *value,
                                                   size_t *out) {
  if (what != kDeviceAddress)
    return HIPLZ_REAL(clGetMemObjectInfo)(buffer, what, size, value, out);
  const std::lock_guard lock(addresses().mutex);
  if (out)
    *out = sizeof(cl_ulong); // of one device
  if (value)
    std::memcpy(value, &addresses().memory[buffer].second, sizeof(cl_ulong));
  return CL_SUCCESS;
}

HIPLZ_EXPORT cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info what, size_t size,
                                                    const void *value) {
  return HIPLZ_REAL(clSetKernelExecInfo)(kernel, what == kAllowedAddresses ? CL_KERNEL_EXEC_INFO_SVM_PTRS : what, size,
                                         value);
}

/// Another version of the implementation, because the driver remembers what it has found out about this one.
HIPLZ_EXPORT cl_int CL_API_CALL clGetDeviceInfo(cl_device_id device, cl_device_info what, size_t size, void *value,
                                                size_t *out) {
  const cl_int result =
      what == CL_DRIVER_VERSION ? CL_SUCCESS : HIPLZ_REAL(clGetDeviceInfo)(device, what, size, value, out);
  if (what == CL_DEVICE_SVM_CAPABILITIES && result == CL_SUCCESS && value) {
    cl_device_svm_capabilities has;
    std::memcpy(&has, value, sizeof has);
    if (lacks("fine"))
      has &= CL_DEVICE_SVM_COARSE_GRAIN_BUFFER;
    if (lacks("coarse"))
      has = 0;
    std::memcpy(value, &has, sizeof has);
  }
  if (what == CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL && lacks("unified"))
    return CL_INVALID_VALUE;
  if (what == CL_DEVICE_EXTENSIONS && hasBufferAddresses())
    return append(" cl_ext_buffer_device_address", result, size, value, out, [&](size_t bytes, void *to) {
      return HIPLZ_REAL(clGetDeviceInfo)(device, what, bytes, to, nullptr);
    });
  if (what != CL_DRIVER_VERSION)
    return result;
  return append(" without" + lacking(), result, size, value, out,
                [&](size_t bytes, void *to) { return HIPLZ_REAL(clGetDeviceInfo)(device, what, bytes, to, nullptr); });
}

HIPLZ_EXPORT void *CL_API_CALL clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *name) {
  if (hasBufferAddresses() && std::string_view(name) == "clSetKernelArgDevicePointerEXT")
    return reinterpret_cast<void *>(setArgumentToAddress);
  if (lacks("variables") && std::string_view(name) == "clGetDeviceGlobalVariablePointerINTEL")
    return nullptr;
  return HIPLZ_REAL(clGetExtensionFunctionAddressForPlatform)(platform, name);
}

HIPLZ_EXPORT cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *module, size_t size,
                                                          cl_int *code) {
  using namespace hiplz::spirv;
  const Words words({static_cast<const std::byte *>(module), size});
  bool reachedFunctions = false;
  const size_t end = walk(words, [&](const Instruction &in) {
    const bool isVariable = in.op() == spv::OpVariable && in.operands() > 2 && in[2] == spv::StorageClassCrossWorkgroup;
    reachedFunctions = in.op() == spv::OpFunction;
    return !reachedFunctions && !(in.op() == spv::OpCapability && isRefused(in[0])) &&
           !(isVariable && lacks("variables"));
  });
  if (end < words.count() && !reachedFunctions) {
    if (code)
      *code = CL_INVALID_VALUE;
    return nullptr;
  }
  return HIPLZ_REAL(clCreateProgramWithIL)(context, module, size, code);
}
