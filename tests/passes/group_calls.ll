; Calls of functions that reach an operation of a warp must not become one; so of functions that nobody knows.
; RUN: %passes=hiplz-group-calls %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spirv64"

declare spir_func i32 @_Z27__spirv_GroupNonUniformAlliib(i32, i1) convergent nomerge
declare spir_func float @_Z15__spirv_ocl_sinf(float) convergent
declare spir_func i32 @elsewhere(i32) convergent

define spir_func i32 @votes(i1 %b) convergent {
  %r = call spir_func i32 @_Z27__spirv_GroupNonUniformAlliib(i32 3, i1 %b) convergent nomerge
  ret i32 %r
}

; CHECK-LABEL: @indirectly(
; CHECK: call spir_func i32 @votes(i1 %b) [[APART:#[0-9]+]]
define spir_func i32 @indirectly(i1 %b) convergent {
  %r = call spir_func i32 @votes(i1 %b) convergent
  ret i32 %r
}

define spir_func i32 @recursive(i32 %n) convergent {
  %end = icmp eq i32 %n, 0
  br i1 %end, label %vote, label %again
vote:
  %r = call spir_func i32 @votes(i1 true) convergent
  ret i32 %r
again:
  %m = add i32 %n, -1
  %s = call spir_func i32 @recursive(i32 %m) convergent
  ret i32 %s
}

define spir_func float @plain(float %x) convergent {
  %r = call spir_func float @_Z15__spirv_ocl_sinf(float %x) convergent
  ret float %r
}

; CHECK-LABEL: @arms(
; CHECK: call spir_func i32 @indirectly(i1 true) [[APART]]
; CHECK: call spir_func i32 @recursive(i32 2) [[APART]]
; CHECK: call spir_func i32 @elsewhere(i32 1) [[APART]]
; CHECK: call spir_func i32 %pointer(i32 1) [[APART]]
; CHECK: call void asm sideeffect "bar.warp.sync", ""() [[APART]]
; CHECK: call spir_func float @plain(float 1.000000e+00) [[TOGETHER:#[0-9]+]]
define spir_kernel void @arms(i32 (i32)* %pointer) convergent {
  %a = call spir_func i32 @indirectly(i1 true) convergent
  %b = call spir_func i32 @recursive(i32 2) convergent
  %c = call spir_func i32 @elsewhere(i32 1) convergent
  %d = call spir_func i32 %pointer(i32 1) convergent
  call void asm sideeffect "bar.warp.sync", ""() convergent
  %e = call spir_func float @plain(float 1.0) convergent
  ret void
}

; CHECK-DAG: attributes [[APART]] = { convergent nomerge }
; CHECK-DAG: attributes [[TOGETHER]] = { convergent }
