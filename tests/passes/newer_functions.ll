; Functions that clang makes intrinsics of, but the translator does not take, become instructions of OpenCL.
; REQUIRES: llvm-20
; RUN: %passes=hiplz-lower-intrinsics %s | FileCheck %s

; CHECK-LABEL: @angles(
; CHECK: call {{.*}}float @_Z17__spirv_ocl_atan2ff(float %x, float %y)
; CHECK: call {{.*}}double @_Z17__spirv_ocl_atan2dd(double %v, double %w)
define void @angles(float %x, float %y, double %v, double %w, ptr addrspace(1) %to) {
  %a = call float @llvm.atan2.f32(float %x, float %y)
  %b = call double @llvm.atan2.f64(double %v, double %w)
  store float %a, ptr addrspace(1) %to
  store double %b, ptr addrspace(1) %to
  ret void
}
declare float @llvm.atan2.f32(float, float)
declare double @llvm.atan2.f64(double, double)
