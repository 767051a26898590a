// SPDX-License-Identifier: MIT
// Initialisation and the versions of the runtime and of the API.
#ifndef HIPLZ_API_INIT_H
#define HIPLZ_API_INIT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Initialises the runtime, which any other call does as well. flags must be 0. hipErrorNoDevice if
/// there is no device.
hipError_t hipInit(unsigned int flags);

/// Stores the version of the API that the driver side supports, in the form of HIP_VERSION.
hipError_t hipDriverGetVersion(int *driverVersion);

/// Stores the version of the API that the runtime implements, in the form of HIP_VERSION.
hipError_t hipRuntimeGetVersion(int *runtimeVersion);

/// The outcome of hipGetProcAddress.
typedef enum hipDriverProcAddressQueryResult {
  HIP_GET_PROC_ADDRESS_SUCCESS = 0,
  HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
  HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
} hipDriverProcAddressQueryResult;

/// Looks up an API function by name. symbolStatus may be null; otherwise it says whether a name is unknown or newer
/// than hipVersion.
hipError_t hipGetProcAddress(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult *symbolStatus);

#if HIPLZ_HIP_VERSION >= 7
/// The log that hipExtEnableLogging turns on: a level of AMD_LOG_LEVEL, and a mask, of which HIPLZ knows 0 (nothing) and others
/// (everything). log_size is not used. New in HIP 7.12, as the two below are.
hipError_t hipExtSetLoggingParams(size_t log_level, size_t log_size, size_t log_mask);

/// Turns the runtime's log on, instead of what the environment asks for.
hipError_t hipExtEnableLogging(void);

/// Turns the runtime's log off.
hipError_t hipExtDisableLogging(void);
#endif

#ifdef __cplusplus
}
#endif

#endif
