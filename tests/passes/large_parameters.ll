; Aggregates that do not fit into the registers for parameters are taken through constant memory, the largest ones first.
; RUN: %passes=hiplz-large-parameters %s | FileCheck %s
%bytes = type { [600 x i8] }
%words = type { [300 x i32], i64 }
%small = type { i32, float }

; Of the two only one has to go; a byte takes as much as a word.
; CHECK-LABEL: define spir_kernel void @two(
; CHECK-SAME: i32 addrspace(1)* %p, %bytes addrspace(2)* noalias {{nocapture readonly align 1|readonly align 1 captures\(none\)}} dereferenceable(600) %b, %words* byval(%words) align 8 %w)
; CHECK: [[B:%.*]] = getelementptr inbounds %bytes, %bytes addrspace(2)* %b, i64 0, i32 0, i64 %i
; CHECK: load i8, i8 addrspace(2)* [[B]]
; CHECK: getelementptr inbounds %words, %words* %w
define spir_kernel void @two(i32 addrspace(1)* %p, %bytes* byval(%bytes) align 1 %b, %words* byval(%words) align 8 %w) {
  %i = load i64, i64* getelementptr (%words, %words* null, i64 0, i32 1)
  %g = addrspacecast %bytes* %b to %bytes addrspace(4)*
  %e = getelementptr inbounds %bytes, %bytes addrspace(4)* %g, i64 0, i32 0, i64 %i
  %v = load i8, i8 addrspace(4)* %e
  %x = zext i8 %v to i32
  %f = getelementptr inbounds %words, %words* %w, i64 0, i32 0, i64 %i
  %y = load i32, i32* %f
  %s = add i32 %x, %y
  store i32 %s, i32 addrspace(1)* %p
  ret void
}

; A copy of a part reads the constant memory.
; CHECK-LABEL: define spir_kernel void @copies(
; CHECK: call void @llvm.memcpy.p0i8.p2i8.i64(i8* align 4 {{%.*}}, i8 addrspace(2)* align 4 {{%.*}}, i64 400, i1 false)
define spir_kernel void @copies([1000 x i32]* byval([1000 x i32]) align 4 %a, i32 addrspace(1)* %p) {
  %own = alloca [100 x i32], align 4
  %to = bitcast [100 x i32]* %own to i8*
  %from = bitcast [1000 x i32]* %a to i8*
  call void @llvm.memcpy.p0i8.p0i8.i64(i8* align 4 %to, i8* align 4 %from, i64 400, i1 false)
  %e = getelementptr [100 x i32], [100 x i32]* %own, i64 0, i64 7
  %v = load i32, i32* %e
  store i32 %v, i32 addrspace(1)* %p
  ret void
}
declare void @llvm.memcpy.p0i8.p0i8.i64(i8*, i8*, i64, i1)

; Parameters that the kernel writes to, passes on, or keeps the address of become copies of its own.
; CHECK-LABEL: define spir_kernel void @written(
; CHECK-SAME: align 16 {{(captures\(none\) )?}}dereferenceable(4000) %a
; CHECK: %own = alloca [1000 x i32], align 16
; CHECK: call void @llvm.memcpy.p0i8.p2i8.i64(i8* align 16 {{%.*}}, i8 addrspace(2)* align 16 {{%.*}}, i64 4000, i1 false)
; CHECK: store i32 1, i32*
define spir_kernel void @written([1000 x i32]* byval([1000 x i32]) align 16 %a) {
  %e = getelementptr [1000 x i32], [1000 x i32]* %a, i64 0, i64 7
  store i32 1, i32* %e
  ret void
}
; CHECK-LABEL: define spir_kernel void @volatile(
; CHECK: %own = alloca
define spir_kernel void @volatile([1000 x i32]* byval([1000 x i32]) %a) {
  %e = getelementptr [1000 x i32], [1000 x i32]* %a, i64 0, i64 7
  %v = load volatile i32, i32* %e
  ret void
}
; CHECK-LABEL: define spir_kernel void @selected(
; CHECK: %own
; CHECK: %own
; CHECK: select
define spir_kernel void @selected([600 x i32]* byval([600 x i32]) %a, [600 x i32]* byval([600 x i32]) %b, i1 %c, i32 addrspace(1)* %p) {
  %s = select i1 %c, [600 x i32]* %a, [600 x i32]* %b
  %e = getelementptr [600 x i32], [600 x i32]* %s, i64 0, i64 7
  %v = load i32, i32* %e
  store i32 %v, i32 addrspace(1)* %p
  ret void
}

; Parameters that just fit stay, and so do those of functions that are no kernels.
; CHECK-LABEL: define spir_kernel void @fits([510 x i32]* byval([510 x i32]) %a, i64 %x)
define spir_kernel void @fits([510 x i32]* byval([510 x i32]) %a, i64 %x) {
  ret void
}
; CHECK-LABEL: define spir_kernel void @tooMuch([510 x i32] addrspace(2)* noalias {{nocapture readonly align 4|readonly align 4 captures\(none\)}} dereferenceable(2040) %a, i64 %x, i8 %y)
define spir_kernel void @tooMuch([510 x i32]* byval([510 x i32]) %a, i64 %x, i8 %y) {
  ret void
}
; CHECK-LABEL: define spir_func void @function([9999 x i32]* byval([9999 x i32]) %a)
define spir_func void @function([9999 x i32]* byval([9999 x i32]) %a) {
  ret void
}
