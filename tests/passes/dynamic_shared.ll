; A kernel that uses extern __shared__, directly or through a function, gets one trailing pointer; others do not change.
; RUN: %passes=hiplz-dynamic-shared %s | FileCheck %s %typed

; CHECK-NOT: @ints
; CHECK-NOT: @doubles
@ints = external addrspace(3) global [0 x i32], align 4
@doubles = external addrspace(3) global [0 x double], align 8
@unused = external addrspace(3) global [0 x i8], align 1
@fixed = internal addrspace(3) global [4 x i32] undef, align 4

; CHECK-LABEL: define spir_kernel void @direct(i32 addrspace(1)* noalias %p, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; CHECK-SAME: !kernel_arg_addr_space [[SPACES:![0-9]+]]
; CHECK-SAME: !kernel_arg_name [[NAMES:![0-9]+]]
; TYPED: bitcast <4 x i32> addrspace(3)* %hiplz.dynamic.shared to [0 x i32] addrspace(3)*
define spir_kernel void @direct(i32 addrspace(1)* noalias %p) !kernel_arg_addr_space !0 !kernel_arg_name !1 {
  %a = getelementptr [0 x i32], [0 x i32] addrspace(3)* @ints, i64 0, i64 3
  %v = load i32, i32 addrspace(3)* %a
  store i32 %v, i32 addrspace(1)* %p
  ret void
}

; Two arrays begin at the same place.
; CHECK-LABEL: define spir_func double @both(i64 %i, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; TYPED-DAG: bitcast <4 x i32> addrspace(3)* %hiplz.dynamic.shared to [0 x i32] addrspace(3)*
; TYPED-DAG: bitcast <4 x i32> addrspace(3)* %hiplz.dynamic.shared to [0 x double] addrspace(3)*
define spir_func double @both(i64 %i) {
  %a = getelementptr [0 x i32], [0 x i32] addrspace(3)* @ints, i64 0, i64 %i
  %v = load i32, i32 addrspace(3)* %a
  %b = getelementptr [0 x double], [0 x double] addrspace(3)* @doubles, i64 0, i64 %i
  %w = load double, double addrspace(3)* %b
  %f = sitofp i32 %v to double
  %r = fadd double %f, %w
  ret double %r
}

; CHECK-LABEL: define spir_func double @between(i64 %i, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; CHECK: call spir_func double @both(i64 %i, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
define spir_func double @between(i64 %i) {
  %r = call spir_func double @both(i64 %i)
  ret double %r
}

; CHECK-LABEL: define spir_kernel void @first(double addrspace(1)* %p, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; CHECK: call spir_func double @between(i64 1, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
define spir_kernel void @first(double addrspace(1)* %p) {
  %r = call spir_func double @between(i64 1)
  store double %r, double addrspace(1)* %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @second(<4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; CHECK: call spir_func double @both(i64 2, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
define spir_kernel void @second() {
  %r = call spir_func double @both(i64 2)
  ret void
}

; An address inside a constant expression, on an edge of a phi that comes twice from one block.
; CHECK-LABEL: define spir_kernel void @constant(i32 %x, i32 addrspace(1)* %p, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; CHECK: phi i32 addrspace(4)* [ [[A:%[0-9]+]], %entry ], [ [[A]], %entry ], [ null, %other ]
define spir_kernel void @constant(i32 %x, i32 addrspace(1)* %p) {
entry:
  switch i32 %x, label %other [ i32 1, label %join
                                i32 2, label %join ]
other:
  br label %join
join:
  %a = phi i32 addrspace(4)* [ addrspacecast (i32 addrspace(3)* getelementptr ([0 x i32], [0 x i32] addrspace(3)* @ints, i64 0, i64 5) to i32 addrspace(4)*), %entry ], [ addrspacecast (i32 addrspace(3)* getelementptr ([0 x i32], [0 x i32] addrspace(3)* @ints, i64 0, i64 5) to i32 addrspace(4)*), %entry ], [ null, %other ]
  %v = load i32, i32 addrspace(4)* %a
  store i32 %v, i32 addrspace(1)* %p
  ret void
}

; CHECK-LABEL: define spir_func i32 @recursive(i32 %n, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
; CHECK: call spir_func i32 @recursive(i32 %m, <4 x i32> addrspace(3)* %hiplz.dynamic.shared)
define spir_func i32 @recursive(i32 %n) {
  %c = icmp eq i32 %n, 0
  br i1 %c, label %end, label %more
end:
  %v = load i32, i32 addrspace(3)* getelementptr ([0 x i32], [0 x i32] addrspace(3)* @ints, i64 0, i64 0)
  ret i32 %v
more:
  %m = sub i32 %n, 1
  %r = call spir_func i32 @recursive(i32 %m)
  ret i32 %r
}

; CHECK-LABEL: define spir_kernel void @untouched(i32 addrspace(1)* %p) {
define spir_kernel void @untouched(i32 addrspace(1)* %p) {
  %a = getelementptr [4 x i32], [4 x i32] addrspace(3)* @fixed, i64 0, i64 0
  store i32 1, i32 addrspace(3)* %a
  ret void
}

; CHECK-DAG: [[SPACES]] = !{i32 1, i32 3}
; CHECK-DAG: [[NAMES]] = !{!"p", !"hiplz.dynamic.shared"}
!0 = !{i32 1}
!1 = !{!"p"}
