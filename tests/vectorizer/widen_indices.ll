; The extension of an addition that cannot wrap becomes the addition of extensions, if that makes it strided.
; RUN: %vectorize widen-indices -rows %s | %check

; CHECK-LABEL: define void @neighbour(
define void @neighbour(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %row = mul nsw i32 %n, %n
  %i = add nsw i32 %linear, %row
  %j = add nsw i32 %i, 1
; CHECK: [[LINEAR:%.*]] = sext i32 %linear to i64
; CHECK: [[ROW:%.*]] = sext i32 %row to i64
; CHECK: [[SUM:%.*]] = add i64 [[LINEAR]], [[ROW]]
; CHECK: add i64 [[SUM]], 1
  %w = sext i32 %j to i64
  %a = getelementptr float, ptr %p, i64 %w
  store float 1.0, ptr %a
  ret void
}

; Without the flag a lane might wrap.
; CHECK-LABEL: define void @wraps(
; CHECK: zext i32 %j to i64
define void @wraps(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %j = add i32 %linear, %n
  %w = zext i32 %j to i64
  %a = getelementptr float, ptr %p, i64 %w
  store float 1.0, ptr %a
  ret void
}
