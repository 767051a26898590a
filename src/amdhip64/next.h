// SPDX-License-Identifier: MIT
// How the libraries of this folder call libhiplz: they define some of its functions again, so the plain name would be
// their own.
#pragma once
#include <hip/hip_runtime_api.h>

#include <dlfcn.h>

// An expression with the type of the function: the definition that the dynamic linker finds after this library, which
// depends on libhiplz. Found once; hipErrorSharedObjectSymbolNotFound is returned by the caller where there is none.
#define HIPLZ_NEXT(function)                                                                                           \
  ([]() -> decltype(&function) {                                                                                       \
    static const auto found = reinterpret_cast<decltype(&function)>(::dlsym(RTLD_NEXT, #function));                    \
    return found;                                                                                                      \
  }())

// Calls it.
#define HIPLZ_CALL_NEXT(function, ...)                                                                                 \
  (HIPLZ_NEXT(function) ? HIPLZ_NEXT(function)(__VA_ARGS__) : hipErrorSharedObjectSymbolNotFound)

/// Calls next(parameters) with what convert makes of the parameters that were passed, or with null if none were.
template <class Passed, class Next>
hipError_t callConverted(Passed (*convert)(const Passed *), const Passed *passed, Next next) {
  if (!passed)
    return next(static_cast<const Passed *>(nullptr));
  const Passed converted = convert(passed);
  return next(&converted);
}
