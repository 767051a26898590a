; Zero-length arrays and odd integers disappear from the computation of addresses.
; RUN: %passes=hiplz-legal-addresses %s | FileCheck %s %typed
target datalayout = "e-i64:64"
%flexible = type { i32, [0 x double] }
%bits = type { i8, i24, i8 }

; CHECK-LABEL: @elements(
; TYPED-NEXT: bitcast [0 x i32] addrspace(3)* %p to i32 addrspace(3)*
; CHECK-NEXT: getelementptr i32, i32 addrspace(3)* %{{.*}}, i64 %i
define i32 @elements([0 x i32] addrspace(3)* %p, i64 %i) {
  %a = getelementptr [0 x i32], [0 x i32] addrspace(3)* %p, i64 0, i64 %i
  %v = load i32, i32 addrspace(3)* %a
  ret i32 %v
}

; CHECK-LABEL: @member(
; CHECK: mul i64 %i, 8
; CHECK: add i64 8,
; CHECK: getelementptr i8, i8 addrspace(1)*
define double @member(%flexible addrspace(1)* %p, i64 %i) {
  %a = getelementptr %flexible, %flexible addrspace(1)* %p, i64 0, i32 1, i64 %i
  %v = load double, double addrspace(1)* %a
  ret double %v
}

; CHECK-LABEL: @variable(
; CHECK-NEXT: alloca [12 x i8], align 4
; CHECK-NOT: %bits
define i8 @variable() {
  %b = alloca %bits, align 4
  %a = getelementptr %bits, %bits* %b, i64 0, i32 2
  store i8 5, i8* %a
  %v = load i8, i8* %a
  ret i8 %v
}

; CHECK-LABEL: @ordinary(
; CHECK-NEXT: getelementptr { i32, [2 x double] }, { i32, [2 x double] }* %p, i64 0, i32 1, i64 1
define double @ordinary({ i32, [2 x double] }* %p) {
  %a = getelementptr { i32, [2 x double] }, { i32, [2 x double] }* %p, i64 0, i32 1, i64 1
  %v = load double, double* %a
  ret double %v
}
