; A module in which a division or a square root of float must be rounded correctly says so.
; RUN: split-file %s %t
; RUN: %passes=hiplz-rounding %t/division.ll | FileCheck %s --check-prefix=MARK
; RUN: %passes=hiplz-rounding %t/vector.ll | FileCheck %s --check-prefix=MARK
; RUN: %passes=hiplz-rounding %t/root.ll | FileCheck %s --check-prefix=MARK
; RUN: %passes=hiplz-rounding %t/mixed.ll | FileCheck %s --check-prefix=MARK
; RUN: %passes=hiplz-rounding %t/inaccurate.ll | FileCheck %s --check-prefix=NONE
; RUN: %passes=hiplz-rounding %t/others.ll | FileCheck %s --check-prefix=NONE
; MARK: !opencl.used.extensions = !{[[MARK:![0-9]+]]}
; MARK: [[MARK]] = !{!"hiplz_correctly_rounded_divide_sqrt"}
; NONE-NOT: hiplz_correctly_rounded

;--- division.ll
define float @f(float %a, float %b) {
  %q = fdiv float %a, %b
  ret float %q
}
;--- vector.ll
define <2 x float> @f(<2 x float> %a, <2 x float> %b) {
  %q = fdiv contract <2 x float> %a, %b
  ret <2 x float> %q
}
;--- root.ll
declare spir_func float @_Z16__spirv_ocl_sqrtf(float)
define float @f(float %a) {
  %q = call spir_func float @_Z16__spirv_ocl_sqrtf(float %a)
  ret float %q
}
;--- mixed.ll
define float @f(float %a, float %b) {
  %q = fdiv float %a, %b, !fpmath !0
  %r = fdiv float %q, %b
  ret float %r
}
!0 = !{float 2.5}
;--- inaccurate.ll
; Code of clang 15 with -fno-hip-fp32-correctly-rounded-divide-sqrt, and with -ffast-math.
declare float @llvm.sqrt.f32(float)
define float @f(float %a, float %b) {
  %q = fdiv float %a, %b, !fpmath !0
  %r = call float @llvm.sqrt.f32(float %q)
  %s = call fast float @llvm.sqrt.f32(float %r)
  %t = fdiv arcp float %s, %b
  ret float %t
}
!0 = !{float 2.5}
;--- others.ll
declare double @llvm.sqrt.f64(double)
define double @f(double %a, double %b, half %c, half %d) {
  %q = fdiv double %a, %b
  %r = call double @llvm.sqrt.f64(double %q)
  %h = fdiv half %c, %d
  %w = fpext half %h to double
  %s = fadd double %r, %w
  ret double %s
}
