; Blocks stand behind those that dominate them; unreachable ones are gone. Variables are a function's first instructions.
; RUN: %passes=hiplz-block-order %s | FileCheck %s
; CHECK: entry:
; CHECK: first:
; CHECK: second:
; CHECK: br i1 %c, label %first, label %last
; CHECK: last:
; CHECK-NOT: dead:
; CHECK: %a = alloca i64
; CHECK-NEXT: %b = alloca i64
; CHECK-NEXT: bitcast
define void @f(i1 %c) {
entry:
  br label %first
last:
  ret void
second:
  br i1 %c, label %first, label %last
first:
  br label %second
dead:
  br label %last
}
define void @variables() {
  %a = alloca i64
  %bytes = bitcast i64* %a to i8*
  %b = alloca i64
  store i8 0, i8* %bytes
  store i64 0, i64* %b
  ret void
}
