; Waves of machine code that skip a block with a turn turn as well, at the place of the others.
; RUN: %opt %machine_plugin -passes=hiplz-shared-turns,verify %s | %check

declare void @turn()
declare void @barrier()

; CHECK-LABEL: @skips(
; CHECK: br i1 %none, label %turn, label %work
; CHECK: work:
; CHECK: %a = load i32, ptr %p
; CHECK: br label %turn
; CHECK: turn:
; CHECK: %[[A:.*]] = phi i32 [ %a, %work ], [ poison, %entry ]
; CHECK: call void @turn()
; CHECK: br i1 %none, label %done, label %behind.turn
; CHECK: behind.turn:
; CHECK: store i32 %[[A]], ptr %p
; CHECK: done:
; CHECK: phi i32 [ 5, %turn ], [ %[[A]], %behind.turn ]
define i32 @skips(i32 %live, i1 %none, ptr %p) {
entry:
  br i1 %none, label %done, label %work
work:
  %a = load i32, ptr %p
  call void @turn()
  store i32 %a, ptr %p
  br label %done
done:
  %r = phi i32 [ 5, %entry ], [ %a, %work ]
  ret i32 %r
}

; The branch the other way round, and two turns: the second one is in a block behind that of the first.
; CHECK-LABEL: @twice(
; CHECK: br i1 %some, label %work, label %turn
; CHECK: turn:
; CHECK: call void @turn()
; CHECK: br i1 %some, label %behind.turn, label %[[SECOND:.*]]
; CHECK: behind.turn:
; CHECK: store i32 1, ptr %p
; CHECK: br label %[[SECOND]]
; CHECK: [[SECOND]]:
; CHECK: call void @turn()
; CHECK: br i1 %some, label %{{.*}}, label %done
; CHECK: store i32 2, ptr %p
; CHECK: done:
define void @twice(i32 %live, i1 %some, ptr %p) {
entry:
  br i1 %some, label %work, label %done
work:
  %a = load i32, ptr %p
  call void @turn()
  store i32 1, ptr %p
  call void @turn()
  store i32 2, ptr %p
  br label %done
done:
  ret void
}

; Waves come to the block from two places.
; CHECK-LABEL: @joins(
; CHECK: work:
; CHECK-NEXT: call void @turn()
; CHECK-NEXT: br label %done
define void @joins(i32 %live, i1 %a, i1 %b) {
entry:
  br i1 %a, label %work, label %other
other:
  br i1 %b, label %work, label %done
work:
  call void @turn()
  br label %done
done:
  ret void
}

; Those that skip the block go elsewhere.
; CHECK-LABEL: @elsewhere(
; CHECK: work:
; CHECK-NEXT: call void @turn()
; CHECK-NEXT: br label %done
define void @elsewhere(i32 %live, i1 %a, ptr %p) {
entry:
  br i1 %a, label %work, label %other
other:
  store i32 1, ptr %p
  br label %done
work:
  call void @turn()
  br label %done
done:
  ret void
}

; A loop turns in each round, which those that have left it do not.
; CHECK-LABEL: @loop(
; CHECK: work:
; CHECK-NEXT: call void @turn()
; CHECK-NEXT: br i1 %b, label %work, label %done
define void @loop(i32 %live, i1 %a, i1 %b) {
entry:
  br i1 %a, label %work, label %done
work:
  call void @turn()
  br i1 %b, label %work, label %done
done:
  ret void
}

; CHECK-LABEL: @header(
; CHECK: work:
; CHECK-NEXT: call void @turn()
; CHECK-NEXT: br label %head
define void @header(i32 %live, i1 %a) {
entry:
  br label %head
head:
  br i1 %a, label %work, label %done
work:
  call void @turn()
  br label %head
done:
  ret void
}

; CHECK-LABEL: @barrierInLoop(
; CHECK: br i1 %a, label %work, label %turn
; CHECK: turn:
; CHECK: call void @turn()
; CHECK: br i1 %a, label %behind.turn, label %next
define void @barrierInLoop(i32 %live, i1 %a, i1 %b) {
entry:
  br label %head
head:
  br i1 %a, label %work, label %next
work:
  call void @turn()
  br label %next
next:
  call void @barrier()
  br i1 %b, label %head, label %done
done:
  ret void
}

; Without a barrier the waves need not go round together.
; CHECK-LABEL: @noBarrierInLoop(
; CHECK: work:
; CHECK-NEXT: call void @turn()
; CHECK-NEXT: br label %next
define void @noBarrierInLoop(i32 %live, i1 %a, i1 %b) {
entry:
  br label %head
head:
  br i1 %a, label %work, label %next
work:
  call void @turn()
  br label %next
next:
  br i1 %b, label %head, label %done
done:
  ret void
}
