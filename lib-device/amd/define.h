// SPDX-License-Identifier: MIT
// How the functions that AMD's compiler calls by name are defined: over HIPLZ's own device functions, and inlined.
#pragma once
#include <hip/hip_runtime.h>

#define AMD_FUNCTION(Result, name, parameters) extern "C" __attribute__((device, always_inline)) Result name parameters
