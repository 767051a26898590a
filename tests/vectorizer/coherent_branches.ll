; Guarded code is there twice where masks cost: a warp whose lanes all come in runs the copy without a mask.
; RUN: %vectorize coherent-branches -rows -width=8 -masks-cost %s | %check
; RUN: %vectorize coherent-branches -rows -width=8 -masks-hide %s | %check --check-prefix=HIDE
; RUN: %vectorize vectorize -rows -width=8 -masks-cost %s | %check --check-prefix=WARP
; RUN: %vectorize vectorize -rows -width=8 %s | %check --check-prefix=FREE
; RUN: %vectorize coherent-branches -layout=line -width=8 -masks-cost %s | %check --check-prefix=LINE

; HIDE-LABEL: define void @guarded(
; HIDE: then.whole:
; CHECK-LABEL: define void @guarded(
; CHECK: [[WIDE:%.*]] = zext i1 %c to i64
; CHECK: [[VOTE:%.*]] = call i64 @hiplz_cpu_collective(ptr %item, i32 0, i32 {{[0-9]+}}, i64 [[WIDE]], i64 0)
; CHECK: [[ALL:%.*]] = icmp ne i64 [[VOTE]], 0
; CHECK: br i1 [[ALL]], label %then.whole, label %entry.test
; CHECK: entry.test:
; CHECK-NEXT: br i1 %c, label %then, label %[[INNER:.*]]
; CHECK: [[INNER]]:
; CHECK: [[SOME:%.*]] = phi i32 {{.*}}[ 0, %entry.test ]
; CHECK: end:
; CHECK: phi i32 [ %v.whole, %then.whole ], [ [[SOME]], %[[INNER]] ]
; WARP-LABEL: define internal void @warp8.guarded(
; WARP: then:
; WARP: call <8 x i32> @llvm.masked.load.v8i32
; WARP: call void @llvm.masked.store.v8i32
; WARP: then.whole:
; WARP: load <8 x i32>
; WARP: store <8 x i32>
; FREE-LABEL: define internal void @warp8.guarded(
; FREE-NOT: load <8 x i32>
; FREE: ret void
; LINE-LABEL: define void @guarded(
; LINE-NOT: hiplz_cpu_collective
; LINE: ret void
define void @guarded(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %c = icmp slt i32 %x, %n
  %i = zext i32 %x to i64
  %out = getelementptr i32, ptr %q, i64 %i
  br i1 %c, label %then, label %end
then:
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  store i32 %v, ptr %out
  br label %end
end:
  %r = phi i32 [ 0, %entry ], [ %v, %then ]
  %o = getelementptr i32, ptr %out, i64 4096
  store i32 %r, ptr %o
  ret void
}

; The copy for some of the lanes has its inner guard once; that for whole warps has it twice.
; CHECK-LABEL: define void @nested(
; CHECK-COUNT-2: call i64 @hiplz_cpu_collective(
; CHECK-NOT: call i64 @hiplz_cpu_collective(
define void @nested(ptr %item, ptr %q, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %c = icmp sgt i32 %x, 0
  %i = zext i32 %x to i64
  %out = getelementptr i32, ptr %q, i64 %i
  br i1 %c, label %then, label %end
then:
  store i32 1, ptr %out
  %d = icmp slt i32 %x, %n
  br i1 %d, label %inside, label %inner
inside:
  store i32 2, ptr %out
  br label %inner
inner:
  br label %end
end:
  ret void
}

; Lanes are not likely to agree about data.
; CHECK-LABEL: define void @data(
; CHECK-NOT: hiplz_cpu_collective
; CHECK: ret void
define void @data(ptr %item, ptr %p, ptr %q) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %c = icmp slt i32 %v, 7
  br i1 %c, label %then, label %end
then:
  %out = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %out
  br label %end
end:
  ret void
}

; A warp never comes in whole where one lane does.
; CHECK-LABEL: define void @oneLane(
; CHECK-NOT: hiplz_cpu_collective
; CHECK: ret void
define void @oneLane(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %edge = icmp eq i32 %x, 31
  %inside = icmp slt i32 %x, %n
  %c = select i1 %edge, i1 %inside, i1 false
  %i = zext i32 %x to i64
  br i1 %c, label %then, label %end
then:
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %out = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %out
  br label %end
end:
  ret void
}

; All others do come in whole, but for one warp.
; CHECK-LABEL: define void @allButOneLane(
; CHECK: then.whole:
define void @allButOneLane(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %edge = icmp eq i32 %x, 31
  %c = xor i1 %edge, true
  %i = zext i32 %x to i64
  br i1 %c, label %then, label %end
then:
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %out = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %out
  br label %end
end:
  ret void
}

; Where warps meet, a guard of threadIdx.x tells which warps have nothing to do. A barrier is not copied.
; CHECK-LABEL: define void @meeting(
; CHECK-COUNT-1: call i64 @hiplz_cpu_collective(
; CHECK-NOT: call i64 @hiplz_cpu_collective(
; CHECK: declare
define void @meeting(ptr %item, ptr %p, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %c = icmp ult i32 %x, 64
  %i = zext i32 %x to i64
  %out = getelementptr i32, ptr %p, i64 %i
  br i1 %c, label %then, label %wait
then:
  store i32 1, ptr %out
  br label %wait
wait:
  call void @hiplz_cpu_barrier(ptr %item)
  %y = mul i32 %x, 3
  %d = icmp slt i32 %y, %n
  br i1 %d, label %late, label %end
late:
  store i32 2, ptr %out
  br label %end
end:
  ret void
}
declare void @hiplz_cpu_barrier(ptr)

; Rounds in which all lanes go on have no mask. The copy for the others begins where the last of these has ended.
; CHECK-LABEL: define void @row(
; CHECK: loop:
; CHECK: [[GOES:%.*]] = icmp ult i64 %next, %end
; CHECK: [[ALL:%.*]] = icmp ne i64 {{.*}}, 0
; CHECK: br i1 [[ALL]], label %loop, label %[[TEST:.*]]
; CHECK: [[TEST]]:
; CHECK: [[LAST:%.*]] = phi i64 [ %next, %loop ]
; CHECK: br i1 {{.*}}, label %[[ENTER:.*]], label
; CHECK: [[ENTER]]:
; CHECK-NEXT: br label %loop.rest
; CHECK: loop.rest:
; CHECK-NEXT: %i.rest = phi i64 [ [[LAST]], %[[ENTER]] ], [ %next.rest, %loop.rest ]
; CHECK: br i1 %again.rest, label %loop.rest, label
; WARP-LABEL: define internal void @warp8.row(
; WARP: loop:
; WARP: load <8 x i32>
; WARP: store <8 x i32>
; WARP-NOT: masked
; WARP: loop.rest:
; WARP: call <8 x i32> @llvm.masked.load.v8i32
; WARP: call void @llvm.masked.store.v8i32
; FREE-LABEL: define internal void @warp8.row(
; FREE-NOT: loop.rest:
; FREE: ret void
define void @row(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %first = zext i32 %x to i64
  %end = zext i32 %n to i64
  br label %loop
loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %a = getelementptr i32, ptr %p, i64 %i
  %v = load i32, ptr %a
  %out = getelementptr i32, ptr %q, i64 %i
  store i32 %v, ptr %out
  %next = add nuw i64 %i, 64
  %again = icmp ult i64 %next, %end
  br i1 %again, label %loop, label %done
done:
  ret void
}

; A gather and a scatter are the same in both copies, but for processors that have to go through the lanes.
; CHECK-LABEL: define void @anywhere(
; CHECK: then.whole:
; HIDE-LABEL: define void @anywhere(
; HIDE-NOT: .whole
; HIDE: ret void
define void @anywhere(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %c = icmp slt i32 %x, %n
  %i = zext i32 %x to i64
  br i1 %c, label %then, label %end
then:
  %a = getelementptr [7 x i32], ptr %p, i64 %i, i64 2
  %v = load i32, ptr %a
  %b = getelementptr [7 x i32], ptr %q, i64 %i, i64 3
  store i32 %v, ptr %b
  br label %end
end:
  ret void
}
