// SPDX-License-Identifier: MIT
// How kernels of an OpenCL platform reach memory by its address. Unified shared memory is one way; core OpenCL has shared virtual
// memory, and an extension gives addresses to buffers. All of them get the form of unified shared memory, so that the rest of the driver
// knows one.
#pragma once
#include "opencl/cl_api.h"

namespace hiplz::opencl {

class Device;

/// Best first. In the last two, kernels and the host share no memory: what the host has must be copied.
enum class MemoryAccess { unified, fineSvm, bufferAddresses, coarseSvm, none };

/// True if kernels reach memory of the host, and the host memory that it shares with them.
inline bool sharesWithHost(MemoryAccess access) {
  return access == MemoryAccess::unified || access == MemoryAccess::fineSvm;
}

/// The functions of cl_intel_unified_shared_memory, or others of the same form, and of Intel's program variables. Each platform has its own.
struct MemoryFunctions {
  clHostMemAllocINTEL_fn allocHost = nullptr;
  clDeviceMemAllocINTEL_fn allocDevice = nullptr;
  clSharedMemAllocINTEL_fn allocShared = nullptr;
  /// Does not wait: who frees memory has seen its commands end. PoCL's clMemBlockingFreeINTEL ends the process if another thread
  /// destroys a queue.
  clMemFreeINTEL_fn free = nullptr;
  clSetKernelArgMemPointerINTEL_fn setPointer = nullptr;
  cl_int(CL_API_CALL *setAddress)(cl_kernel, cl_uint, cl_ulong) = nullptr; ///< in place of setPointer
  clEnqueueMemFillINTEL_fn fill = nullptr;
  clEnqueueMemcpyINTEL_fn copy = nullptr;
  /// Allows a kernel to follow pointers to these allocations, or to buffers at these addresses. Null: not needed.
  cl_int (*allow)(cl_kernel, size_t count, void *const *bases) = nullptr;
  /// Address and size of a program's variable; null if the platform cannot tell.
  cl_int(CL_API_CALL *variable)(cl_device_id, cl_program, const char *, size_t *, void **) = nullptr;

  cl_int setArgument(cl_kernel kernel, cl_uint index, const void *pointer) const {
    return setAddress ? setAddress(kernel, index, reinterpret_cast<cl_ulong>(pointer))
                      : setPointer(kernel, index, pointer);
  }
  explicit operator bool() const {
    return allocHost && allocDevice && allocShared && free && (setPointer || setAddress) && fill && copy;
  }
};

template <class Function> void findFunction(Function &function, cl_platform_id platform, const char *name) {
  function = reinterpret_cast<Function>(cl().clGetExtensionFunctionAddressForPlatform(platform, name));
}

/// The best way of a device, by what it lists.
MemoryAccess memoryAccessOf(const Device &device);
/// False if the platform lacks a function.
MemoryFunctions memoryFunctionsOf(cl_platform_id platform, MemoryAccess access);

} // namespace hiplz::opencl
