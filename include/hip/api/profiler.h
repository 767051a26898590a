// SPDX-License-Identifier: MIT
// Hooks of profilers and debuggers.
#ifndef HIPLZ_API_PROFILER_H
#define HIPLZ_API_PROFILER_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Tells a profiler to start recording. Without one it has no effect.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStart(void);

/// Tells a profiler to stop recording. Without one it has no effect.
HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStop(void);

/// Returns the name of the function with this identifier.
const char *hipApiName(uint32_t id);

/// Returns the name of a kernel of a module, as a string that lives as long as the module.
const char *hipKernelNameRef(const hipFunction_t f);

/// Returns the name of the kernel that belongs to a host function.
const char *hipKernelNameRefByPtr(const void *hostFunction, hipStream_t stream);

/// Returns the device of a stream, or -1 if it is none.
int hipGetStreamDeviceId(hipStream_t stream);

/// Stores a precompiled header for hipRTC, or null and 0 if the library carries none.
void __hipGetPCH(const char **pch, unsigned int *size);

/// Returns the name of the build, which is empty.
const char *amd_dbgapi_get_build_name(void);

/// Returns the commit of the build, which is empty.
const char *amd_dbgapi_get_git_hash(void);

/// Returns the number of the build.
size_t amd_dbgapi_get_build_id(void);

#ifdef __cplusplus
}
#endif

#endif
