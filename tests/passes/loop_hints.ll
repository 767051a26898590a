; Hints about unrolling stay where the translator can make a valid OpLoopMerge of them, in a form without numbers; everything else
; that is known about loops goes.
; RUN: %passes=hiplz-loop-hints %s -o %t.ll
; RUN: FileCheck %s < %t.ll

; CHECK-LABEL: @bottom(
; CHECK: br i1 %more, label %loop, label %end, !llvm.loop ![[#NO:]]
define void @bottom(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; The way out has to be the second target. To unroll once is not to unroll.
; CHECK-LABEL: @turned(
; CHECK: %done = icmp slt i32 %next, %n
; CHECK: br i1 %done, label %loop, label %end, !llvm.loop ![[#NO2:]]
define void @turned(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %done = icmp sge i32 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !2
end:
  ret void
}

; The header decides where the branch back does not.
; CHECK-LABEL: @top(
; CHECK: br label %loop, !llvm.loop ![[#FULL:]]
define void @top(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %body, label %end
body:
  %next = add i32 %i, 1
  br label %loop, !llvm.loop !4
end:
  ret void
}

; Neither of these loops has a branch that names the block behind it, or the header has no branch at all.
; CHECK-LABEL: @middle(
; CHECK-NOT: llvm.loop
define void @middle(i32 %n, i1 %c) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  br i1 %c, label %left, label %right
left:
  %more = icmp slt i32 %i, %n
  br i1 %more, label %latch, label %end
right:
  br label %latch
latch:
  %next = add i32 %i, 1
  br label %loop, !llvm.loop !0
end:
  ret void
}

; CHECK-LABEL: @choice(
; CHECK-NOT: llvm.loop
define void @choice(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  switch i32 %i, label %latch [ i32 7, label %other ]
other:
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !0
end:
  ret void
}

; A condition that others use stays as it is.
; CHECK-LABEL: @used(
; CHECK: br i1 %done, label %end, label %loop{{$}}
define i1 @used(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %done = icmp sge i32 %next, %n
  br i1 %done, label %end, label %loop, !llvm.loop !0
end:
  ret i1 %done
}

; CHECK-LABEL: @progress(
; CHECK-NOT: llvm.loop
; CHECK: ret void
define void @progress(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end, !llvm.loop !6
end:
  ret void
}

; CHECK: ![[#NO]] = distinct !{![[#NO]], ![[#DISABLE:]]}
; CHECK: ![[#DISABLE]] = !{!"llvm.loop.unroll.disable"}
; CHECK: ![[#NO2]] = distinct !{![[#NO2]], ![[#DISABLE]]}
; CHECK: !{!"llvm.loop.unroll.full"}
!0 = distinct !{!0, !7, !1}
!1 = !{!"llvm.loop.unroll.disable"}
!2 = distinct !{!2, !3}
!3 = !{!"llvm.loop.unroll.count", i32 1}
!4 = distinct !{!4, !5}
!5 = !{!"llvm.loop.unroll.full"}
!6 = distinct !{!6, !7}
!7 = !{!"llvm.loop.mustprogress"}
