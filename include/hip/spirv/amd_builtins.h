// SPDX-License-Identifier: MIT
// A few built-in functions of AMD's compiler that programs call directly, by their names there.
#pragma once

#include "hip/spirv/clock.h"
#include "hip/spirv/grid.h"
#include "hip/spirv/lane_moves.h"
#include "hip/spirv/sync.h"
#include "hip/spirv/warp.h"

/// A pause in a loop that waits; others may run meanwhile. How long it is depends on the device.
__HIPLZ_DEVICE void __builtin_amdgcn_s_sleep(int) { __hiplz::yieldTo(nullptr); }

/// Counters of time, as clock64() and wall_clock64().
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_s_memtime() { return (unsigned long)clock64(); }
__HIPLZ_DEVICE unsigned long __builtin_amdgcn_s_memrealtime() { return (unsigned long)wall_clock64(); }

/// Barriers of the block and of the warp, and an order of memory accesses, which is the strongest whatever is asked for.
__HIPLZ_DEVICE void __builtin_amdgcn_s_barrier() { __syncthreads(); }
__HIPLZ_DEVICE void __builtin_amdgcn_wave_barrier() { __syncwarp(); }
__HIPLZ_DEVICE void __builtin_amdgcn_fence(unsigned, const char *) { __threadfence_system(); }

/// The warp and its lanes.
__HIPLZ_DEVICE unsigned __builtin_amdgcn_wavefrontsize() { return (unsigned)warpSize; }
__HIPLZ_DEVICE int __builtin_amdgcn_readfirstlane(int value) { return __hip_readfirstlane(value); }
__HIPLZ_DEVICE unsigned __builtin_amdgcn_mbcnt_lo(unsigned mask, unsigned added) { return __mbcnt_lo(mask, added); }
__HIPLZ_DEVICE unsigned __builtin_amdgcn_mbcnt_hi(unsigned mask, unsigned added) { return __mbcnt_hi(mask, added); }
__HIPLZ_DEVICE int __builtin_amdgcn_ds_bpermute(int address, int value) { return __hip_ds_bpermute(address, value); }
