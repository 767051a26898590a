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
AMD_INTRINSIC(float, rsq_clamp_f32, (float x)) { return __builtin_amdgcn_rsq_clampf(x); }
AMD_INTRINSIC(double, rsq_clamp_f64, (double x)) { return __builtin_amdgcn_rsq_clamp(x); }
AMD_INTRINSIC(float, log_clamp_f32, (float x)) { return __builtin_amdgcn_log_clampf(x); }
AMD_INTRINSIC(double, sqrt_f64, (double x)) { return __builtin_amdgcn_sqrt(x); }
AMD_INTRINSIC(float, frexp_mant_f32, (float x)) { return __builtin_amdgcn_frexp_mantf(x); }
AMD_INTRINSIC(double, frexp_mant_f64, (double x)) { return __builtin_amdgcn_frexp_mant(x); }
AMD_INTRINSIC(int, frexp_exp_i32_f32, (float x)) { return __builtin_amdgcn_frexp_expf(x); }
AMD_INTRINSIC(int, frexp_exp_i32_f64, (double x)) { return __builtin_amdgcn_frexp_exp(x); }
AMD_INTRINSIC(bool, class_f32, (float x, int classes)) { return __builtin_amdgcn_classf(x, classes); }
AMD_INTRINSIC(bool, class_f64, (double x, int classes)) { return __builtin_amdgcn_class(x, classes); }

// Half precision, and pairs of 16 bits.
AMD_INTRINSIC(_Float16, rcp_f16, (_Float16 x)) { return __builtin_amdgcn_rcph(x); }
AMD_INTRINSIC(_Float16, rsq_f16, (_Float16 x)) { return __builtin_amdgcn_rsqh(x); }
AMD_INTRINSIC(_Float16, sqrt_f16, (_Float16 x)) { return __builtin_amdgcn_sqrth(x); }
AMD_INTRINSIC(_Float16, sin_f16, (_Float16 x)) { return __builtin_amdgcn_sinh(x); }
AMD_INTRINSIC(_Float16, cos_f16, (_Float16 x)) { return __builtin_amdgcn_cosh(x); }
AMD_INTRINSIC(_Float16, fract_f16, (_Float16 x)) { return __builtin_amdgcn_fracth(x); }
AMD_INTRINSIC(_Float16, fmed3_f16, (_Float16 x, _Float16 y, _Float16 z)) { return __builtin_amdgcn_fmed3h(x, y, z); }
AMD_INTRINSIC(_Float16, frexp_mant_f16, (_Float16 x)) { return __builtin_amdgcn_frexp_manth(x); }
AMD_INTRINSIC(short, frexp_exp_i16_f16, (_Float16 x)) { return __builtin_amdgcn_frexp_exph(x); }
AMD_INTRINSIC(bool, class_f16, (_Float16 x, int classes)) { return __builtin_amdgcn_classh(x, classes); }
AMD_INTRINSIC(__hiplz::AmdPackedHalf, cvt_pkrtz, (float x, float y)) {
  return __builtin_bit_cast(__hiplz::AmdPackedHalf, __builtin_amdgcn_cvt_pkrtz(x, y));
}
#define PACKED(name, T)                                                                                                \
  AMD_INTRINSIC(__hiplz::AmdPackedShort, name, (T x, T y)) {                                                           \
    return __builtin_bit_cast(__hiplz::AmdPackedShort, __builtin_amdgcn_##name(x, y));                                 \
  }
PACKED(cvt_pk_i16, int)
PACKED(cvt_pk_u16, unsigned)
PACKED(cvt_pknorm_i16, float)
PACKED(cvt_pknorm_u16, float)

// Integers.
#define THREE(name)                                                                                                    \
  AMD_INTRINSIC(unsigned, name, (unsigned x, unsigned y, unsigned z)) { return __builtin_amdgcn_##name(x, y, z); }
THREE(alignbyte)
THREE(lerp)
THREE(perm)
THREE(sad_u8)
THREE(sad_u16)
THREE(sad_hi_u8)
THREE(msad_u8)
AMD_INTRINSIC(unsigned, ubfe_i32, (unsigned x, unsigned offset, unsigned width)) {
  return __builtin_amdgcn_ubfe(x, offset, width);
}
AMD_INTRINSIC(int, sbfe_i32, (int x, unsigned offset, unsigned width)) {
  return __builtin_amdgcn_sbfe(x, offset, width);
}
AMD_INTRINSIC(unsigned long, qsad_pk_u16_u8, (unsigned long x, unsigned y, unsigned long z)) {
  return __builtin_amdgcn_qsad_pk_u16_u8(x, y, z);
}
AMD_INTRINSIC(unsigned long, mqsad_pk_u16_u8, (unsigned long x, unsigned y, unsigned long z)) {
  return __builtin_amdgcn_mqsad_pk_u16_u8(x, y, z);
}
AMD_INTRINSIC(int, sdot4, (int x, int y, int z, bool clamp)) { return __builtin_amdgcn_sdot4(x, y, z, clamp); }
AMD_INTRINSIC(int, sdot8, (int x, int y, int z, bool clamp)) { return __builtin_amdgcn_sdot8(x, y, z, clamp); }
AMD_INTRINSIC(unsigned, udot4, (unsigned x, unsigned y, unsigned z, bool clamp)) {
  return __builtin_amdgcn_udot4(x, y, z, clamp);
}
AMD_INTRINSIC(unsigned, udot8, (unsigned x, unsigned y, unsigned z, bool clamp)) {
  return __builtin_amdgcn_udot8(x, y, z, clamp);
}
AMD_INTRINSIC(int, sudot4, (bool xSign, int x, bool ySign, int y, int z, bool clamp)) {
  return __builtin_amdgcn_sudot4(xSign, x, ySign, y, z, clamp);
}
AMD_INTRINSIC(int, sudot8, (bool xSign, int x, bool ySign, int y, int z, bool clamp)) {
  return __builtin_amdgcn_sudot8(xSign, x, ySign, y, z, clamp);
}
AMD_INTRINSIC(int, sdot2, (__hiplz::AmdPackedShort x, __hiplz::AmdPackedShort y, int z, bool clamp)) {
  return __builtin_amdgcn_sdot2(x, y, z, clamp);
}
AMD_INTRINSIC(unsigned, udot2, (__hiplz::AmdPackedUShort x, __hiplz::AmdPackedUShort y, unsigned z, bool clamp)) {
  return __builtin_amdgcn_udot2(x, y, z, clamp);
}
AMD_INTRINSIC(float, fdot2, (__hiplz::AmdPackedHalf x, __hiplz::AmdPackedHalf y, float z, bool clamp)) {
  return __builtin_amdgcn_fdot2(x, y, z, clamp);
}

// Pointers, which the intrinsics take as private ones. AmdDialectPass calls these functions with the pointer that they come from.
extern "C" __device__ __attribute__((noinline)) bool __amd_generic_is_shared(const void *pointer) {
  return __builtin_amdgcn_is_shared(pointer);
}
extern "C" __device__ __attribute__((noinline)) bool __amd_generic_is_private(const void *pointer) {
  return __builtin_amdgcn_is_private(pointer);
}
AMD_INTRINSIC(bool, is_shared, (const PRIVATE void *pointer)) { return __amd_generic_is_shared((const void *)pointer); }
AMD_INTRINSIC(bool, is_private, (const PRIVATE void *pointer)) {
  return __amd_generic_is_private((const void *)pointer);
}
