; A device function gets a name that no built-in of OpenCL has; kernels and declarations keep theirs.
; RUN: %passes=hiplz-device-names %s | FileCheck %s

; CHECK: define internal spir_func float @hip._Z3dotff(
define internal spir_func float @_Z3dotff(float %a, float %b) {
  %r = fsub float %a, %b
  ret float %r
}

; CHECK: define spir_kernel void @_Z3addPf(
; CHECK: call spir_func float @hip._Z3dotff(
; CHECK: call spir_func float @_Z3sinf(
define spir_kernel void @_Z3addPf(float addrspace(1)* %p) {
  %a = call spir_func float @_Z3dotff(float 1.0, float 2.0)
  %b = call spir_func float @_Z3sinf(float %a)
  store float %b, float addrspace(1)* %p
  ret void
}

; CHECK: declare spir_func float @_Z3sinf(float)
declare spir_func float @_Z3sinf(float)
