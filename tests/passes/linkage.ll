; Kernels and what the host looks up stay visible; the rest of the program becomes internal.
; RUN: %passes=hiplz-prepare,hiplz-linkage %s | FileCheck %s
; RUN: %passes=hiplz-prepare,hiplz-linkage,globaldce %s | FileCheck %s --check-prefix=DCE

; CHECK-NOT: llvm.compiler.used
; CHECK-NOT: __hip_cuid
; CHECK-NOT: comdat
; CHECK-DAG: @counter = addrspace(1) externally_initialized global i32 7
; CHECK-DAG: @_ZL6hidden = addrspace(1) externally_initialized global i32 9
; CHECK-DAG: @private_to_unit = internal addrspace(1) externally_initialized global i32 1
; CHECK-DAG: @table = internal addrspace(1) constant i32 3
; CHECK-DAG: @__hiplz_heap = addrspace(1) global i64 0
; CHECK-NOT: @__hiplz_unused
@counter = hidden addrspace(1) externally_initialized global i32 7
@_ZL6hidden = addrspace(1) externally_initialized global i32 9
@private_to_unit = internal addrspace(1) externally_initialized global i32 1
@table = linkonce_odr addrspace(1) constant i32 3
@__hiplz_heap = weak addrspace(1) global i64 0
@__hiplz_unused = weak addrspace(1) global i64 0
@__hip_cuid_1 = addrspace(1) global i8 0
@llvm.compiler.used = appending global [1 x i8*] [i8* addrspacecast (i8 addrspace(1)* bitcast (i32 addrspace(1)* @counter to i8 addrspace(1)*) to i8*)], section "llvm.metadata"

$generic = comdat any

; CHECK-LABEL: define spir_kernel void @generic(
; CHECK: call spir_func void @constructor()
define weak_odr hidden spir_kernel void @generic(i32 addrspace(1)* %p) comdat {
  call spir_func void @alias()
  %a = load i32, i32 addrspace(1)* @table
  %b = load i64, i64 addrspace(1)* @__hiplz_heap
  %c = load i32, i32 addrspace(1)* @private_to_unit
  store i32 %a, i32 addrspace(1)* %p
  ret void
}

; An inline function is the same in all modules.
; CHECK-LABEL: define internal spir_func void @constructor()
; CHECK-SAME: [[INLINE:#[0-9]+]] {
define linkonce_odr spir_func void @constructor() {
  ret void
}
@alias = weak alias void (), void ()* @constructor

; CHECK: define internal spir_func void @dead() {
; DCE-NOT: @dead
define hidden spir_func void @dead() {
  ret void
}

; CHECK: attributes [[INLINE]] = { "hiplz-same-everywhere" }

; Each linked file brings a version; one remains.
; CHECK: !opencl.ocl.version = !{[[VERSION:![0-9]+]]}
; CHECK-NOT: llvm.ident
; CHECK: [[VERSION]] = !{i32 2, i32 0}
!opencl.ocl.version = !{!0, !0}
!llvm.ident = !{!1, !1}
!0 = !{i32 0, i32 0}
!1 = !{!"clang"}
