// SPDX-License-Identifier: MIT
// How the functions that AMD's compiler calls by name are defined: over HIPLZ's own device functions, and inlined.
#pragma once
#include <hip/hip_runtime.h>

/// For pointers of AMD's library, which are to variables of the caller.
#define PRIVATE __attribute__((opencl_private))
#define AMD_FUNCTION(Result, name, parameters) extern "C" __attribute__((device, always_inline)) Result name parameters
