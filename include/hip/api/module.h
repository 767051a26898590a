// Modules: loading device code at run time, its functions and variables, and the run-time linker.
#ifndef HIPLZ_API_MODULE_H
#define HIPLZ_API_MODULE_H

#include "types.h"
#include "../linker_types.h"

#ifdef __cplusplus
extern "C" {
#endif

hipError_t hipGetFuncBySymbol(hipFunction_t* functionPtr, const void* symbolPtr);

hipError_t hipLinkAddData(hipLinkState_t state, hipJitInputType type, void* data, size_t size,
                          const char* name, unsigned int numOptions, hipJitOption* options,
                          void** optionValues);

hipError_t hipLinkAddFile(hipLinkState_t state, hipJitInputType type, const char* path,
                          unsigned int numOptions, hipJitOption* options, void** optionValues);

hipError_t hipLinkComplete(hipLinkState_t state, void** hipBinOut, size_t* sizeOut);

hipError_t hipLinkCreate(unsigned int numOptions, hipJitOption* options, void** optionValues,
                         hipLinkState_t* stateOut);

hipError_t hipLinkDestroy(hipLinkState_t state);

hipError_t hipModuleGetFunction(hipFunction_t* function, hipModule_t module, const char* kname);

hipError_t hipModuleGetGlobal(hipDeviceptr_t* dptr, size_t* bytes, hipModule_t hmod,
                              const char* name);

hipError_t hipModuleLoad(hipModule_t* module, const char* fname);

hipError_t hipModuleLoadData(hipModule_t* module, const void* image);

hipError_t hipModuleLoadDataEx(hipModule_t* module, const void* image, unsigned int numOptions,
                               hipJitOption* options, void** optionValues);

hipError_t hipModuleUnload(hipModule_t module);

#ifdef __cplusplus
}
#endif

#endif
