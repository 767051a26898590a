// Initialisation and the versions of the runtime and of the API.
#ifndef HIPLZ_API_INIT_H
#define HIPLZ_API_INIT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

hipError_t hipDriverGetVersion(int* driverVersion);

hipError_t hipInit(unsigned int flags);

hipError_t hipRuntimeGetVersion(int* runtimeVersion);

typedef enum hipDriverProcAddressQueryResult {
  HIP_GET_PROC_ADDRESS_SUCCESS = 0,
  HIP_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
  HIP_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
} hipDriverProcAddressQueryResult;

hipError_t hipGetProcAddress(const char* symbol, void** pfn, int hipVersion, uint64_t flags,
                             hipDriverProcAddressQueryResult* symbolStatus);

#ifdef __cplusplus
}
#endif

#endif
