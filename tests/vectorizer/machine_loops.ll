; Loops of machine code that count let no other waves run; those that memory decides about do.
; RUN: %opt %machine_plugin -passes=hiplz-counted-loops %s | %check

declare void @pause()
declare void @barrier()

; CHECK-LABEL: @counts(
; CHECK-NOT: call void @pause
; CHECK: ret void
define void @counts(i32 %live, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %value = load i32, ptr %p
  call void @barrier()
  store i32 %value, ptr %p
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  call void @pause()
  br i1 %more, label %loop, label %done
done:
  ret void
}

; CHECK-LABEL: @waits(
; CHECK: call void @pause
define void @waits(i32 %live, ptr %p) {
entry:
  br label %loop
loop:
  %value = load i32, ptr %p
  %more = icmp eq i32 %value, 0
  call void @pause()
  br i1 %more, label %loop, label %done
done:
  ret void
}

; One of two exits reads memory.
; CHECK-LABEL: @mayEndEarly(
; CHECK: call void @pause
define void @mayEndEarly(i32 %live, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  %value = load i32, ptr %p
  %found = icmp eq i32 %value, 0
  br i1 %found, label %done, label %rest
rest:
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  call void @pause()
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The count depends on memory, though the bound of the loop does not come from there.
; CHECK-LABEL: @countsWhatItSees(
; CHECK: call void @pause
define void @countsWhatItSees(i32 %live, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %j, %rest ]
  %value = load i32, ptr %p
  %found = icmp eq i32 %value, 0
  br i1 %found, label %one, label %rest
one:
  %more1 = add i32 %i, 1
  br label %rest
rest:
  %j = phi i32 [ %i, %loop ], [ %more1, %one ]
  %more = icmp slt i32 %j, %n
  call void @pause()
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The exit counts, but only memory leads to it.
; CHECK-LABEL: @leavesWhereItIsTold(
; CHECK: call void @pause
define void @leavesWhereItIsTold(i32 %live, ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %rest ]
  %next = add i32 %i, 1
  %value = load i32, ptr %p
  %found = icmp eq i32 %value, 0
  br i1 %found, label %look, label %rest
look:
  %enough = icmp sgt i32 %i, %n
  br i1 %enough, label %done, label %rest
rest:
  call void @pause()
  br label %loop
done:
  ret void
}

; CHECK-LABEL: @never(
; CHECK: call void @pause
define void @never(i32 %live) {
entry:
  br label %loop
loop:
  call void @pause()
  br label %loop
}
