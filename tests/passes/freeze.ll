; freeze of every type goes; what it kept from being undefined becomes a value.
; RUN: %passes=hiplz-lower-instructions %s | FileCheck %s
; CHECK-NOT: = freeze
; CHECK-LABEL: @vector(
; CHECK-NEXT: ret <4 x i32> %x
define <4 x i32> @vector(<4 x i32> %x) {
  %f = freeze <4 x i32> %x
  ret <4 x i32> %f
}
; CHECK-LABEL: @aggregate(
; CHECK-NEXT: ret { i32, float } %x
define { i32, float } @aggregate({ i32, float } %x) {
  %f = freeze { i32, float } %x
  ret { i32, float } %f
}
; CHECK-LABEL: @pointer(
; CHECK-NEXT: ret i32 addrspace(4)* %x
define i32 addrspace(4)* @pointer(i32 addrspace(4)* %x) {
  %f = freeze i32 addrspace(4)* %x
  ret i32 addrspace(4)* %f
}
; CHECK-LABEL: @odd(
; CHECK-NEXT: ret i7 %x
define i7 @odd(i7 %x) {
  %f = freeze i7 %x
  ret i7 %f
}
; CHECK-LABEL: @poisoned(
; CHECK-NEXT: ret float 0.000000e+00
define float @poisoned() {
  %f = freeze float poison
  ret float %f
}
; CHECK-LABEL: @partly(
; CHECK-NOT: poison
; CHECK: ret <2 x i32>
define <2 x i32> @partly() {
  %f = freeze <2 x i32> <i32 1, i32 poison>
  ret <2 x i32> %f
}
