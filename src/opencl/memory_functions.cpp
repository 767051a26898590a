// SPDX-License-Identifier: MIT
// See memory_functions.h.
#include "opencl/memory_functions.h"
#include "opencl/buffer_memory.h"
#include "opencl/device.h"

namespace hiplz::opencl {
namespace {

template <cl_svm_mem_flags kFlags> void *allocateSvm(cl_context context, size_t size, cl_uint alignment, cl_int *code) {
  void *memory = cl().clSVMAlloc(context, CL_MEM_READ_WRITE | kFlags, size, alignment);
  // OpenCL does not say why it fails. CL_INVALID_VALUE makes the caller try without an alignment.
  *code = memory ? CL_SUCCESS : alignment ? CL_INVALID_VALUE : CL_MEM_OBJECT_ALLOCATION_FAILURE;
  return memory;
}

template <cl_svm_mem_flags kFlags>
void *CL_API_CALL svmForDevice(cl_context context, cl_device_id, const cl_mem_properties_intel *, size_t size,
                               cl_uint alignment, cl_int *code) {
  return allocateSvm<kFlags>(context, size, alignment, code);
}

void *CL_API_CALL svmForHost(cl_context context, const cl_mem_properties_intel *, size_t size, cl_uint alignment,
                             cl_int *code) {
  return allocateSvm<CL_MEM_SVM_FINE_GRAIN_BUFFER>(context, size, alignment, code);
}

cl_int CL_API_CALL freeSvm(cl_context context, void *memory) {
  cl().clSVMFree(context, memory);
  return CL_SUCCESS;
}

cl_int CL_API_CALL freeSvmOrHost(cl_context context, void *memory) {
  return freeHostMemory(memory) ? CL_SUCCESS : freeSvm(context, memory);
}

cl_int allowSvm(cl_kernel kernel, size_t count, void *const *bases) {
  return cl().clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, count * sizeof *bases, bases);
}

MemoryFunctions svmFunctions(bool isFine) {
  MemoryFunctions functions;
  functions.allocHost = isFine ? svmForHost : allocateHostMemory;
  functions.allocDevice = isFine ? svmForDevice<CL_MEM_SVM_FINE_GRAIN_BUFFER> : svmForDevice<0>;
  functions.allocShared = isFine ? svmForDevice<CL_MEM_SVM_FINE_GRAIN_BUFFER> : refuseSharedMemory;
  functions.free = isFine ? freeSvm : freeSvmOrHost;
  functions.setPointer = cl().clSetKernelArgSVMPointer;
  functions.fill = cl().clEnqueueSVMMemFill;
  functions.copy = cl().clEnqueueSVMMemcpy;
  functions.allow = allowSvm;
  return functions;
}

MemoryFunctions unifiedFunctions(cl_platform_id platform) {
  MemoryFunctions functions;
  findFunction(functions.allocHost, platform, "clHostMemAllocINTEL");
  findFunction(functions.allocDevice, platform, "clDeviceMemAllocINTEL");
  findFunction(functions.allocShared, platform, "clSharedMemAllocINTEL");
  findFunction(functions.free, platform, "clMemFreeINTEL");
  findFunction(functions.setPointer, platform, "clSetKernelArgMemPointerINTEL");
  findFunction(functions.fill, platform, "clEnqueueMemFillINTEL");
  findFunction(functions.copy, platform, "clEnqueueMemcpyINTEL");
  return functions;
}

} // namespace

MemoryAccess memoryAccessOf(const Device &device) {
  if (device.hasExtension("cl_intel_unified_shared_memory") &&
      device.info<cl_bitfield>(CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL))
    return MemoryAccess::unified;
  const auto svm = device.info<cl_device_svm_capabilities>(CL_DEVICE_SVM_CAPABILITIES);
  if (svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)
    return MemoryAccess::fineSvm;
  if (device.hasExtension("cl_ext_buffer_device_address"))
    return MemoryAccess::bufferAddresses;
  return svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER ? MemoryAccess::coarseSvm : MemoryAccess::none;
}

MemoryFunctions memoryFunctionsOf(cl_platform_id platform, MemoryAccess access) {
  MemoryFunctions functions = access == MemoryAccess::unified           ? unifiedFunctions(platform)
                              : access == MemoryAccess::bufferAddresses ? bufferFunctions(platform)
                                                                        : svmFunctions(access == MemoryAccess::fineSvm);
  findFunction(functions.variable, platform, "clGetDeviceGlobalVariablePointerINTEL");
  return functions;
}

} // namespace hiplz::opencl
