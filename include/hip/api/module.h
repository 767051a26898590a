// SPDX-License-Identifier: MIT
// Modules: loading device code at run time, its functions and variables, and the run-time linker.
#ifndef HIPLZ_API_MODULE_H
#define HIPLZ_API_MODULE_H

#include "../linker_types.h"
#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Loads a module from a file: a fat binary or SPIR-V. hipErrorFileNotFound if it cannot be read.
hipError_t hipModuleLoad(hipModule_t *module, const char *fname);

/// Loads a module from memory, which may be freed afterwards. hipErrorInvalidImage if it is none,
/// hipErrorNoBinaryForGpu if it holds no code for these devices.
hipError_t hipModuleLoadData(hipModule_t *module, const void *image);

/// Like hipModuleLoadData, with options of the compiler. An option that has no meaning here is
/// ignored.
hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int numOptions, hipJitOption *options,
                               void **optionValues);

/// Unloads a module after its kernels have finished. Its functions and variables become invalid.
hipError_t hipModuleUnload(hipModule_t module);

/// Stores a kernel of the module, which owns it. The name is the mangled one. hipErrorNotFound if
/// there is none.
hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *kname);

/// Stores address and size of a variable. Either pointer may be null. hipErrorNotFound if there is
/// none.
hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t hmod, const char *name);

/// Stores the kernel that belongs to a host function, on the current device.
hipError_t hipGetFuncBySymbol(hipFunction_t *functionPtr, const void *symbolPtr);

// The run-time linker

/// Starts a link.
hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption *options, void **optionValues, hipLinkState_t *stateOut);

/// Adds code from memory to a link.
hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void *data, size_t size, const char *name,
                          unsigned int numOptions, hipJitOption *options, void **optionValues);

/// Adds code from a file to a link.
hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char *path, unsigned int numOptions,
                          hipJitOption *options, void **optionValues);

/// Stores the linked module, which the link owns.
hipError_t hipLinkComplete(hipLinkState_t state, void **hipBinOut, size_t *sizeOut);

/// Ends a link and frees its result.
hipError_t hipLinkDestroy(hipLinkState_t state);

#ifdef __cplusplus
}
#endif

#endif
