; Loops whose loads leap by a step that is known only when they run fetch what they load eight rounds later.
; RUN: %vectorize prefetch -rows -width=8 %s | %check
; RUN: %vectorize vectorize -rows -width=8 %s | %check --check-prefix=WARP
; RUN: %vectorize prefetch -rows -width=8 -fetches-far %s | %check --check-prefix=FAR

; A grid-stride loop. The flags of the counter's addition promise nothing for later rounds.
; CHECK-LABEL: define void @gridStride(
; CHECK: entry:
; CHECK: %[[AHEAD:.*]] = mul i32 %step, 8
; CHECK: body:
; CHECK: %[[LATER:.*]] = add i32 %i, %[[AHEAD]]
; CHECK: %[[WIDE:.*]] = sext i32 %[[LATER]] to i64
; CHECK: %[[ADDRESS:.*]] = getelementptr float, ptr %in, i64 %[[WIDE]]
; CHECK: call void @llvm.prefetch.p0(ptr %[[ADDRESS]], i32 0, i32 3, i32 1)
; CHECK-NEXT: load float, ptr %at
; One address for the lanes' line.
; WARP-LABEL: define internal void @warp8.gridStride(
; WARP: call void @llvm.prefetch.p0(ptr
; WARP-NOT: call void @llvm.prefetch
; WARP: ret void
define void @gridStride(ptr %item, ptr %in, ptr %out, i32 %n, i32 %blocks) {
entry:
  %step = shl i32 %blocks, 3
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  br label %body
body:
  %i = phi i32 [ %linear, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %wide = sext i32 %i to i64
  %at = getelementptr inbounds float, ptr %in, i64 %wide
  %value = load float, ptr %at
  %more = fadd float %sum, %value
  %next = add nsw i32 %i, %step
  %c = icmp slt i32 %next, %n
  br i1 %c, label %body, label %done
done:
  %last = phi float [ %more, %body ]
  %o = getelementptr float, ptr %out, i32 %linear
  store float %last, ptr %o
  ret void
}

; Down a column: the step is one, but the row's length is not known.
; CHECK-LABEL: define void @column(
; CHECK: call void @llvm.prefetch
define void @column(ptr %item, ptr %in, ptr %out, i64 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %wide = zext i32 %linear to i64
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %row = mul i64 %k, %n
  %index = add i64 %row, %wide
  %at = getelementptr float, ptr %in, i64 %index
  %value = load float, ptr %at
  store float %value, ptr %at
  %next = add i64 %k, 1
  %c = icmp slt i64 %next, %n
  br i1 %c, label %body, label %done
done:
  ret void
}

; Steps that the processor sees by itself, addresses that all lanes have in common, and counters that are none.
; CHECK-LABEL: define void @known(
; CHECK-NOT: call void @llvm.prefetch
define void @known(ptr %item, ptr %in, ptr %out, i32 %n, i32 %step) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  br label %body
body:
  %i = phi i32 [ %linear, %entry ], [ %next, %body ]
  %j = phi i32 [ 0, %entry ], [ %jump, %body ]
  %k = phi i32 [ %linear, %entry ], [ %double, %body ]
  %a = getelementptr float, ptr %in, i32 %i
  %x = load float, ptr %a
  %b = getelementptr float, ptr %in, i32 %j
  %y = load float, ptr %b
  %d = getelementptr float, ptr %in, i32 %k
  %z = load float, ptr %d
  %xy = fadd float %x, %y
  %xyz = fadd float %xy, %z
  store float %xyz, ptr %a
  %next = add i32 %i, 32
  %jump = add i32 %j, %step
  %double = shl i32 %k, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %body, label %done
done:
  ret void
}

; A loop that all warps go through together is one round ahead, and not beyond the last one.
; CHECK-LABEL: define void @inStep(
; CHECK: round:
; CHECK: work:
; CHECK: %[[THEN:.*]] = add i64 %first, %step
; CHECK: %[[MORE:.*]] = icmp slt i64 %[[THEN]], %n
; CHECK: %[[NEXT:.*]] = select i1 %[[MORE]], i64 %[[THEN]], i64 %first
; CHECK: %[[ITEM:.*]] = add i64 %[[NEXT]], %x
; CHECK: %[[ADDRESS:.*]] = getelementptr float, ptr %in, i64 %[[ITEM]]
; CHECK: call void @llvm.prefetch.p0(ptr %[[ADDRESS]], i32 0, i32 3, i32 1)
; On AMD's processors it goes into the second cache, six rounds of four bytes ahead, or two if there are no 32 rounds. Other loops stay
; as they are.
; FAR-LABEL: define void @gridStride(
; FAR: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 3, i32 1)
; FAR-LABEL: define void @inStep(
; FAR: work:
; FAR: %[[TWICE:.*]] = mul i64 %step, 2
; FAR: %[[SIX:.*]] = mul i64 %step, 6
; FAR: %[[MANY:.*]] = mul i64 %step, 32
; FAR: %[[LATE:.*]] = add i64 0, %[[MANY]]
; FAR: %[[LONG:.*]] = icmp slt i64 %[[LATE]], %n
; FAR: %[[AHEAD:.*]] = select i1 %[[LONG]], i64 %[[SIX]], i64 %[[TWICE]]
; FAR: %[[THEN:.*]] = add i64 %first, %[[AHEAD]]
; FAR: %[[MORE:.*]] = icmp slt i64 %[[THEN]], %n
; FAR: %[[NEXT:.*]] = select i1 %[[MORE]], i64 %[[THEN]], i64 %first
; FAR: %[[ITEM:.*]] = add i64 %[[NEXT]], %x
; FAR: %[[ADDRESS:.*]] = getelementptr float, ptr %in, i64 %[[ITEM]]
; FAR: call void @llvm.prefetch.p0(ptr %[[ADDRESS]], i32 0, i32 2, i32 1)
define void @inStep(ptr %item, ptr %in, ptr %out, i64 %n, i64 %step) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %x = zext i32 %linear to i64
  %any = icmp sgt i64 %n, 0
  br i1 %any, label %round, label %done
round:
  %first = phi i64 [ 0, %entry ], [ %next, %end ]
  %sum = phi float [ 0.0, %entry ], [ %so.far, %end ]
  %i = add i64 %first, %x
  %there = icmp slt i64 %i, %n
  br i1 %there, label %work, label %end
work:
  %at = getelementptr float, ptr %in, i64 %i
  %value = load float, ptr %at
  %more = fadd float %sum, %value
  br label %end
end:
  %so.far = phi float [ %more, %work ], [ %sum, %round ]
  call void @hiplz_cpu_barrier(ptr %item)
  %next = add i64 %first, %step
  %c = icmp slt i64 %next, %n
  br i1 %c, label %round, label %done
done:
  %last = phi float [ %so.far, %end ], [ 0.0, %entry ]
  %o = getelementptr float, ptr %out, i64 %x
  store float %last, ptr %o
  ret void
}
declare void @hiplz_cpu_barrier(ptr)

; Rounds of sixteen bytes for each work-item are long enough.
; FAR-LABEL: define void @longRounds(
; FAR: %[[TWICE:.*]] = mul i64 %step, 2
; FAR-NOT: select i1 %{{.*}}, i64 %{{.*}}, i64 %[[TWICE]]
; FAR: add i64 %first, %[[TWICE]]
; FAR: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 2, i32 1)
; FAR: call void @llvm.prefetch.p0(ptr %{{.*}}, i32 0, i32 2, i32 1)
define void @longRounds(ptr %item, ptr %in, ptr %other, i64 %n, i64 %step) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %x = zext i32 %linear to i64
  br label %round
round:
  %first = phi i64 [ 0, %entry ], [ %next, %round ]
  %sum = phi double [ 0.0, %entry ], [ %more, %round ]
  %i = add i64 %first, %x
  %at = getelementptr double, ptr %in, i64 %i
  %value = load double, ptr %at
  %there = getelementptr double, ptr %other, i64 %i
  %factor = load double, ptr %there
  %product = fmul double %value, %factor
  %more = fadd double %sum, %product
  call void @hiplz_cpu_barrier(ptr %item)
  %next = add i64 %first, %step
  %c = icmp slt i64 %next, %n
  br i1 %c, label %round, label %done
done:
  %o = getelementptr double, ptr %in, i64 %x
  store double %more, ptr %o
  ret void
}

; Lists that begin where a number from memory says, an element of all lists in a row. One lane fetches for those whose elements lie in
; its line if they lie side by side: of 8 lanes with floats, the first one. It computes its address for itself alone.
; CHECK-LABEL: define void @lists(
; CHECK: body:
; CHECK: %[[LATER:.*]] = add i64 %k, 8
; CHECK: %[[ROW:.*]] = mul i64 %[[LATER]], %n
; CHECK: %[[ADDRESS:.*]] = getelementptr float, ptr %list, i64 %[[ROW]]
; CHECK: call void @llvm.prefetch.p0(ptr %[[ADDRESS]], i32 0, i32 3, i32 1), !hiplz.some-lanes
; CHECK-NEXT: load float, ptr %at
; WARP-LABEL: define internal void @warp8.lists(
; WARP: %[[LATER:.*]] = mul i64 %{{.*}}, %{{.*}}
; WARP: %[[LIST:.*]] = extractelement <8 x ptr> %{{.*}}, i32 0
; WARP: %[[ADDRESS:.*]] = getelementptr float, ptr %[[LIST]], i64 %{{.*}}
; WARP: call void @llvm.prefetch.p0(ptr %[[ADDRESS]], i32 0, i32 3, i32 1)
; WARP-NOT: call void @llvm.prefetch
; WARP: ret void
define void @lists(ptr %item, ptr %begins, ptr %in, ptr %out, i64 %n, i64 %length) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %wide = zext i32 %linear to i64
  %where = getelementptr i64, ptr %begins, i64 %wide
  %begin = load i64, ptr %where
  %list = getelementptr float, ptr %in, i64 %begin
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %sum = phi float [ 0.0, %entry ], [ %more, %body ]
  %row = mul nsw i64 %k, %n
  %at = getelementptr inbounds float, ptr %list, i64 %row
  %value = load float, ptr %at
  %more = fadd float %sum, %value
  %next = add nuw nsw i64 %k, 1
  %c = icmp slt i64 %next, %length
  br i1 %c, label %body, label %done
done:
  %last = phi float [ %more, %body ]
  %o = getelementptr float, ptr %out, i64 %wide
  store float %last, ptr %o
  ret void
}

; The same with lists in one piece each, which the processor sees by itself; and with a counter that is not multiplied, and with columns
; of one array that lanes choose by themselves.
; CHECK-LABEL: define void @pieces(
; CHECK-NOT: call void @llvm.prefetch
define void @pieces(ptr %item, ptr %begins, ptr %in, ptr %out, i64 %n, i64 %length) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %wide = zext i32 %linear to i64
  %where = getelementptr i64, ptr %begins, i64 %wide
  %begin = load i64, ptr %where
  %list = getelementptr float, ptr %in, i64 %begin
  br label %body
body:
  %k = phi i64 [ 0, %entry ], [ %next, %body ]
  %j = phi i64 [ 0, %entry ], [ %jump, %body ]
  %at = getelementptr inbounds float, ptr %list, i64 %k
  %value = load float, ptr %at
  %there = getelementptr inbounds float, ptr %list, i64 %j
  %other = load float, ptr %there
  %row = mul i64 %k, %n
  %index = add i64 %row, %begin
  %column = getelementptr float, ptr %in, i64 %index
  %third = load float, ptr %column
  %two = fadd float %value, %other
  %both = fadd float %two, %third
  store float %both, ptr %at
  %next = add nuw nsw i64 %k, 1
  %jump = add i64 %j, %n
  %c = icmp slt i64 %next, %length
  br i1 %c, label %body, label %done
done:
  ret void
}

; A prefetch of the program's own is of all lanes.
; CHECK-LABEL: define void @own(
; WARP-LABEL: define internal void @warp8.own(
; WARP: call void @llvm.prefetch.p0(
define void @own(ptr %item, ptr %begins, ptr %in) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %where = getelementptr i64, ptr %begins, i32 %linear
  %begin = load i64, ptr %where
  %list = getelementptr float, ptr %in, i64 %begin
  call void @llvm.prefetch.p0(ptr %list, i32 0, i32 3, i32 1)
  ret void
}
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
