; A bool parameter becomes a byte; a pointer in a structure passed by value is known to be global.
; RUN: %passes=hiplz-kernel-parameters %s | FileCheck %s
%struct = type { float addrspace(4)*, i32 }

; CHECK-LABEL: define spir_kernel void @flags(i8 noundef zeroext %a, i32 %x, i8 %b, i32 addrspace(1)* %p)
; CHECK-DAG: [[A:%.*]] = icmp ne i8 %a, 0
; CHECK-DAG: [[B:%.*]] = icmp ne i8 %b, 0
; CHECK: and i1 [[A]], [[B]]
define spir_kernel void @flags(i1 noundef zeroext %a, i32 %x, i1 %b, i32 addrspace(1)* %p) {
  %c = and i1 %a, %b
  %v = zext i1 %c to i32
  store i32 %v, i32 addrspace(1)* %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @members(
; CHECK: [[P:%.*]] = load float addrspace(4)*, float addrspace(4)**
; CHECK: [[G:%.*]] = addrspacecast float addrspace(4)* [[P]] to float addrspace(1)*
; CHECK: [[W:%.*]] = addrspacecast float addrspace(1)* [[G]] to float addrspace(4)*
; CHECK: store float 1.000000e+00, float addrspace(4)* [[W]]
define spir_kernel void @members(%struct* byval(%struct) %s) {
  %m = getelementptr %struct, %struct* %s, i64 0, i32 0
  %p = load float addrspace(4)*, float addrspace(4)** %m
  store float 1.0, float addrspace(4)* %p
  ret void
}

; The kernel writes the structure itself: the pointer may be any.
; CHECK-LABEL: define spir_kernel void @written(
; CHECK-NOT: to float addrspace(1)*
define spir_kernel void @written(%struct* byval(%struct) %s, float addrspace(4)* %q) {
  %m = getelementptr %struct, %struct* %s, i64 0, i32 0
  store float addrspace(4)* %q, float addrspace(4)** %m
  %p = load float addrspace(4)*, float addrspace(4)** %m
  store float 1.0, float addrspace(4)* %p
  ret void
}

; CHECK-LABEL: define spir_func i1 @function(i1 %a)
define spir_func i1 @function(i1 %a) {
  ret i1 %a
}
