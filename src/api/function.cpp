// SPDX-License-Identifier: MIT
// The attributes of kernels.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_properties.h"
#include "api/library_kernel.h"
#include "lz/module/kernel.h"
#include "lz/module/registry.h"

using namespace hiplz;

namespace {

hipFuncAttributes attributesOf(const LZKernel &kernel, LZDevice &device) {
  const KernelResources resources = kernel.resources(device);
  const int dynamicRequest = kernel.dynamicSharedRequest, carveoutRequest = kernel.carveoutRequest;
  hipFuncAttributes attributes{};
  int major = 0, minor = 0; // code is compiled for the device that it is loaded on
  hipAttribute(device, hipDeviceAttributeComputeCapabilityMajor, major);
  hipAttribute(device, hipDeviceAttributeComputeCapabilityMinor, minor);
  attributes.binaryVersion = attributes.ptxVersion = 10 * major + minor;
  attributes.constSizeBytes = LZRegistry::instance().constantBytes(kernel.module());
  attributes.localSizeBytes = resources.privateBytes;
  attributes.numRegs = static_cast<int>(resources.registers);
  attributes.sharedSizeBytes = resources.sharedBytes;
  attributes.maxThreadsPerBlock = static_cast<int>(resources.maxThreadsPerBlock);
  attributes.maxDynamicSharedSizeBytes =
      dynamicRequest >= 0 ? dynamicRequest : static_cast<int>(resources.maxDynamicSharedBytes);
  attributes.preferredShmemCarveout = carveoutRequest;
  return attributes;
}

/// Functions may also be named by their handles, as AMD's library permits. Throws HipError (hipErrorInvalidDeviceFunction).
LZKernel &kernelFor(const void *function) {
  LZRegistry &registry = LZRegistry::instance();
  if (LZKernel *kernel = registry.findHandle(function))
    return *kernel;
  return registry.kernelFor(function);
}

hipError_t readAttribute(int &value, hipFunction_attribute attrib, const LZKernel &kernel, LZDevice &device) {
  const hipFuncAttributes attributes = attributesOf(kernel, device);
  switch (attrib) {
  case HIP_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK: value = attributes.maxThreadsPerBlock; break;
  case HIP_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES: value = static_cast<int>(attributes.sharedSizeBytes); break;
  case HIP_FUNC_ATTRIBUTE_CONST_SIZE_BYTES: value = static_cast<int>(attributes.constSizeBytes); break;
  case HIP_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES: value = static_cast<int>(attributes.localSizeBytes); break;
  case HIP_FUNC_ATTRIBUTE_NUM_REGS: value = attributes.numRegs; break;
  case HIP_FUNC_ATTRIBUTE_PTX_VERSION: value = attributes.ptxVersion; break;
  case HIP_FUNC_ATTRIBUTE_BINARY_VERSION: value = attributes.binaryVersion; break;
  case HIP_FUNC_ATTRIBUTE_CACHE_MODE_CA: value = attributes.cacheModeCA; break;
  case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES: value = attributes.maxDynamicSharedSizeBytes; break;
  case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT: value = attributes.preferredShmemCarveout; break;
  default: return refuse(hipErrorInvalidValue, "attrib is not one of hipFunction_attribute");
  }
  return hipSuccess;
}

// Every launch may have all the shared memory of the device, so a request for what there is has been fulfilled already.
hipError_t setAttribute(const LZKernel &kernel, LZDevice &device, hipFuncAttribute attr, int value) {
  switch (attr) {
  case hipFuncAttributeMaxDynamicSharedMemorySize: {
    const KernelResources resources = kernel.resources(device);
    if (value < 0 || static_cast<uint32_t>(value) > resources.maxDynamicSharedBytes)
      throw HipError(hipErrorInvalidValue, kernel.name() + " can have at most " +
                                               std::to_string(resources.maxDynamicSharedBytes) +
                                               " bytes of dynamic shared memory");
    kernel.dynamicSharedRequest = value;
    return hipSuccess;
  }
  case hipFuncAttributePreferredSharedMemoryCarveout: // percent, or -1 for the driver's choice
    if (value < -1 || value > 100)
      return refuse(hipErrorInvalidValue, "value is neither a percentage nor -1");
    kernel.carveoutRequest = value;
    return hipSuccess;
  default: return refuse(hipErrorInvalidValue, "attr is not an attribute that can be set");
  }
}

} // namespace

extern "C" {

hipError_t hipFuncGetAttributes(struct hipFuncAttributes *attr, const void *func) {
  return HIPLZ_API(hipFuncGetAttributes, attr, func)([&] {
    if (!attr)
      return refuse(hipErrorInvalidValue, "attr is null");
    LZDevice &device = currentDevice();
    *attr = attributesOf(kernelFor(func), device);
    return hipSuccess;
  });
}

hipError_t hipFuncGetAttribute(int *value, hipFunction_attribute attrib, hipFunction_t hfunc) {
  return HIPLZ_API(hipFuncGetAttribute, value, attrib, hfunc)([&] {
    if (!value)
      return refuse(hipErrorInvalidValue, "value is null");
    LZDevice &device = currentDevice();
    return readAttribute(*value, attrib, LZRegistry::instance().kernelOf(hfunc), device);
  });
}

hipError_t hipFuncSetAttribute(const void *func, hipFuncAttribute attr, int value) {
  return HIPLZ_API(hipFuncSetAttribute, func, attr, value)([&] {
    LZDevice &device = currentDevice();
    return setAttribute(kernelFor(func), device, attr, value);
  });
}

hipError_t hipKernelGetAttribute(int *pi, hipFunction_attribute attrib, hipKernel_t kernel, hipDevice_t dev) {
  return HIPLZ_API(hipKernelGetAttribute, pi, attrib, kernel, dev)([&] {
    if (!pi)
      return refuse(hipErrorInvalidValue, "pi is null");
    if (!kernel)
      return refuse(hipErrorInvalidResourceHandle, "kernel is null");
    LZDevice &device = LZContext::instance().device(dev);
    return readAttribute(*pi, attrib, libraryKernelFrom(kernel), device);
  });
}

hipError_t hipKernelSetAttribute(hipFunction_attribute attrib, int value, hipKernel_t kernel, hipDevice_t dev) {
  return HIPLZ_API(hipKernelSetAttribute, attrib, value, kernel, dev)([&] {
    LZDevice &device = LZContext::instance().device(dev);
    switch (attrib) {
    case HIP_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES:
      return setAttribute(libraryKernelFrom(kernel), device, hipFuncAttributeMaxDynamicSharedMemorySize, value);
    case HIP_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT:
      return setAttribute(libraryKernelFrom(kernel), device, hipFuncAttributePreferredSharedMemoryCarveout, value);
    default: return refuse(hipErrorInvalidValue, "attrib is not an attribute that can be set");
    }
  });
}

// No device of Level Zero divides its memory on request: the preferences are hints.
hipError_t hipFuncSetCacheConfig(const void *func, hipFuncCache_t config) {
  return HIPLZ_API(hipFuncSetCacheConfig, func, config)([&] {
    currentDevice();
    kernelFor(func);
    return static_cast<unsigned>(config) > hipFuncCachePreferEqual
               ? refuse(hipErrorInvalidValue, "config is not one of hipFuncCache_t")
               : hipSuccess;
  });
}

hipError_t hipFuncSetSharedMemConfig(const void *func, hipSharedMemConfig config) {
  return HIPLZ_API(hipFuncSetSharedMemConfig, func, config)([&] {
    currentDevice();
    kernelFor(func);
    return static_cast<unsigned>(config) > hipSharedMemBankSizeEightByte
               ? refuse(hipErrorInvalidValue, "config is not one of hipSharedMemConfig")
               : hipSuccess;
  });
}

} // extern "C"
