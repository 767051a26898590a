// SPDX-License-Identifier: MIT
// LLVM's intrinsics for AMD's GPUs: llvm.amdgcn.x.y is __amd_x_y here (src/fatbin/amd_spirv.h). They are what the headers
// have as __builtin_amdgcn_x_y.
#include "define.h"

#define AMD_INTRINSIC(Result, name, parameters) AMD_FUNCTION(Result, __amd_##name, parameters)

AMD_INTRINSIC(unsigned, wavefrontsize, ()) { return __builtin_amdgcn_wavefrontsize(); }
AMD_INTRINSIC(unsigned, workitem_id_x, ()) { return threadIdx.x; }
AMD_INTRINSIC(unsigned, workitem_id_y, ()) { return threadIdx.y; }
AMD_INTRINSIC(unsigned, workitem_id_z, ()) { return threadIdx.z; }
AMD_INTRINSIC(unsigned, workgroup_id_x, ()) { return blockIdx.x; }
AMD_INTRINSIC(unsigned, workgroup_id_y, ()) { return blockIdx.y; }
AMD_INTRINSIC(unsigned, workgroup_id_z, ()) { return blockIdx.z; }

// Barriers, time, and advice that nothing follows.
AMD_INTRINSIC(void, s_barrier, ()) { __syncthreads(); }
AMD_INTRINSIC(void, wave_barrier, ()) { __builtin_amdgcn_wave_barrier(); }
AMD_INTRINSIC(void, s_sleep, (int)) {}
AMD_INTRINSIC(void, s_sleep_var, (unsigned)) {}
AMD_INTRINSIC(void, s_waitcnt, (int)) {}
AMD_INTRINSIC(void, s_setprio, (short)) {}
AMD_INTRINSIC(void, sched_barrier, (int)) {}
AMD_INTRINSIC(void, sched_group_barrier, (int, int, int)) {}
AMD_INTRINSIC(void, iglp_opt, (int)) {}
AMD_INTRINSIC(unsigned long, s_memtime, ()) { return __builtin_amdgcn_s_memtime(); }
AMD_INTRINSIC(unsigned long, s_memrealtime, ()) { return __builtin_amdgcn_s_memrealtime(); }

// Lanes.
AMD_INTRINSIC(unsigned, mbcnt_lo, (unsigned mask, unsigned added)) { return __builtin_amdgcn_mbcnt_lo(mask, added); }
AMD_INTRINSIC(unsigned, mbcnt_hi, (unsigned mask, unsigned added)) { return __builtin_amdgcn_mbcnt_hi(mask, added); }
AMD_INTRINSIC(unsigned, ballot_i32, (bool holds)) { return __builtin_amdgcn_ballot_w32(holds); }
AMD_INTRINSIC(unsigned long, ballot_i64, (bool holds)) { return __builtin_amdgcn_ballot_w64(holds); }
AMD_INTRINSIC(bool, inverse_ballot_i32, (unsigned mask)) { return __builtin_amdgcn_inverse_ballot_w32(mask); }
AMD_INTRINSIC(bool, inverse_ballot_i64, (unsigned long mask)) { return __builtin_amdgcn_inverse_ballot_w64(mask); }
AMD_INTRINSIC(int, ds_bpermute, (int address, int value)) { return __builtin_amdgcn_ds_bpermute(address, value); }
AMD_INTRINSIC(int, ds_permute, (int address, int value)) { return __builtin_amdgcn_ds_permute(address, value); }
AMD_INTRINSIC(int, ds_swizzle, (int value, int pattern)) { return __builtin_amdgcn_ds_swizzle(value, pattern); }
AMD_INTRINSIC(int, mov_dpp_i32, (int value, int control, int rows, int banks, bool bound)) {
  return __builtin_amdgcn_mov_dpp(value, control, rows, banks, bound);
}
AMD_INTRINSIC(int, update_dpp_i32, (int old, int value, int control, int rows, int banks, bool bound)) {
  return __builtin_amdgcn_update_dpp(old, value, control, rows, banks, bound);
}
AMD_INTRINSIC(int, readfirstlane, (int value)) { return __builtin_amdgcn_readfirstlane(value); }
AMD_INTRINSIC(int, readfirstlane_i32, (int value)) { return __builtin_amdgcn_readfirstlane(value); }
AMD_INTRINSIC(int, readlane, (int value, int lane)) { return __builtin_amdgcn_readlane(value, lane); }
AMD_INTRINSIC(int, readlane_i32, (int value, int lane)) { return __builtin_amdgcn_readlane(value, lane); }
AMD_INTRINSIC(int, writelane, (int value, int lane, int old)) { return __builtin_amdgcn_writelane(value, lane, old); }
AMD_INTRINSIC(int, writelane_i32, (int value, int lane, int old)) {
  return __builtin_amdgcn_writelane(value, lane, old);
}

// Numbers.
AMD_INTRINSIC(float, rcp_f32, (float x)) { return __builtin_amdgcn_rcpf(x); }
AMD_INTRINSIC(double, rcp_f64, (double x)) { return __builtin_amdgcn_rcp(x); }
AMD_INTRINSIC(float, rsq_f32, (float x)) { return __builtin_amdgcn_rsqf(x); }
AMD_INTRINSIC(double, rsq_f64, (double x)) { return __builtin_amdgcn_rsq(x); }
AMD_INTRINSIC(float, sqrt_f32, (float x)) { return __builtin_amdgcn_sqrtf(x); }
AMD_INTRINSIC(float, log_f32, (float x)) { return __builtin_amdgcn_logf(x); }
AMD_INTRINSIC(float, exp2_f32, (float x)) { return __builtin_amdgcn_exp2f(x); }
AMD_INTRINSIC(float, sin_f32, (float x)) { return __builtin_amdgcn_sinf(x); }
AMD_INTRINSIC(float, cos_f32, (float x)) { return __builtin_amdgcn_cosf(x); }
AMD_INTRINSIC(float, fract_f32, (float x)) { return __builtin_amdgcn_fractf(x); }
AMD_INTRINSIC(double, fract_f64, (double x)) { return __builtin_amdgcn_fract(x); }
AMD_INTRINSIC(float, fmed3_f32, (float x, float y, float z)) { return __builtin_amdgcn_fmed3f(x, y, z); }

// Pointers.
AMD_INTRINSIC(bool, is_shared, (const void *pointer)) { return __builtin_amdgcn_is_shared(pointer); }
