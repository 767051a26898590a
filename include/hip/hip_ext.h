// SPDX-License-Identifier: MIT
// Launches with extensions: start and stop events, and global sizes in work-items.
#ifndef HIPLZ_HIP_EXT_H
#define HIPLZ_HIP_EXT_H

#include "spirv/user_macros_off.h"

#include "hip_runtime_api.h"

#ifdef __cplusplus
extern "C" {
#endif

// Functions of modules

/// Like hipModuleLaunchKernel, with the whole grid in work-items, and with events before and after the
/// kernel. A block that is longer than the grid is shortened to it; otherwise the grid must be a
/// multiple of the block (else hipErrorInvalidValue). hipErrorInvalidConfiguration for sizes of 0 and
/// for what the device does not allow.
hipError_t hipExtModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void **kernelParams, void **extra, hipEvent_t startEvent __dparm(NULL),
                                    hipEvent_t stopEvent __dparm(NULL), uint32_t flags __dparm(0));

/// Like hipExtModuleLaunchKernel.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipHccModuleLaunchKernel(hipFunction_t f, uint32_t globalWorkSizeX, uint32_t globalWorkSizeY,
                                    uint32_t globalWorkSizeZ, uint32_t localWorkSizeX, uint32_t localWorkSizeY,
                                    uint32_t localWorkSizeZ, size_t sharedMemBytes, hipStream_t hStream,
                                    void **kernelParams, void **extra, hipEvent_t startEvent __dparm(NULL),
                                    hipEvent_t stopEvent __dparm(NULL));

#ifdef __cplusplus
}

namespace hiplz {
/// Launches a kernel with its arguments converted to the types of its parameters.
template <typename... Formals>
static inline hipError_t launchConverted(void (*kernel)(Formals...), const dim3 &numBlocks, const dim3 &dimBlocks,
                                         size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                         hipEvent_t stopEvent, uint32_t flags, Formals... formals) {
  void *arguments[sizeof...(Formals) + 1] = {const_cast<void *>(static_cast<const volatile void *>(&formals))...,
                                             nullptr};
  return hipExtLaunchKernel(reinterpret_cast<const void *>(kernel), numBlocks, dimBlocks, arguments, sharedMemBytes,
                            stream, startEvent, stopEvent, static_cast<int>(flags));
}

template <typename... Formals, typename... Actuals>
static inline void launchWithEvents(void (*kernel)(Formals...), const dim3 &numBlocks, const dim3 &dimBlocks,
                                    size_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                    hipEvent_t stopEvent, uint32_t flags, Actuals... actuals) {
  static_assert(sizeof...(Formals) == sizeof...(Actuals), "the kernel has another number of parameters");
  (void)launchConverted<Formals...>(kernel, numBlocks, dimBlocks, sharedMemBytes, stream, startEvent, stopEvent, flags,
                                    static_cast<Formals>(actuals)...);
}
} // namespace hiplz

/// Launches a kernel and records events before and after it. Either event may be null. An error becomes the last error.
/// The bare name of a template stands for its instance with parameters of exactly the types of the arguments.
template <typename... Args, typename F = void (*)(Args...)>
static inline void hipExtLaunchKernelGGL(F kernel, const dim3 &numBlocks, const dim3 &dimBlocks,
                                         uint32_t sharedMemBytes, hipStream_t stream, hipEvent_t startEvent,
                                         hipEvent_t stopEvent, uint32_t flags, Args... args) {
#ifndef __HIP_DEVICE_COMPILE__ // where the type of a kernel has another calling convention, and no one calls this
  hiplz::launchWithEvents(kernel, numBlocks, dimBlocks, sharedMemBytes, stream, startEvent, stopEvent, flags, args...);
#endif
}
#endif

#include "spirv/user_macros_on.h"
#endif
