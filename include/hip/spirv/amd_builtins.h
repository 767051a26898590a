// SPDX-License-Identifier: MIT
// The built-in functions of AMD's compiler that have a meaning on other hardware, under their names there
// (`__builtin_amdgcn_*`). Clang knows them for AMD's processors only, so that a program may call these without
// `__AMDGCN__` being defined. What they do is documented in AMD's ISA manuals and in Clang's description of the AMDGPU
// built-ins; a wave is a warp of 32 lanes, as on AMD's processors in their mode of 32. The others are refused by name
// (amd_refused.h). docs/amd-builtins.md lists all of them.
#pragma once

#include "hip/spirv/amd_integer_builtins.h"
#include "hip/spirv/amd_lane_builtins.h"
#include "hip/spirv/amd_math_builtins.h"
#include "hip/spirv/amd_memory_builtins.h"
#include "hip/spirv/amd_refused.h"
#include "hip/spirv/clock.h"
#include "hip/spirv/grid.h"
#include "hip/spirv/index.h"
#include "hip/spirv/sync.h"

/// A pause in a loop that waits; others may run meanwhile. How long it is depends on the device.
__HIPLZ_DEVICE void __builtin_amdgcn_s_sleep(int) { __hiplz::yieldTo(nullptr); }
__HIPLZ_DEVICE void __builtin_amdgcn_s_sleep_var(unsigned) { __hiplz::yieldTo(nullptr); }

/// Counters of time, as clock64() and wall_clock64().
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_s_memtime() { return (unsigned long)clock64(); }
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_s_memrealtime() { return (unsigned long)wall_clock64(); }

/// Barriers of the block and of the warp.
__HIPLZ_DEVICE void __builtin_amdgcn_s_barrier() { __syncthreads(); }
__HIPLZ_DEVICE void __builtin_amdgcn_wave_barrier() {
  __spirv_ControlBarrier(__hiplz_scope_warp, __hiplz_scope_warp, __hiplz_acquire_release);
}

// Advice to the hardware or its compiler, without meaning elsewhere: what waits for memory to arrive is done by whoever uses
// the value.
__HIPLZ_DEVICE void __builtin_amdgcn_s_waitcnt(int) {}
__HIPLZ_DEVICE void __builtin_amdgcn_s_setprio(short) {}
__HIPLZ_DEVICE void __builtin_amdgcn_s_incperflevel(int) {}
__HIPLZ_DEVICE void __builtin_amdgcn_s_decperflevel(int) {}
__HIPLZ_DEVICE void __builtin_amdgcn_s_ttracedata(int) {}
__HIPLZ_DEVICE void __builtin_amdgcn_s_ttracedata_imm(short) {}
__HIPLZ_DEVICE void __builtin_amdgcn_sched_barrier(int) {}
__HIPLZ_DEVICE void __builtin_amdgcn_sched_group_barrier(int, int, int) {}
__HIPLZ_DEVICE void __builtin_amdgcn_iglp_opt(int) {}

/// Where the thread is; blocks are work-groups, and the grid is counted in threads.
#define __HIPLZ_AMD_INDEX(name, dimension)                                                                             \
  __HIPLZ_DEVICE unsigned __builtin_amdgcn_workitem_id_##name() {                                                      \
    return (unsigned)__spirv_BuiltInLocalInvocationId(dimension);                                                      \
  }                                                                                                                    \
  __HIPLZ_DEVICE unsigned __builtin_amdgcn_workgroup_id_##name() {                                                     \
    return (unsigned)__spirv_BuiltInWorkgroupId(dimension);                                                            \
  }                                                                                                                    \
  __HIPLZ_DEVICE unsigned short __builtin_amdgcn_workgroup_size_##name() {                                             \
    return (unsigned short)__spirv_BuiltInWorkgroupSize(dimension);                                                    \
  }                                                                                                                    \
  __HIPLZ_DEVICE unsigned __builtin_amdgcn_grid_size_##name() {                                                        \
    return (unsigned)(__spirv_BuiltInWorkgroupSize(dimension) * __spirv_BuiltInNumWorkgroups(dimension));              \
  }
__HIPLZ_AMD_INDEX(x, 0)
__HIPLZ_AMD_INDEX(y, 1)
__HIPLZ_AMD_INDEX(z, 2)
#undef __HIPLZ_AMD_INDEX
