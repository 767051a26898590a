// Hooks of profilers and debuggers.
#ifndef HIPLZ_API_PROFILER_H
#define HIPLZ_API_PROFILER_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

void __hipGetPCH(const char** pch, unsigned int* size);

size_t amd_dbgapi_get_build_id(void);

const char* amd_dbgapi_get_build_name(void);

const char* amd_dbgapi_get_git_hash(void);

const char* hipApiName(uint32_t id);

int hipGetStreamDeviceId(hipStream_t stream);

const char* hipKernelNameRef(const hipFunction_t f);

const char* hipKernelNameRefByPtr(const void* hostFunction, hipStream_t stream);

HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStart(void);

HIP_DEPRECATED(HIP_DEPRECATED_MSG)
hipError_t hipProfilerStop(void);

#ifdef __cplusplus
}
#endif

#endif
