// SPDX-License-Identifier: MIT
// Libraries: code that is loaded once for all devices, and its kernels. New in HIP 7.
#ifndef HIPLZ_API_LIBRARY_H
#define HIPLZ_API_LIBRARY_H

#include "../linker_types.h"
#include "init.h"
#include "module.h"
#include "types.h"

#if HIPLZ_HIP_VERSION >= 7

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ihipLibrary_t *hipLibrary_t;
typedef struct ihipKernel_t *hipKernel_t;

/// Makes a library of code in memory: a fat binary or SPIR-V. The code may be freed afterwards, unless the option
/// hipLibraryBinaryIsPreserved is set. hipErrorInvalidImage if it is none.
hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *jitOptions,
                              void **jitOptionsValues, unsigned int numJitOptions, hipLibraryOption *libraryOptions,
                              void **libraryOptionValues, unsigned int numLibraryOptions);

/// Makes a library of a file.
hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *fileName, hipJitOption *jitOptions,
                                  void **jitOptionsValues, unsigned int numJitOptions, hipLibraryOption *libraryOptions,
                                  void **libraryOptionValues, unsigned int numLibraryOptions);

/// Unloads a library after its kernels have finished.
hipError_t hipLibraryUnload(hipLibrary_t library);

/// Stores a kernel of a library. The name is the mangled one. hipErrorNotFound if there is none.
hipError_t hipLibraryGetKernel(hipKernel_t *pKernel, hipLibrary_t library, const char *name);

/// Stores how many kernels a library has.
hipError_t hipLibraryGetKernelCount(unsigned int *count, hipLibrary_t library);

/// Stores the kernels of a library, at most numKernels of them.
hipError_t hipLibraryEnumerateKernels(hipKernel_t *kernels, unsigned int numKernels, hipLibrary_t library);

/// Stores the library of a kernel.
hipError_t hipKernelGetLibrary(hipLibrary_t *library, hipKernel_t kernel);

/// Stores the mangled name of a kernel, which is valid until the library is unloaded.
hipError_t hipKernelGetName(const char **name, hipKernel_t kernel);

/// Stores the handle of a kernel as a function of a module. New in HIP 7.12, as the two below are.
hipError_t hipKernelGetFunction(hipFunction_t *pFunc, hipKernel_t kernel);

/// Stores an attribute of a kernel on a device.
hipError_t hipKernelGetAttribute(int *pi, hipFunction_attribute attrib, hipKernel_t kernel, hipDevice_t dev);

/// Sets one of the attributes that can be set: the most dynamic shared memory, and the share of shared memory.
hipError_t hipKernelSetAttribute(hipFunction_attribute attrib, int value, hipKernel_t kernel, hipDevice_t dev);

/// Stores where a parameter begins in a buffer of arguments, and its size in bytes unless paramSize is null. New in HIP 7.11.
hipError_t hipKernelGetParamInfo(hipKernel_t kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize);

/// Stores address and size of a variable of a library on the current device; one of the two may be null. New in HIP 7.14,
/// as the function below is.
hipError_t hipLibraryGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipLibrary_t library, const char *name);

/// The same of a managed variable. hipErrorNotFound for others.
hipError_t hipLibraryGetManaged(hipDeviceptr_t *dptr, size_t *bytes, hipLibrary_t library, const char *name);

/// Loads a module from a fat binary in memory.
hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin);

/// Stores how many kernels a module has.
hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t mod);

#define hipEnableDefault 0x0
#define hipEnableLegacyStream 0x1
#define hipEnablePerThreadDefaultStream 0x2

/// The outcome of hipGetDriverEntryPoint.
typedef enum hipDriverEntryPointQueryResult {
  hipDriverEntryPointSuccess = 0,
  hipDriverEntryPointSymbolNotFound,
  hipDriverEntryPointVersionNotSufficent
} hipDriverEntryPointQueryResult;

/// Looks up an API function by name. driverStatus may be null. The flags (hipEnable...) choose the default stream.
hipError_t hipGetDriverEntryPoint(const char *symbol, void **funcPtr, unsigned long long flags,
                                  hipDriverEntryPointQueryResult *driverStatus);

/// The same; by default the functions for the default stream of the thread.
hipError_t hipGetDriverEntryPoint_spt(const char *symbol, void **funcPtr, unsigned long long flags,
                                      hipDriverEntryPointQueryResult *status);

/// hipGetProcAddress with the functions for the default stream of the thread. New in HIP 7.11.
hipError_t hipGetProcAddress_spt(const char *symbol, void **pfn, int hipVersion, uint64_t flags,
                                 hipDriverProcAddressQueryResult *symbolStatus);

#ifdef HIP_API_PER_THREAD_DEFAULT_STREAM
#define hipGetDriverEntryPoint hipGetDriverEntryPoint_spt
#define hipGetProcAddress hipGetProcAddress_spt
#endif

#ifdef __cplusplus
}

#ifndef __HIP_DISABLE_CPP_FUNCTIONS__
/// The same with arrays of options that are given by their address.
static inline hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption **jitOptions,
                                            void **jitOptionsValues, unsigned int numJitOptions,
                                            hipLibraryOption **libraryOptions, void **libraryOptionValues,
                                            unsigned int numLibraryOptions) {
  hipJitOption *options = jitOptions ? *jitOptions : NULL;
  return hipLibraryLoadData(library, code, options, jitOptionsValues, numJitOptions,
                            libraryOptions ? *libraryOptions : NULL, libraryOptionValues, numLibraryOptions);
}

static inline hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *fileName, hipJitOption **jitOptions,
                                                void **jitOptionsValues, unsigned int numJitOptions,
                                                hipLibraryOption **libraryOptions, void **libraryOptionValues,
                                                unsigned int numLibraryOptions) {
  hipJitOption *options = jitOptions ? *jitOptions : NULL;
  return hipLibraryLoadFromFile(library, fileName, options, jitOptionsValues, numJitOptions,
                                libraryOptions ? *libraryOptions : NULL, libraryOptionValues, numLibraryOptions);
}
#endif
#endif

#endif
#endif
