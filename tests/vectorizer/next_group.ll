; Stores that leap from one work-group to the next fetch what the next group will write, and tiles of groups whose warps meet fetch the rows of
; a later tile.
; RUN: %vectorize next-group -rows -width=8 %s | %check
; RUN: %vectorize next-group -rows -width=8 -fetches-far %s | %check --check-prefix=FAR
; RUN: %vectorize vectorize -rows -width=8 %s | %check --check-prefix=WARP

; A row of the result for each group. On AMD's processors its line goes into the second cache.
; FAR-LABEL: define void @rows(
; FAR: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 2, i32 1)
; CHECK-LABEL: define void @rows(
; CHECK: [[NEXT:%.*]] = add i32 %group, 1
; CHECK: [[ROW:%.*]] = mul i32 [[NEXT]], %n
; CHECK: [[WIDE:%.*]] = sext i32 [[ROW]] to i64
; CHECK: [[PLACE:%.*]] = add i64 [[WIDE]], %lane
; CHECK: [[ADDRESS:%.*]] = getelementptr float, ptr %out, i64 [[PLACE]]
; CHECK: call void @llvm.prefetch.p0(ptr [[ADDRESS]], i32 1, i32 3, i32 1)
; CHECK-NEXT: store float
; CHECK-NOT: call void @llvm.prefetch
; CHECK: ret void
; WARP-LABEL: define internal void @warp8.rows(
; WARP: call void @llvm.prefetch.p0(
; WARP-NOT: call void @llvm.prefetch
; WARP: ret void
define void @rows(ptr %item, ptr %in, ptr %out, i32 %n) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %group = load i32, ptr %gp
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %lane = zext i32 %linear to i64
  %row = mul nsw i32 %group, %n
  %wide = sext i32 %row to i64
  %place = add nsw i64 %wide, %lane
  %at = getelementptr inbounds float, ptr %in, i64 %place
  %value = load float, ptr %at
  %to = getelementptr inbounds float, ptr %out, i64 %place
  store float %value, ptr %to
  ret void
}

; Groups that lie side by side, whether their size is a constant or blockDim.x, and the second dimension.
; CHECK-LABEL: define void @sideBySide(
; CHECK-NOT: prefetch
; CHECK: ret void
define void @sideBySide(ptr %item, ptr %out, i32 %n) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %group = load i32, ptr %gp
  %gyp = getelementptr inbounds i8, ptr %item, i64 20
  %groupY = load i32, ptr %gyp
  %launch = load ptr, ptr %item
  %sp = getelementptr inbounds i8, ptr %launch, i64 20
  %size = load i32, ptr %sp
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %lane = zext i32 %linear to i64
  %first = mul i32 %group, 32
  %wide = zext i32 %first to i64
  %a = add i64 %wide, %lane
  %pa = getelementptr float, ptr %out, i64 %a
  store float 1.0, ptr %pa
  %second = mul i32 %group, %size
  %wideSecond = zext i32 %second to i64
  %b = add i64 %wideSecond, %lane
  %pb = getelementptr float, ptr %out, i64 %b
  store float 2.0, ptr %pb
  %third = mul i32 %groupY, %n
  %wideThird = zext i32 %third to i64
  %c = add i64 %wideThird, %lane
  %pc = getelementptr float, ptr %out, i64 %c
  store float 3.0, ptr %pc
  ret void
}

; A tile: what a row of it reads and writes is fetched for the tile after the next, but not in the loop.
; CHECK-LABEL: define void @tile(
; CHECK: [[LATER:%.*]] = add i32 %group, 2
; CHECK: shl i32 [[LATER]], 5
; CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 0, i32 3, i32 1)
; CHECK-NEXT: load float
; CHECK: call void @hiplz_cpu_barrier
; CHECK: loop:
; CHECK-NOT: prefetch
; CHECK: last:
; CHECK: call void @llvm.prefetch.p0(ptr {{.*}}, i32 1, i32 3, i32 1)
; CHECK-NEXT: store float
define void @tile(ptr %item, ptr %in, ptr %out, i32 %n) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %group = load i32, ptr %gp
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %first = shl i32 %group, 5
  %column = add nsw i32 %first, %x
  %row = mul nsw i32 %y, %n
  %rowWide = sext i32 %row to i64
  %columnWide = sext i32 %column to i64
  %place = add i64 %rowWide, %columnWide
  %at = getelementptr inbounds float, ptr %in, i64 %place
  %value = load float, ptr %at
  call void @hiplz_cpu_barrier(ptr %item)
  br label %loop

loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ %value, %entry ], [ %more, %loop ]
  %in.k = getelementptr inbounds float, ptr %at, i64 %k
  %each = load float, ptr %in.k
  %more = fadd float %sum, %each
  %next = add i64 %k, 1
  %again = icmp ult i64 %next, 9
  br i1 %again, label %loop, label %last

last:
  %to = getelementptr inbounds float, ptr %out, i64 %place
  store float %more, ptr %to
  ret void
}

; Without a barrier groups run side by side, and a block of one row follows the one before.
; CHECK-LABEL: define void @withoutBarrier(
; CHECK-NOT: prefetch
; CHECK: ret void
define void @withoutBarrier(ptr %item, ptr %in, ptr %out, i32 %n) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %group = load i32, ptr %gp
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %first = shl i32 %group, 5
  %column = add nsw i32 %first, %x
  %row = mul nsw i32 %y, %n
  %rowWide = sext i32 %row to i64
  %columnWide = sext i32 %column to i64
  %place = add i64 %rowWide, %columnWide
  %at = getelementptr inbounds float, ptr %in, i64 %place
  %value = load float, ptr %at
  %to = getelementptr inbounds float, ptr %out, i64 %place
  store float %value, ptr %to
  ret void
}

; CHECK-LABEL: define void @oneRow(
; CHECK-NOT: prefetch
; CHECK: ret void
define void @oneRow(ptr %item, ptr %in, ptr %out) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %group = load i32, ptr %gp
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %first = shl i32 %group, 5
  %column = add nsw i32 %first, %x
  %place = sext i32 %column to i64
  %at = getelementptr inbounds float, ptr %in, i64 %place
  %value = load float, ptr %at
  call void @hiplz_cpu_barrier(ptr %item)
  %to = getelementptr inbounds float, ptr %out, i64 %place
  store float %value, ptr %to
  ret void
}
declare void @hiplz_cpu_barrier(ptr)
