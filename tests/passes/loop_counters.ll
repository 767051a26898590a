; The counter that ends a loop is the first phi of its header and the left operand of its addition, which is how Intel's compiler
; recognises a loop that diverges in its last round alone.
; RUN: %passes=hiplz-loop-counters %s | FileCheck %s

; CHECK-LABEL: @swapped(
; CHECK: loop:
; CHECK-NEXT: %i = phi i32
; CHECK: %next = add nsw i32 %i, %stride
define void @swapped(i32 %first, i32 %stride, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %next = add nsw i32 %stride, %i
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A sum before the counter, which is compared on the right and as it was before the addition.
; CHECK-LABEL: @second(
; CHECK: loop:
; CHECK-NEXT: %i = phi i64
; CHECK-NEXT: %sum = phi i32
; CHECK: %total = add i32 %sum, %first
; CHECK-NEXT: %next = add i64 %i, %stride
define i32 @second(i32 %first, i64 %start, i64 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %sum = phi i32 [ 0, %entry ], [ %total, %loop ]
  %i = phi i64 [ %start, %entry ], [ %next, %loop ]
  %total = add i32 %sum, %first
  %next = add i64 %stride, %i
  %more = icmp ugt i64 %n, %i
  br i1 %more, label %loop, label %end
end:
  ret i32 %total
}

; A counter of 32 bits and a bound of 64.
; CHECK-LABEL: @extended(
; CHECK: %next = add nsw i32 %i, %stride
define void @extended(i32 %first, i32 %stride, i64 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %next = add nsw i32 %stride, %i
  %wide = sext i32 %next to i64
  %more = icmp slt i64 %wide, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Of two exits, the one whose counter does not begin with a constant.
; CHECK-LABEL: @exits(
; CHECK: loop:
; CHECK-NEXT: %i = phi i32
; CHECK-NEXT: %round = phi i32
; CHECK: %next = add i32 %i, %stride
define void @exits(i32 %first, i32 %stride, i32 %n) {
entry:
  br label %loop
loop:
  %round = phi i32 [ 0, %entry ], [ %later, %latch ]
  %i = phi i32 [ %first, %entry ], [ %next, %latch ]
  %later = add i32 %round, 1
  %again = icmp ult i32 %later, 10
  br i1 %again, label %latch, label %end
latch:
  %next = add i32 %stride, %i
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Phis that do not end the loop stay where they are, and so do those of a loop that a product or a float ends.
; CHECK-LABEL: @others(
; CHECK: loop:
; CHECK-NEXT: %factor = phi i32
; CHECK-NEXT: %i = phi i32
; CHECK: %next = add i32 %stride, %i
; CHECK-NEXT: %power = mul i32 %stride, %factor
define void @others(i32 %first, i32 %stride, i32 %n) {
entry:
  br label %loop
loop:
  %factor = phi i32 [ 1, %entry ], [ %power, %loop ]
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %next = add i32 %stride, %i
  %power = mul i32 %stride, %factor
  %more = icmp slt i32 %power, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A loop with two ways back has no single addition.
; CHECK-LABEL: @two_latches(
; CHECK: add i32 %stride, %i
define void @two_latches(i32 %first, i32 %stride, i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ], [ %next, %other ]
  %next = add i32 %stride, %i
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %middle
middle:
  br i1 %c, label %other, label %end
other:
  br label %loop
end:
  ret void
}
