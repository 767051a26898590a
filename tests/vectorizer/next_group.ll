; Stores that leap from one work-group to the next fetch what the next group will write.
; RUN: %vectorize next-group -rows -width=8 %s | %check
; RUN: %vectorize vectorize -rows -width=8 %s | %check --check-prefix=WARP

; A row of the result for each group.
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
