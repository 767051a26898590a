; Variables that the runtime fills are defined where a kernel uses them, and only there.
; RUN: %passes=hiplz-linkage,globaldce,hiplz-runtime-variables %s | FileCheck %s
; RUN: not %passes=hiplz-linkage %S/linkage_undefined.ll 2>&1 | FileCheck %s --check-prefix=OTHER
; CHECK-NOT: @__hiplz_unused
; CHECK-NOT: @__hiplz_dead
; CHECK: @__hiplz_heap = addrspace(1) externally_initialized global i64 0
; CHECK: @__hiplz_table = addrspace(1) externally_initialized global [4 x i32] zeroinitializer
; CHECK-NOT: @__hiplz_unused
; CHECK-NOT: @__hiplz_dead
; OTHER: error: the device variable 'space::missing' is used but not defined
@__hiplz_heap = external hidden addrspace(1) global i64
@__hiplz_unused = external addrspace(1) global i64
@__hiplz_dead = external addrspace(1) global i64
@__hiplz_table = external addrspace(1) externally_initialized global [4 x i32]
define spir_func i64 @dead() {
  %v = load i64, i64 addrspace(1)* @__hiplz_dead
  ret i64 %v
}
define spir_kernel void @k(i64 addrspace(1)* %p) {
  %v = load i64, i64 addrspace(1)* @__hiplz_heap
  %t = load i32, i32 addrspace(1)* getelementptr inbounds ([4 x i32], [4 x i32] addrspace(1)* @__hiplz_table, i64 0, i64 2)
  %w = zext i32 %t to i64
  %s = add i64 %v, %w
  store i64 %s, i64 addrspace(1)* %p
  ret void
}
