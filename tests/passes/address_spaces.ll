; The pipeline finds out what generic pointers point to, also through loops, selections and calls. What really may be
; several kinds of memory stays generic.
; RUN: %pipeline %s -S -o - | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spirv64"
@shared = internal addrspace(3) global [64 x i32] undef

; CHECK-LABEL: define spir_kernel void @elements(
; CHECK-NOT: addrspace(4)
; CHECK: load i32, i32 addrspace(1)*
; CHECK: store i32 {{.*}}, i32 addrspace(1)*
define spir_kernel void @elements(i32 addrspace(1)* %p, i64 %i) {
  %g = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %e = getelementptr i32, i32 addrspace(4)* %g, i64 %i
  %v = load i32, i32 addrspace(4)* %e
  %w = add i32 %v, 1
  store i32 %w, i32 addrspace(4)* %e
  ret void
}

; CHECK-LABEL: define spir_kernel void @loop(
; CHECK: phi i32 addrspace(1)*
; CHECK-NOT: addrspace(4)
; CHECK: store i32 7, i32 addrspace(1)*
define spir_kernel void @loop(i32 addrspace(1)* %p, i64 %n) {
entry:
  %g = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  br label %loop
loop:
  %at = phi i32 addrspace(4)* [ %g, %entry ], [ %next, %loop ]
  %i = phi i64 [ 0, %entry ], [ %j, %loop ]
  store i32 7, i32 addrspace(4)* %at
  %next = getelementptr i32, i32 addrspace(4)* %at, i64 1
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: define spir_kernel void @calls(
; CHECK: store i32 3, i32 addrspace(1)* %p
; CHECK: store i32 3, i32 addrspace(3)*
define spir_kernel void @calls(i32 addrspace(1)* %p, i64 %i) {
  %g = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  call spir_func void @set(i32 addrspace(4)* %g)
  %e = getelementptr [64 x i32], [64 x i32] addrspace(3)* @shared, i64 0, i64 %i
  %l = addrspacecast i32 addrspace(3)* %e to i32 addrspace(4)*
  call spir_func void @set(i32 addrspace(4)* %l)
  ret void
}
define internal spir_func void @set(i32 addrspace(4)* %p) {
  store i32 3, i32 addrspace(4)* %p
  ret void
}

; Either of two kinds.
; CHECK-LABEL: define spir_kernel void @either(
; CHECK: select i1 {{.*}}, i32 addrspace(4)*
; CHECK: store i32 1, i32 addrspace(4)*
define spir_kernel void @either(i32 addrspace(1)* %p, i1 %c, i64 %i) {
  %g = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %l = addrspacecast i32 addrspace(3)* getelementptr ([64 x i32], [64 x i32] addrspace(3)* @shared, i64 0, i64 0) to i32 addrspace(4)*
  %s = select i1 %c, i32 addrspace(4)* %g, i32 addrspace(4)* %l
  %e = getelementptr i32, i32 addrspace(4)* %s, i64 %i
  store i32 1, i32 addrspace(4)* %e
  ret void
}

; A pointer that was found in memory.
; CHECK-LABEL: define spir_kernel void @found(
; CHECK: store i32 1, i32 addrspace(4)*
define spir_kernel void @found(i32 addrspace(4)* addrspace(1)* %p) {
  %f = load i32 addrspace(4)*, i32 addrspace(4)* addrspace(1)* %p
  store i32 1, i32 addrspace(4)* %f
  ret void
}
