// SPDX-License-Identifier: MIT
// Counters of time. All of them count cycles at the rate of hipDeviceAttributeClockRate and
// hipDeviceAttributeWallClockRate; on a GPU the rate follows its clock. Only differences between two reads by one
// thread mean something.
#pragma once

#include "hip/spirv/builtins.h"

// Intel's compiler and the CPU device know this function. SPIR-V's instruction for it needs an extension that the translator
// of LLVM 15 does not have.
__attribute__((device)) unsigned long intel_get_cycle_counter();

__HIPLZ_DEVICE long long clock64() { return (long long)intel_get_cycle_counter(); }
__HIPLZ_DEVICE long long __clock64() { return clock64(); }
__HIPLZ_DEVICE long long __clock() { return clock64(); }
__HIPLZ_DEVICE long long clock() { return clock64(); }
__HIPLZ_DEVICE long long wall_clock64() { return clock64(); }
