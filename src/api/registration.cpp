// SPDX-License-Identifier: MIT
// The functions that clang's generated code calls before main and when a library is unloaded. These functions have no way to report
// an error, and may run before or after everything else: they record, and what is wrong surfaces at the first use.
#include "base/log.h"
#include "lz/module/registry.h"

#include <hip/hip_runtime_api.h>

#include <exception>

using namespace hiplz;

namespace {

/// Runs the body; no exception leaves it.
template <class Body> auto record(const char *function, Body body) noexcept {
  try {
    return body(LZRegistry::instance());
  } catch (const std::exception &error) {
    HIPLZ_LOG_ERROR("%s failed: %s", function, error.what());
    return decltype(body(LZRegistry::instance()))();
  }
}

LZRegistry::FatBinary &binaryFrom(void *handle) { return *static_cast<LZRegistry::FatBinary *>(handle); }

} // namespace

extern "C" {

void **__hipRegisterFatBinary(const void *data) {
  return record("__hipRegisterFatBinary",
                [=](LZRegistry &registry) { return reinterpret_cast<void **>(registry.registerFatBinary(data)); });
}

void __hipUnregisterFatBinary(void **modules) {
  record("__hipUnregisterFatBinary", [=](LZRegistry &registry) {
    registry.unregisterFatBinary(reinterpret_cast<LZRegistry::FatBinary *>(modules));
  });
}

// The parameters after the name describe launch limits that CUDA once had; the compiler passes nothing in them.
void __hipRegisterFunction(void **modules, const void *hostFunction, char *, const char *deviceName, unsigned int,
                           uint3 *, uint3 *, dim3 *, dim3 *, int *) {
  if (!modules)
    return;
  record("__hipRegisterFunction",
         [=](LZRegistry &registry) { registry.registerFunction(binaryFrom(modules), hostFunction, deviceName); });
}

void __hipRegisterVar(void **modules, void *var, char *, char *deviceVar, int, size_t size, int constant, int) {
  if (!modules)
    return;
  record("__hipRegisterVar", [=](LZRegistry &registry) {
    registry.registerVariable(binaryFrom(modules), var, deviceVar, size, constant != 0);
  });
}

void __hipRegisterManagedVar(void *hipModule, void **pointer, void *init_value, const char *name, size_t size,
                             unsigned int align) {
  if (!hipModule)
    return;
  record("__hipRegisterManagedVar", [=](LZRegistry &registry) {
    registry.registerManaged(binaryFrom(hipModule), pointer, init_value, name, size, align);
  });
}

// Texture and surface references are variables of the module; the compiler does not pass their size.
void __hipRegisterTexture(void **modules, void *var, char *, char *deviceVar, int, int, int) {
  if (!modules)
    return;
  record("__hipRegisterTexture",
         [=](LZRegistry &registry) { registry.registerVariable(binaryFrom(modules), var, deviceVar, 0); });
}

void __hipRegisterSurface(void **modules, void *var, char *, char *deviceVar, int, int) {
  if (!modules)
    return;
  record("__hipRegisterSurface",
         [=](LZRegistry &registry) { registry.registerVariable(binaryFrom(modules), var, deviceVar, 0); });
}

} // extern "C"
