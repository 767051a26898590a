// SPDX-License-Identifier: MIT
// Errors of the CUDA runtime that HIP has no name for, and the names of all of them.
#pragma once

#include <hip/spirv/user_macros_off.h>

#include <hip/hip_runtime_api.h>

#define cudaErrorInvalidHostPointer ((hipError_t)16)
#define cudaErrorInvalidTextureBinding ((hipError_t)19)
#define cudaErrorAddressOfConstant ((hipError_t)22)
#define cudaErrorTextureFetchFailed ((hipError_t)23)
#define cudaErrorTextureNotBound ((hipError_t)24)
#define cudaErrorSynchronizationError ((hipError_t)25)
#define cudaErrorInvalidFilterSetting ((hipError_t)26)
#define cudaErrorInvalidNormSetting ((hipError_t)27)
#define cudaErrorMixedDeviceExecution ((hipError_t)28)
#define cudaErrorNotYetImplemented ((hipError_t)31)
#define cudaErrorMemoryValueTooLarge ((hipError_t)32)
#define cudaErrorStubLibrary ((hipError_t)34)
#define cudaErrorCallRequiresNewerDriver ((hipError_t)36)
#define cudaErrorInvalidSurface ((hipError_t)37)
#define cudaErrorDuplicateVariableName ((hipError_t)43)
#define cudaErrorDuplicateTextureName ((hipError_t)44)
#define cudaErrorDuplicateSurfaceName ((hipError_t)45)
#define cudaErrorDevicesUnavailable ((hipError_t)46)
#define cudaErrorIncompatibleDriverContext ((hipError_t)49)
#define cudaErrorLaunchMaxDepthExceeded ((hipError_t)65)
#define cudaErrorLaunchFileScopedTex ((hipError_t)66)
#define cudaErrorLaunchFileScopedSurf ((hipError_t)67)
#define cudaErrorSyncDepthExceeded ((hipError_t)68)
#define cudaErrorLaunchPendingCountExceeded ((hipError_t)69)
#define cudaErrorDeviceNotLicensed ((hipError_t)102)
#define cudaErrorSoftwareValidityNotEstablished ((hipError_t)103)
#define cudaErrorStartupFailure ((hipError_t)127)
#define cudaErrorNvlinkUncorrectable ((hipError_t)220)
#define cudaErrorJitCompilerNotFound ((hipError_t)221)
#define cudaErrorUnsupportedPtxVersion ((hipError_t)222)
#define cudaErrorJitCompilationDisabled ((hipError_t)223)
#define cudaErrorUnsupportedExecAffinity ((hipError_t)224)
#define cudaErrorUnsupportedDevSideSync ((hipError_t)225)
#define cudaErrorContained ((hipError_t)226)
#define cudaErrorLossyQuery ((hipError_t)402)
#define cudaErrorLaunchIncompatibleTexturing ((hipError_t)703)
#define cudaErrorTooManyPeers ((hipError_t)711)
#define cudaErrorHardwareStackError ((hipError_t)714)
#define cudaErrorIllegalInstruction ((hipError_t)715)
#define cudaErrorMisalignedAddress ((hipError_t)716)
#define cudaErrorInvalidAddressSpace ((hipError_t)717)
#define cudaErrorInvalidPc ((hipError_t)718)
#define cudaErrorTensorMemoryLeak ((hipError_t)721)
#define cudaErrorNotPermitted ((hipError_t)800)
#define cudaErrorSystemNotReady ((hipError_t)802)
#define cudaErrorSystemDriverMismatch ((hipError_t)803)
#define cudaErrorCompatNotSupportedOnDevice ((hipError_t)804)
#define cudaErrorMpsConnectionFailed ((hipError_t)805)
#define cudaErrorMpsRpcFailure ((hipError_t)806)
#define cudaErrorMpsServerNotReady ((hipError_t)807)
#define cudaErrorMpsMaxClientsReached ((hipError_t)808)
#define cudaErrorMpsMaxConnectionsReached ((hipError_t)809)
#define cudaErrorMpsClientTerminated ((hipError_t)810)
#define cudaErrorCdpNotSupported ((hipError_t)811)
#define cudaErrorCdpVersionMismatch ((hipError_t)812)
#define cudaErrorTimeout ((hipError_t)909)
#define cudaErrorExternalDevice ((hipError_t)911)
#define cudaErrorInvalidClusterSize ((hipError_t)912)
#define cudaErrorFunctionNotLoaded ((hipError_t)913)
#define cudaErrorInvalidResourceType ((hipError_t)914)
#define cudaErrorInvalidResourceConfiguration ((hipError_t)915)

#ifdef __cplusplus
inline
#else
static inline
#endif
    const char *
    cudaGetErrorName(hipError_t error) {
  switch ((int)error) {
#define HIPLZ_CUDA_ERROR(name, number)                                                                                 \
  case number:                                                                                                         \
    return #name;
#include "../names/runtime_errors.def"
#undef HIPLZ_CUDA_ERROR
  default: return hipGetErrorName(error);
  }
}
#include <hip/spirv/user_macros_on.h>
