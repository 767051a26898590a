; A block with a phi is reached at most once from each block.
; RUN: %passes=hiplz-unique-edges %s | FileCheck %s

; CHECK-LABEL: @switches(
; CHECK: switch i32 %x, label %join [
; CHECK-NEXT: i32 1, label %edge
; CHECK-NEXT: i32 2, label %edge1
; CHECK-NEXT: i32 3, label %other
; CHECK: phi i32
; CHECK-SAME: [ 7, %entry ]
define i32 @switches(i32 %x) {
entry:
  switch i32 %x, label %join [ i32 1, label %join
                               i32 2, label %join
                               i32 3, label %other ]
other:
  br label %join
join:
  %p = phi i32 [ 7, %entry ], [ 7, %entry ], [ 7, %entry ], [ 9, %other ]
  ret i32 %p
}

; CHECK-LABEL: @branches(
; CHECK: br i1 %c, label %join, label %edge
; CHECK: phi i32
define i32 @branches(i1 %c) {
entry:
  br i1 %c, label %join, label %join
join:
  %p = phi i32 [ 1, %entry ], [ 1, %entry ]
  ret i32 %p
}

; Without a phi nothing has to be told apart.
; CHECK-LABEL: @plain(
; CHECK-NOT: edge
define i32 @plain(i1 %c) {
entry:
  br i1 %c, label %join, label %join
join:
  ret i32 1
}
