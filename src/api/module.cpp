// SPDX-License-Identifier: MIT
// Modules that the application loads itself: files and images, their kernels and variables. A library is a module that is
// handed out under another name; modules are compiled for any device that uses them.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_code.h"
#include "api/jit_options.h"
#include "api/library_kernel.h"
#include "lz/module/linker.h"
#include "lz/module/registry.h"

using namespace hiplz;

namespace {

hipModule_t toHandle(LZModule &module) { return reinterpret_cast<hipModule_t>(&module); }
hipFunction_t toHandle(LZKernel &kernel) {
  LZRegistry::instance().addHandle(kernel);
  return reinterpret_cast<hipFunction_t>(&kernel);
}

/// Errors of the whole module show here, where the application looks for it; an error of one kernel's compilation
/// at its first launch.
LZModule &load(DeviceImage image, const std::string &origin, const JitOptions &options) {
  std::string log;
  std::unique_ptr<LZModule> loaded;
  LZDevice &device = currentDevice();
  try {
    makeLoadable(image, origin, log);
    image.own();
    loaded = std::make_unique<LZModule>(std::move(image), origin);
    loaded->prepare(device);
  } catch (const HipError &error) {
    options.report(log, std::string(error.what()) + (loaded ? "\n" + loaded->buildLog(device) : ""));
    throw;
  }
  options.report(log + loaded->buildLog(device), {});
  return LZRegistry::instance().load(std::move(loaded));
}

LZModule &loadFile(const char *name, const JitOptions &options) {
  currentDevice();
  if (*name == '\0')
    throw HipError(hipErrorInvalidValue, "the file name is empty");
  const std::vector<std::byte> bytes = readDeviceFile(name);
  return load(findDeviceCode(bytes, name), name, options);
}

LZModule &loadImage(const void *image, const JitOptions &options) {
  currentDevice();
  constexpr const char *kOrigin = "the image in memory";
  try {
    return load(findSpirv(image), kOrigin, options);
  } catch (const ParseError &error) {
    options.report({}, error.what());
    throw imageError(error, kOrigin);
  }
}

hipError_t loadModule(hipModule_t *module, const void *image, const JitOptions &options) {
  HIPLZ_NOT_NULL(module, image);
  *module = toHandle(loadImage(image, options));
  return hipSuccess;
}

hipLibrary_t libraryHandle(LZModule &module) { return reinterpret_cast<hipLibrary_t>(&module); }
hipKernel_t kernelHandle(LZKernel &kernel) { return reinterpret_cast<hipKernel_t>(toHandle(kernel)); }

/// The module of a library. Throws HipError{hipErrorInvalidValue}.
LZModule &libraryFrom(const void *library) {
  try {
    return LZRegistry::instance().loaded(library);
  } catch (const HipError &) {
    throw HipError(hipErrorInvalidValue,
                   library ? "the library does not exist, or it has been unloaded" : "the library is null");
  }
}

/// Both options are hints: images are copied, and functions of the host are not called from kernels.
hipError_t checkOptions(const hipLibraryOption *options, unsigned count) {
  if (count != 0 && !options)
    return refuse(hipErrorInvalidValue, "libraryOptions is null");
  for (unsigned index = 0; index < count; ++index)
    if (static_cast<unsigned>(options[index]) > hipLibraryBinaryIsPreserved)
      return refuse(hipErrorInvalidValue, "libraryOptions has something that is not one of hipLibraryOption");
  return hipSuccess;
}

/// `module` gives the module, which is asked for after the other arguments have been checked.
template <class Find> hipError_t storeGlobal(hipDeviceptr_t *address, size_t *bytes, const char *name, Find module) {
  HIPLZ_NOT_NULL(name);
  if (!*name)
    return refuse(hipErrorInvalidValue, "name is empty");
  if (!address && !bytes)
    return refuse(hipErrorInvalidValue, "dptr and bytes are both null");
  LZModule::Global global = module().global(currentDevice(), name);
  if (address)
    *address = global.address;
  if (bytes)
    *bytes = global.size;
  return hipSuccess;
}

hipError_t countKernels(unsigned *count, LZModule &module) {
  HIPLZ_NOT_NULL(count);
  unsigned kernels = 0;
  module.forEachKernel([&](LZKernel &) { ++kernels; });
  *count = kernels;
  return hipSuccess;
}

} // namespace

extern "C" {

hipError_t hipModuleLoad(hipModule_t *module, const char *fname) {
  return HIPLZ_API(hipModuleLoad, module, fname)([&] {
    HIPLZ_NOT_NULL(module, fname);
    *module = toHandle(loadFile(fname, {}));
    return hipSuccess;
  });
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return HIPLZ_API(hipModuleLoadData, module, image)([&] { return loadModule(module, image, {}); });
}

hipError_t hipModuleLoadFatBinary(hipModule_t *module, const void *fatbin) {
  return HIPLZ_API(hipModuleLoadFatBinary, module, fatbin)([&] { return loadModule(module, fatbin, {}); });
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int numOptions, hipJitOption *options,
                               void **optionValues) {
  return HIPLZ_API(hipModuleLoadDataEx, module, image, numOptions, options, optionValues)(
      [&] { return loadModule(module, image, JitOptions(numOptions, options, optionValues)); });
}

hipError_t hipModuleUnload(hipModule_t module) {
  return HIPLZ_API(hipModuleUnload, module)([&] {
    LZRegistry::instance().unload(module);
    return hipSuccess;
  });
}

hipError_t hipModuleGetFunction(hipFunction_t *function, hipModule_t module, const char *kname) {
  return HIPLZ_API(hipModuleGetFunction, function, module, kname)([&] {
    HIPLZ_NOT_NULL(function, kname);
    if (!*kname)
      return refuse(hipErrorInvalidValue, "kname is empty");
    LZModule &loaded = LZRegistry::instance().loaded(module);
    LZKernel *kernel = loaded.findKernel(kname);
    if (!kernel)
      throw HipError(hipErrorNotFound, loaded.origin() + " has no kernel " + kname);
    *function = toHandle(*kernel);
    return hipSuccess;
  });
}

hipError_t hipModuleGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipModule_t hmod, const char *name) {
  return HIPLZ_API(hipModuleGetGlobal, dptr, bytes, hmod, name)([&] {
    return storeGlobal(dptr, bytes, name, [&]() -> LZModule & { return LZRegistry::instance().loaded(hmod); });
  });
}

hipError_t hipGetFuncBySymbol(hipFunction_t *functionPtr, const void *symbolPtr) {
  return HIPLZ_API(hipGetFuncBySymbol, functionPtr, symbolPtr)([&] {
    if (!functionPtr)
      return refuse(hipErrorInvalidDeviceFunction, "functionPtr is null");
    *functionPtr = toHandle(LZRegistry::instance().kernelFor(symbolPtr));
    return hipSuccess;
  });
}

hipError_t hipModuleGetFunctionCount(unsigned int *count, hipModule_t mod) {
  return HIPLZ_API(hipModuleGetFunctionCount, count,
                   mod)([&] { return countKernels(count, LZRegistry::instance().loaded(mod)); });
}

hipError_t hipLibraryLoadData(hipLibrary_t *library, const void *code, hipJitOption *jitOptions,
                              void **jitOptionsValues, unsigned int numJitOptions, hipLibraryOption *libraryOptions,
                              void **libraryOptionValues, unsigned int numLibraryOptions) {
  return HIPLZ_API(hipLibraryLoadData, library, code, jitOptions, jitOptionsValues, numJitOptions, libraryOptions,
                   libraryOptionValues, numLibraryOptions)([&] {
    HIPLZ_NOT_NULL(library, code);
    if (hipError_t error = checkOptions(libraryOptions, numLibraryOptions))
      return error;
    *library = libraryHandle(loadImage(code, JitOptions(numJitOptions, jitOptions, jitOptionsValues)));
    return hipSuccess;
  });
}

hipError_t hipLibraryLoadFromFile(hipLibrary_t *library, const char *fileName, hipJitOption *jitOptions,
                                  void **jitOptionsValues, unsigned int numJitOptions, hipLibraryOption *libraryOptions,
                                  void **libraryOptionValues, unsigned int numLibraryOptions) {
  return HIPLZ_API(hipLibraryLoadFromFile, library, fileName, jitOptions, jitOptionsValues, numJitOptions,
                   libraryOptions, libraryOptionValues, numLibraryOptions)([&] {
    HIPLZ_NOT_NULL(library, fileName);
    if (hipError_t error = checkOptions(libraryOptions, numLibraryOptions))
      return error;
    *library = libraryHandle(loadFile(fileName, JitOptions(numJitOptions, jitOptions, jitOptionsValues)));
    return hipSuccess;
  });
}

hipError_t hipLibraryUnload(hipLibrary_t library) {
  return HIPLZ_API(hipLibraryUnload, library)([&] {
    LZRegistry::instance().unload(&libraryFrom(library));
    return hipSuccess;
  });
}

hipError_t hipLibraryGetKernel(hipKernel_t *pKernel, hipLibrary_t library, const char *name) {
  return HIPLZ_API(hipLibraryGetKernel, pKernel, library, name)([&] {
    HIPLZ_NOT_NULL(pKernel, name);
    LZModule &module = libraryFrom(library);
    LZKernel *kernel = module.findKernel(name);
    if (!kernel)
      throw HipError(hipErrorNotFound, module.origin() + " has no kernel " + name);
    *pKernel = kernelHandle(*kernel);
    return hipSuccess;
  });
}

hipError_t hipLibraryGetKernelCount(unsigned int *count, hipLibrary_t library) {
  return HIPLZ_API(hipLibraryGetKernelCount, count, library)([&] { return countKernels(count, libraryFrom(library)); });
}

hipError_t hipLibraryEnumerateKernels(hipKernel_t *kernels, unsigned int numKernels, hipLibrary_t library) {
  return HIPLZ_API(hipLibraryEnumerateKernels, kernels, numKernels, library)([&] {
    HIPLZ_NOT_NULL(kernels);
    unsigned stored = 0;
    libraryFrom(library).forEachKernel([&](LZKernel &kernel) {
      if (stored < numKernels)
        kernels[stored++] = kernelHandle(kernel);
    });
    return hipSuccess;
  });
}

hipError_t hipKernelGetLibrary(hipLibrary_t *library, hipKernel_t kernel) {
  return HIPLZ_API(hipKernelGetLibrary, library, kernel)([&] {
    HIPLZ_NOT_NULL(library);
    *library = libraryHandle(libraryFrom(&libraryKernelFrom(kernel).module()));
    return hipSuccess;
  });
}

hipError_t hipLibraryGetGlobal(hipDeviceptr_t *dptr, size_t *bytes, hipLibrary_t library, const char *name) {
  return HIPLZ_API(hipLibraryGetGlobal, dptr, bytes, library, name)(
      [&] { return storeGlobal(dptr, bytes, name, [&]() -> LZModule & { return libraryFrom(library); }); });
}

hipError_t hipLibraryGetManaged(hipDeviceptr_t *dptr, size_t *bytes, hipLibrary_t library, const char *name) {
  return HIPLZ_API(hipLibraryGetManaged, dptr, bytes, library, name)([&] {
    return storeGlobal(dptr, bytes, name, [&]() -> LZModule & {
      LZModule &module = libraryFrom(library);
      if (!module.isManaged(name))
        throw HipError(hipErrorNotFound, module.origin() + " has no managed variable " + name);
      return module;
    });
  });
}

hipError_t hipKernelGetFunction(hipFunction_t *pFunc, hipKernel_t kernel) {
  return HIPLZ_API(hipKernelGetFunction, pFunc, kernel)([&] {
    HIPLZ_NOT_NULL(pFunc);
    *pFunc = toHandle(libraryKernelFrom(kernel));
    return hipSuccess;
  });
}

hipError_t hipKernelGetParamInfo(hipKernel_t kernel, size_t paramIndex, size_t *paramOffset, size_t *paramSize) {
  return HIPLZ_API(hipKernelGetParamInfo, kernel, paramIndex, paramOffset, paramSize)([&] {
    HIPLZ_NOT_NULL(paramOffset);
    const auto parameters = libraryKernelFrom(kernel).args();
    if (paramIndex >= parameters.size())
      return refuse(hipErrorInvalidValue, "the kernel has fewer parameters than paramIndex says");
    size_t offset = 0;
    for (const spirv::Arg &before : parameters.first(paramIndex))
      offset = (offset + before.align - 1) / before.align * before.align + before.size;
    const spirv::Arg &parameter = parameters[paramIndex];
    *paramOffset = (offset + parameter.align - 1) / parameter.align * parameter.align;
    if (paramSize)
      *paramSize = parameter.size;
    return hipSuccess;
  });
}

hipError_t hipKernelGetName(const char **name, hipKernel_t kernel) {
  return HIPLZ_API(hipKernelGetName, name, kernel)([&] {
    HIPLZ_NOT_NULL(name);
    *name = libraryKernelFrom(kernel).name().c_str();
    return hipSuccess;
  });
}

} // extern "C"
