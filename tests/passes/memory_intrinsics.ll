; Copies and fills of memory: what the translator knows stays, what it does not becomes that or a loop.
; RUN: %passes=hiplz-lower-intrinsics %s | FileCheck %s
; RUN: %pipeline %s -o %t.bc && %llvm_spirv %t.bc -o %t.spv && spirv-val --target-env spv1.3 %t.spv && spirv-dis %t.spv | FileCheck %s --check-prefix=SPIRV
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spirv64"
; SPIRV: OpCopyMemorySized
; SPIRV-NOT: llvm.mem

; Fills with a constant and with a value, of a known and an unknown size, of nothing.
; CHECK-LABEL: @fills(
; CHECK-COUNT-5: call void @llvm.memset.p1i8.
define spir_kernel void @fills(i8 addrspace(1)* %p, i8 %v, i64 %n) {
  call void @llvm.memset.p1i8.i64(i8 addrspace(1)* align 4 %p, i8 0, i64 64, i1 false)
  call void @llvm.memset.p1i8.i64(i8 addrspace(1)* %p, i8 %v, i64 64, i1 false)
  call void @llvm.memset.p1i8.i64(i8 addrspace(1)* %p, i8 %v, i64 %n, i1 false)
  call void @llvm.memset.p1i8.i32(i8 addrspace(1)* %p, i8 1, i32 7, i1 true)
  call void @llvm.memset.p1i8.i64(i8 addrspace(1)* %p, i8 1, i64 0, i1 false)
  ret void
}

; CHECK-LABEL: @copies(
; CHECK: call void @llvm.memcpy.p1i8.p4i8.i64({{.*}}, i64 64, i1 false)
; CHECK: call void @llvm.memcpy.p1i8.p4i8.i64({{.*}}, i64 %n, i1 false)
define spir_kernel void @copies(i8 addrspace(1)* %p, i8 addrspace(1)* %q, i64 %n) {
  %g = addrspacecast i8 addrspace(1)* %q to i8 addrspace(4)*
  call void @llvm.memcpy.p1i8.p4i8.i64(i8 addrspace(1)* %p, i8 addrspace(4)* %g, i64 64, i1 false)
  call void @llvm.memcpy.p1i8.p4i8.i64(i8 addrspace(1)* %p, i8 addrspace(4)* %g, i64 %n, i1 false)
  ret void
}

; The forms that may not call a library.
; CHECK-LABEL: @inlined(
; CHECK-NEXT: call void @llvm.memcpy.p1i8.p3i8.i64(i8 addrspace(1)* align 8 %p, i8 addrspace(3)* align 4 %q, i64 16, i1 true)
; CHECK-NEXT: call void @llvm.memset.p1i8.i64(i8 addrspace(1)* align 2 %p, i8 %v, i64 8, i1 false)
; CHECK-NEXT: ret void
define spir_kernel void @inlined(i8 addrspace(1)* %p, i8 %v, i8 addrspace(3)* %q) {
  call void @llvm.memcpy.inline.p1i8.p3i8.i64(i8 addrspace(1)* align 8 %p, i8 addrspace(3)* align 4 %q, i64 16, i1 true)
  call void @llvm.memset.inline.p1i8.i64(i8 addrspace(1)* align 2 %p, i8 %v, i64 8, i1 false)
  ret void
}

; Memory that may overlap is copied in the order that does not overwrite what is still to be read.
; CHECK-LABEL: @moves(
; CHECK-NOT: call
; CHECK: icmp ult i8 addrspace(1)* %q, %p
; CHECK-COUNT-2: store i8
; CHECK: ret void
define spir_kernel void @moves(i8 addrspace(1)* %p, i8 addrspace(1)* %q, i64 %n) {
  call void @llvm.memmove.p1i8.p1i8.i64(i8 addrspace(1)* %p, i8 addrspace(1)* %q, i64 %n, i1 false)
  ret void
}
; A structure is read before it is written, in words: lanes may move structures to one another.
; CHECK-LABEL: @moves_structure(
; CHECK: load i32, {{.*}}, align 8
; CHECK: load i32, {{.*}}, align 4
; CHECK: load i32, {{.*}}, align 8
; CHECK-NOT: load
; CHECK: store i32 {{.*}}, align 4
; CHECK: store i32 {{.*}}, align 4
; CHECK: store i32 {{.*}}, align 4
; CHECK: ret void
define spir_kernel void @moves_structure(i8 addrspace(1)* %p, i8 addrspace(1)* %q) {
  call void @llvm.memmove.p1i8.p1i8.i64(i8 addrspace(1)* align 4 %p, i8 addrspace(1)* align 8 %q, i64 12, i1 false)
  ret void
}

; CHECK-LABEL: @moves_bytes(
; CHECK: load i64
; CHECK: load i32
; CHECK: load i16
; CHECK: load i8
; CHECK: store i64
; CHECK: store i8
; CHECK: load volatile i64
; CHECK: store volatile i64
; CHECK-LABEL: @moves_much(
; CHECK: icmp ult
define spir_kernel void @moves_bytes(i8 addrspace(1)* %p, i8 addrspace(1)* %q) {
  call void @llvm.memmove.p1i8.p1i8.i64(i8 addrspace(1)* align 8 %p, i8 addrspace(1)* align 8 %q, i64 15, i1 false)
  call void @llvm.memmove.p1i8.p1i8.i64(i8 addrspace(1)* align 8 %p, i8 addrspace(1)* align 8 %q, i64 8, i1 true)
  ret void
}
define spir_kernel void @moves_much(i8 addrspace(1)* %p, i8 addrspace(1)* %q) {
  call void @llvm.memmove.p1i8.p1i8.i64(i8 addrspace(1)* align 8 %p, i8 addrspace(1)* align 8 %q, i64 1024, i1 false)
  ret void
}
; CHECK-NOT: declare {{.*}}inline
; CHECK-NOT: declare {{.*}}memmove
declare void @llvm.memcpy.p1i8.p4i8.i64(i8 addrspace(1)*, i8 addrspace(4)*, i64, i1)
declare void @llvm.memset.p1i8.i64(i8 addrspace(1)*, i8, i64, i1)
declare void @llvm.memset.p1i8.i32(i8 addrspace(1)*, i8, i32, i1)
declare void @llvm.memmove.p1i8.p1i8.i64(i8 addrspace(1)*, i8 addrspace(1)*, i64, i1)
declare void @llvm.memcpy.inline.p1i8.p3i8.i64(i8 addrspace(1)*, i8 addrspace(3)*, i64, i1)
declare void @llvm.memset.inline.p1i8.i64(i8 addrspace(1)*, i8, i64, i1)
