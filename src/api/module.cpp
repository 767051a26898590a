// SPDX-License-Identifier: MIT
// Modules that the application loads itself: files and images, their kernels and variables.
#include "api/api_scope.h"
#include "api/current.h"
#include "api/device_code.h"
#include "api/jit_options.h"
#include "fatbin/bitcode.h"
#include "lz/module/linker.h"
#include "lz/module/registry.h"

using namespace hiplz;

namespace {

hipModule_t toHandle(LZModule &module) { return reinterpret_cast<hipModule_t>(&module); }
hipFunction_t toHandle(LZKernel &kernel) {
  LZRegistry::instance().addHandle(kernel);
  return reinterpret_cast<hipFunction_t>(&kernel);
}

/// What is wrong with the whole module shows here, where the application looks for it; an error of one kernel's compilation
/// at its first launch.
hipError_t load(hipModule_t *module, DeviceImage image, const std::string &origin, const JitOptions &options) {
  std::string log;
  std::unique_ptr<LZModule> loaded;
  LZDevice &device = currentDevice();
  try {
    if (isBitcode(image.spirv)) {
      LZLinker linker;
      linker.add(image.spirv, origin);
      image.owned = linker.link();
      image.spirv = image.owned;
      image.native.clear(); // made from something else
      log = linker.log();
    }
    image.own();
    loaded = std::make_unique<LZModule>(std::move(image), origin);
    loaded->prepare(device);
  } catch (const HipError &error) {
    options.report(log, std::string(error.what()) + (loaded ? "\n" + loaded->buildLog(device) : ""));
    throw;
  }
  options.report(log + loaded->buildLog(device), {});
  *module = toHandle(LZRegistry::instance().load(std::move(loaded)));
  return hipSuccess;
}

hipError_t loadFile(hipModule_t *module, const char *name) {
  HIPLZ_NOT_NULL(module, name);
  currentDevice();
  const std::vector<std::byte> bytes = readDeviceFile(name);
  return load(module, findDeviceCode(bytes, name), name, {});
}

hipError_t loadImage(hipModule_t *module, const void *image, const JitOptions &options) {
  HIPLZ_NOT_NULL(module, image);
  currentDevice();
  constexpr const char *kOrigin = "the image in memory";
  try {
    return load(module, findSpirv(image), kOrigin, options);
  } catch (const ParseError &error) {
    options.report({}, error.what());
    throw imageError(error, kOrigin);
  }
}

} // namespace

extern "C" {

hipError_t hipModuleLoad(hipModule_t *module, const char *fname) {
  return HIPLZ_API(hipModuleLoad, module, fname)([&] { return loadFile(module, fname); });
}

hipError_t hipModuleLoadData(hipModule_t *module, const void *image) {
  return HIPLZ_API(hipModuleLoadData, module, image)([&] { return loadImage(module, image, {}); });
}

hipError_t hipModuleLoadDataEx(hipModule_t *module, const void *image, unsigned int numOptions, hipJitOption *options,
                               void **optionValues) {
  return HIPLZ_API(hipModuleLoadDataEx, module, image, numOptions, options, optionValues)(
      [&] { return loadImage(module, image, JitOptions(numOptions, options, optionValues)); });
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
    HIPLZ_NOT_NULL(name);
    if (!*name)
      return refuse(hipErrorInvalidValue, "name is empty");
    if (!dptr && !bytes)
      return refuse(hipErrorInvalidValue, "dptr and bytes are both null");
    LZModule::Global global = LZRegistry::instance().loaded(hmod).global(currentDevice(), name);
    if (dptr)
      *dptr = global.address;
    if (bytes)
      *bytes = global.size;
    return hipSuccess;
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

} // extern "C"
