; Loops in which threads begin at their x and leap over the others: all warps step together.
; RUN: %vectorize canonicalize,loops-in-step -rows -width=8 %s | %check

; CHECK-LABEL: define void @sum(
; The counter cannot wrap if base, bound and step are below a quarter of the range.
; CHECK-DAG: icmp sle i32 %base, 1073740800
; CHECK-DAG: icmp sle i32 %n, 1073740800
; CHECK-DAG: icmp sle i32 %step, 1073740800
; CHECK-DAG: icmp sgt i32 %step, 0
; The loop as it was.
; CHECK: body:
; CHECK: br i1 %more, label %body, label
; The rounds of the work-group.
; CHECK: in.step:
; CHECK: icmp slt i32 %base, %n
; CHECK: round:
; CHECK: %[[SUM:.*]] = phi float [ 0.000000e+00, %in.step ], [ %[[NEXT:.*]], %round.end ]
; CHECK-NEXT: %first = phi i32 [ %base, %in.step ], [ %[[FIRST:.*]], %round.end ]
; CHECK: %[[I:.*]] = add i32 %first, %x
; CHECK: %[[IN:.*]] = icmp slt i32 %[[I]], %n
; CHECK: br i1 %[[IN]], label %body.round, label %round.end
; CHECK: body.round:
; CHECK: round.end:
; CHECK: %[[NEXT]] = phi float [ %{{.*}}, %body.round ], [ %[[SUM]], %round ]
; CHECK: call void @hiplz_cpu_barrier(ptr %item)
; CHECK: %[[FIRST]] = add i32 %first, %step
; CHECK: icmp slt i32 %[[FIRST]], %n
define void @sum(ptr %item, ptr %in, ptr %out, i32 %base, i32 %step, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %start = add i32 %base, %x
  %some = icmp slt i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %s = phi float [ 0.0, %begin ], [ %t, %body ]
  %wide = sext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %v = load float, ptr %at
  %t = fadd float %s, %v
  %next = add i32 %i, %step
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done
done:
  %r = phi float [ 0.0, %entry ], [ %t, %body ]
  %wx = zext i32 %start to i64
  %o = getelementptr float, ptr %out, i64 %wx
  store float %r, ptr %o
  ret void
}

; Code behind the loop is executed for the threads that were in it alone.
; CHECK-LABEL: define void @after(
; CHECK: rounds.end:
; CHECK: br i1 %some, label %[[STORE:.*]], label
; CHECK: [[STORE]]:
; CHECK: store float
; CHECK-NEXT: br label %in.step.end
define void @after(ptr %item, ptr %in, ptr %out, i32 %base, i32 %step, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %start = add i32 %base, %x
  %some = icmp ult i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %s = phi float [ 0.0, %begin ], [ %t, %body ]
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  %v = load float, ptr %at
  %t = fadd float %s, %v
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %end
end:
  store float %t, ptr %out
  br label %done
done:
  ret void
}

; Not where some threads do not come,
; CHECK-LABEL: define void @someThreads(
; CHECK-NOT: @hiplz_cpu_barrier
; CHECK: ret void
define void @someThreads(ptr %item, ptr %in, ptr %out, i32 %base, i32 %step, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %few = icmp ult i32 %x, 7
  br i1 %few, label %come, label %out1
come:
  %start = add i32 %base, %x
  %some = icmp ult i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  store float 1.0, ptr %at
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done
done:
  store float 2.0, ptr %out
  br label %out1
out1:
  ret void
}

; where the bound is each thread's own, where they begin at y, and where memory is read in front of the loop.
; CHECK-LABEL: define void @ownBound(
; CHECK-NOT: @hiplz_cpu_barrier
; CHECK: ret void
define void @ownBound(ptr %item, ptr %in, ptr %out, i32 %base, i32 %step) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %n = load i32, ptr %out
  %start = add i32 %base, %x
  %some = icmp ult i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  store float 1.0, ptr %at
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}
; CHECK-LABEL: define void @startAtY(
; CHECK-NOT: @hiplz_cpu_barrier
; CHECK: ret void
define void @startAtY(ptr %item, ptr %in, i32 %base, i32 %step, i32 %n) {
entry:
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %start = add i32 %base, %y
  %some = icmp ult i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  store float 1.0, ptr %at
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}
; CHECK-LABEL: define void @readsFirst(
; CHECK-NOT: @hiplz_cpu_barrier
; CHECK: ret void
define void @readsFirst(ptr %item, ptr %in, ptr %from, i32 %base, i32 %step, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %start = add i32 %base, %x
  %some = icmp ult i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  %value = load float, ptr %from
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %wide = zext i32 %i to i64
  %at = getelementptr float, ptr %in, i64 %wide
  store float %value, ptr %at
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; Private arrays would have to last for all warps.
; CHECK-LABEL: define void @privateArray(
; CHECK-NOT: @hiplz_cpu_barrier
; CHECK: ret void
define void @privateArray(ptr %item, ptr %in, i32 %base, i32 %step, i32 %n) {
entry:
  %own = alloca [8 x i32]
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %start = add i32 %base, %x
  %some = icmp ult i32 %start, %n
  br i1 %some, label %begin, label %done
begin:
  br label %body
body:
  %i = phi i32 [ %start, %begin ], [ %next, %body ]
  %low = and i32 %i, 7
  %at = getelementptr [8 x i32], ptr %own, i32 0, i32 %low
  %old = load i32, ptr %at
  %new = add i32 %old, %i
  store i32 %new, ptr %at
  store i32 %new, ptr %in
  %next = add i32 %i, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %body, label %done
done:
  ret void
}

; Two of three loops: the code behind each of them is there once more.
; CHECK-LABEL: define void @three(
; CHECK-COUNT-2: call void @hiplz_cpu_barrier
; CHECK-NOT: @hiplz_cpu_barrier
; CHECK: ret void
define void @three(ptr %item, ptr %in, i32 %base, i32 %step, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %start = add i32 %base, %x
  br label %first
first:
  %some1 = icmp ult i32 %start, %n
  br i1 %some1, label %begin1, label %second
begin1:
  br label %body1
body1:
  %i1 = phi i32 [ %start, %begin1 ], [ %next1, %body1 ]
  %wide1 = zext i32 %i1 to i64
  %at1 = getelementptr float, ptr %in, i64 %wide1
  store float 1.0, ptr %at1
  %next1 = add i32 %i1, %step
  %more1 = icmp ult i32 %next1, %n
  br i1 %more1, label %body1, label %second
second:
  %some2 = icmp ult i32 %start, %n
  br i1 %some2, label %begin2, label %third
begin2:
  br label %body2
body2:
  %i2 = phi i32 [ %start, %begin2 ], [ %next2, %body2 ]
  %wide2 = zext i32 %i2 to i64
  %at2 = getelementptr float, ptr %in, i64 %wide2
  store float 2.0, ptr %at2
  %next2 = add i32 %i2, %step
  %more2 = icmp ult i32 %next2, %n
  br i1 %more2, label %body2, label %third
third:
  %some3 = icmp ult i32 %start, %n
  br i1 %some3, label %begin3, label %done
begin3:
  br label %body3
body3:
  %i3 = phi i32 [ %start, %begin3 ], [ %next3, %body3 ]
  %wide3 = zext i32 %i3 to i64
  %at3 = getelementptr float, ptr %in, i64 %wide3
  store float 3.0, ptr %at3
  %next3 = add i32 %i3, %step
  %more3 = icmp ult i32 %next3, %n
  br i1 %more3, label %body3, label %done
done:
  ret void
}
