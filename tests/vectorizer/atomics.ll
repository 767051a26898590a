; Lanes that change one address are put together where nobody can tell; others go one after the other.
; RUN: %vectorize vectorize -rows -width=8 %s | %check
; RUN: %vectorize vectorize -rows -width=8 -rolls-updates %s | %check --check-prefix=ROLLED

; CHECK-LABEL: define internal void @warp8.together(
; CHECK-NOT: lane:
; CHECK: [[SUM:%.*]] = call i32 @llvm.vector.reduce.add.v8i32(
; CHECK: atomicrmw add ptr %1, i32 [[SUM]] monotonic
; CHECK-NOT: lane:
; CHECK: ret void
define void @together(ptr %item, ptr %p) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %old = atomicrmw add ptr %p, i32 %linear monotonic
  ret void
}

; Sums of floating-point numbers depend on the order, which is that of the lanes; nobody comes in between.
; CHECK-LABEL: define internal void @warp8.floats(
; CHECK: add:
; CHECK: call float @llvm.vector.reduce.fadd.v8f32(
; CHECK: cmpxchg
define void @floats(ptr %item, ptr %p) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %f = uitofp i32 %linear to float
  %old = atomicrmw fadd ptr %p, float %f monotonic
  ret void
}

; CHECK-LABEL: define internal void @warp8.exchange(
; CHECK: lane:
; CHECK: cmpxchg
define void @exchange(ptr %item, ptr %p) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %pair = cmpxchg ptr %p, i32 0, i32 %linear monotonic monotonic
  %old = extractvalue { i32, i1 } %pair, 0
  %a = getelementptr i32, ptr %p, i32 %linear
  store i32 %old, ptr %a
  ret void
}

; A loop that adds to a floating-point number is an addition: the sum is that of the lanes in order, exchanged once.
; CHECK-LABEL: define internal void @warp8.loop(
; CHECK-NOT: running
; CHECK: add:
; CHECK: call float @llvm.vector.reduce.fadd.v8f32(float {{.*}}, <8 x float> {{.*}})
; CHECK: cmpxchg
; CHECK: added:
define void @loop(ptr %item, ptr %p, ptr %q) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr float, ptr %q, i32 %linear
  %v = load float, ptr %a
  %first = load atomic i32, ptr %p monotonic, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %f = bitcast i32 %seen to float
  %sum = fadd float %v, %f
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; All that the loop has computed may be used behind it: the old value as a number, and the bits of the sum.
; CHECK-LABEL: define internal void @warp8.reads(
; CHECK-NOT: running
; CHECK: exit:
; CHECK: [[SUM:%.*]] = fadd <8 x float> [[OLD:%.*]],
; CHECK: [[TWICE:%.*]] = fmul <8 x float> [[OLD]],
; CHECK: store <8 x float> [[TWICE]],
; CHECK: store <8 x float> [[SUM]],
; CHECK: atomicrmw fadd
; CHECK: [[OLD]] = load <8 x float>,
define void @reads(ptr %item, ptr %p, ptr %q, ptr %r) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr float, ptr %q, i32 %linear
  %v = load float, ptr %a
  %first = load atomic i32, ptr %p monotonic, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %f = bitcast i32 %seen to float
  %sum = fadd float %f, %v
  %bits = bitcast float %sum to i32
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  %twice = fmul float %f, 2.0
  store float %twice, ptr %a
  %b = getelementptr i32, ptr %r, i32 %linear
  store i32 %bits, ptr %b
  ret void
}

; Any other function of the number stays a loop.
; CHECK-LABEL: define internal void @warp8.other(
; CHECK: running
; CHECK: cmpxchg
define void @other(ptr %item, ptr %p, ptr %q) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr float, ptr %q, i32 %linear
  %v = load float, ptr %a
  %first = load atomic i32, ptr %p monotonic, align 4
  br label %loop
loop:
  %seen = phi i32 [ %first, %entry ], [ %found, %loop ]
  %f = bitcast i32 %seen to float
  %product = fmul float %v, %f
  %bits = bitcast float %product to i32
  %pair = cmpxchg ptr %p, i32 %seen, i32 %bits monotonic monotonic, align 4
  %found = extractvalue { i32, i1 } %pair, 0
  %done = extractvalue { i32, i1 } %pair, 1
  br i1 %done, label %exit, label %loop
exit:
  ret void
}

; Local memory (offset 0 of the worker, offset 8 of the work-item) belongs to the thread that runs the work-group.
; All lanes are there and nobody reads what was there before: eight plain updates, or four a round on AMD's processors, no loop over
; the lanes that are there.
; ROLLED-LABEL: define internal void @warp8.local(
; ROLLED: four.lanes:
; ROLLED-COUNT-4: add i32 %{{.*}}, 1{{$}}
; ROLLED-NOT: add i32 %{{.*}}, 1{{$}}
; ROLLED: br i1 %{{.*}}, label %all.lanes, label %four.lanes, !llvm.loop
; CHECK-LABEL: define internal void @warp8.local(
; CHECK-NOT: lane:
; CHECK-NOT: atomicrmw
; CHECK-NOT: store <8 x ptr>
; CHECK-COUNT-8: add i32 %{{.*}}, 1{{$}}
; CHECK-NOT: lane:
; CHECK: ret void
define void @local(ptr %item, ptr %q) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %q, i32 %linear
  %v = load i32, ptr %a
  %wp = getelementptr inbounds i8, ptr %item, i64 8
  %worker = load ptr, ptr %wp
  %memory = load ptr, ptr %worker
  %i = and i32 %v, 255
  %bin = getelementptr i32, ptr %memory, i32 %i
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  ret void
}

; The same under a mask: the loop over the lanes that are there only if some are not, and only it reads addresses from memory.
; CHECK-LABEL: define internal void @warp8.localIf(
; CHECK: %[[ALL:.*]] = icmp eq i8 %{{.*}}, -1
; CHECK-NEXT: br i1 %[[ALL]], label %whole, label %some
; CHECK: some:
; CHECK: store <8 x ptr>
; CHECK: br label %lane
; CHECK: whole:
; CHECK-COUNT-8: add i32 %{{.*}}, 1{{$}}
; CHECK: br label %updated
; CHECK: lane:
; CHECK: add i32 %{{.*}}, 1
define void @localIf(ptr %item, ptr %q) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %q, i32 %linear
  %v = load i32, ptr %a
  %wp = getelementptr inbounds i8, ptr %item, i64 8
  %worker = load ptr, ptr %wp
  %memory = load ptr, ptr %worker
  %i = and i32 %v, 255
  %bin = getelementptr i32, ptr %memory, i32 %i
  %c = icmp ult i32 %v, 1000
  br i1 %c, label %then, label %join
then:
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  br label %join
join:
  ret void
}

; The old value is dropped if nobody reads it. The lifetime of the array that lanes read from begins where it is filled.
; CHECK-LABEL: define internal void @warp8.unread(
; CHECK: call void @llvm.lifetime.start.p0(i64 -1, ptr %[[ADDRESSES:.*]])
; CHECK-NEXT: store <8 x ptr> %{{.*}}, ptr %[[ADDRESSES]]
; CHECK: lane:
; CHECK: atomicrmw add ptr
; CHECK-NOT: store
; CHECK: ret void
define void @unread(ptr %item, ptr %q) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %q, i32 %linear
  %v = load i32, ptr %a
  %bin = getelementptr i32, ptr %q, i32 %v
  %old = atomicrmw add ptr %bin, i32 1 monotonic
  ret void
}
