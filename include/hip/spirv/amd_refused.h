// SPDX-License-Identifier: MIT
// The built-in functions of AMD's compiler that are refused, by name and with the reason. A template costs little until it is
// called.
#pragma once

#define __HIPLZ_AMD_REFUSED(name, reason)                                                                              \
  template <class... T>                                                                                                \
  __attribute__((device, unavailable("not supported by HIPLZ: " reason))) int __builtin_amdgcn_##name(T...);

#define __HIPLZ_AMD_REASON                                                                                             \
  "the matrix instructions of AMD's processors have no counterpart; rocWMMA's fragments and their layout are those "   \
  "of AMD's hardware"
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x1f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x1f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_4x4x1f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x2f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x4f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x4f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x4f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_4x4x4f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x8f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x16f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_32x32x4i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_16x16x4i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_4x4x4i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_32x32x8i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_16x16x16i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x2bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x2bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_4x4x2bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x4bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x8bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x4bf16_1k, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x4bf16_1k, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_4x4x4bf16_1k, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x8bf16_1k, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x16bf16_1k, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f64_16x16x4f64, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f64_4x4x4f64, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_16x16x32_i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_i32_32x32x16_i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x8_xf32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x4_xf32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x32_bf8_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x32_bf8_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x32_fp8_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x32_fp8_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x16_bf8_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x16_bf8_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x16_fp8_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x16_fp8_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x32_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_16x16x32_bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x16_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(mfma_f32_32x32x16_bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(smfmac_f32_16x16x32_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(smfmac_f32_32x32x16_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(smfmac_f32_16x16x32_bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(smfmac_f32_32x32x16_bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(smfmac_i32_16x16x64_i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(smfmac_i32_32x32x32_i8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(wmma_f32_16x16x16_f16_w32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(wmma_f32_16x16x16_bf16_w32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(wmma_f16_16x16x16_f16_w32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(wmma_bf16_16x16x16_bf16_w32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(wmma_i32_16x16x16_iu8_w32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(wmma_i32_16x16x16_iu4_w32, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "buffer resources are descriptors of AMD's hardware"
__HIPLZ_AMD_REFUSED(make_buffer_rsrc, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_store_b8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_store_b16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_store_b32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_store_b64, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_store_b96, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_store_b128, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_load_b8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_load_b16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_load_b32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_load_b64, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_load_b96, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(raw_buffer_load_b128, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON                                                                                             \
  "it reads memory that AMD's runtime fills; blockDim, gridDim and the arguments of the kernel say the same"
__HIPLZ_AMD_REFUSED(dispatch_ptr, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(queue_ptr, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(kernarg_segment_ptr, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(implicitarg_ptr, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(groupstaticsize, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "it reads or writes registers of AMD's hardware"
__HIPLZ_AMD_REFUSED(s_getreg, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_setreg, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_getpc, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_sendmsg, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_sendmsghalt, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_sendmsg_rtn, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_sendmsg_rtnl, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(get_fpenv, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(set_fpenv, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_wait_event_export_ready, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "SPIR-V cannot end one thread; return from the kernel, or call abort() to end the grid"
__HIPLZ_AMD_REFUSED(endpgm, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON                                                                                             \
  "named barriers and the global wave sync are resources of AMD's hardware; __syncthreads() and cooperative groups "   \
  "are portable"
__HIPLZ_AMD_REFUSED(ds_gws_init, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(ds_gws_barrier, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(ds_gws_sema_v, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(ds_gws_sema_br, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(ds_gws_sema_p, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(ds_gws_sema_release_all, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_signal, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_signal_var, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_wait, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_signal_isfirst, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_init, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_join, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_barrier_leave, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(s_get_barrier_state, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON                                                                                             \
  "it is a step of the division or of the reduction of angles that AMD's compiler generates; use the operators and "   \
  "functions of HIP"
__HIPLZ_AMD_REFUSED(div_scale, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(div_scalef, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(div_fmas, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(div_fmasf, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(div_fixup, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(div_fixupf, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(div_fixuph, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(trig_preop, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(trig_preopf, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "it belongs to graphics"
__HIPLZ_AMD_REFUSED(interp_p1, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(interp_p2, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(interp_mov, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(interp_p1_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(interp_p2_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cubeid, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cubesc, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cubetc, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cubema, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(image_bvh_intersect_ray, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(image_bvh_intersect_ray_h, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(image_bvh_intersect_ray_l, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(image_bvh_intersect_ray_lh, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(ds_bvh_stack_rtn, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "its rounding is documented nowhere"
__HIPLZ_AMD_REFUSED(cvt_pk_u8_f32, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "copies from memory to __shared__ memory past the registers exist on AMD's hardware only"
__HIPLZ_AMD_REFUSED(global_load_lds, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "use the conversions of hip_fp8.h"
__HIPLZ_AMD_REFUSED(cvt_f32_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_f32_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_pk_f32_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_pk_f32_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_pk_bf8_f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_pk_fp8_f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_sr_bf8_f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(cvt_sr_fp8_f32, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(dot4_f32_fp8_bf8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(dot4_f32_bf8_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(dot4_f32_fp8_fp8, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(dot4_f32_bf8_bf8, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON

#define __HIPLZ_AMD_REASON "use fmaf, or __hfma of hip_fp16.h and hip_bf16.h"
__HIPLZ_AMD_REFUSED(fdot2_f16_f16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(fdot2_bf16_bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(fdot2_f32_bf16, __HIPLZ_AMD_REASON)
__HIPLZ_AMD_REFUSED(fdot2c_f32_bf16, __HIPLZ_AMD_REASON)
#undef __HIPLZ_AMD_REASON
#undef __HIPLZ_AMD_REFUSED
