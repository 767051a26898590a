; Blocks stand behind those that dominate them; unreachable ones are gone.
; RUN: %passes=hiplz-block-order %s | FileCheck %s
; CHECK: entry:
; CHECK: first:
; CHECK: second:
; CHECK: br i1 %c, label %first, label %last
; CHECK: last:
; CHECK-NOT: dead:
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
