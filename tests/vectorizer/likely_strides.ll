; Where an index of 32 bits might wrap between two lanes, or is clamped, a comparison chooses between a plain access and a gather or scatter.
; RUN: %vectorize vectorize -rows -width=8 %s | %check

; CHECK-LABEL: define internal void @warp8.sums(
define void @sums(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = add i32 %linear, %n
  %w = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %w
; CHECK: %no.wrap = icmp sle i32 %i, 2147483640
; CHECK: br i1 %no.wrap, label %plain, label %apart
; CHECK: plain:
; CHECK: load <8 x float>
; CHECK: apart:
; CHECK: @llvm.masked.gather.v8f32
; CHECK: accessed:
; CHECK: phi <8 x float>
  %v = load float, ptr %a
  %u = zext i32 %i to i64
  %b = getelementptr [4 x i16], ptr %q, i64 0, i64 %u
  %t = fptosi float %v to i16
; CHECK: icmp ule i32 %i, -8
; CHECK: store <8 x i16>
; CHECK: store i16
  store i16 %t, ptr %b
  ret void
}

; Pairs and elements that lie backwards.
; CHECK-LABEL: define internal void @warp8.shapes(
define void @shapes(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = sub i32 %n, %linear
  %w = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %w
; CHECK: icmp sge i32 %i, -2147483641
; CHECK: load <8 x float>
; CHECK: shufflevector <8 x float> {{.*}} <i32 7, i32 6
  %v = load float, ptr %a
  %j = add i32 %linear, %n
  %x = sext i32 %j to i64
  %b = getelementptr <2 x float>, ptr %q, i64 %x
; CHECK: icmp sle i32 %j, 2147483640
; CHECK: load <16 x float>
; CHECK: phi [2 x <8 x float>]
  %pair = load <2 x float>, ptr %b
  %one = extractelement <2 x float> %pair, i32 0
  %sum = fadd float %one, %v
  store float %sum, ptr %a
  ret void
}

; Not worth it: far apart, or nothing that could be plain.
; CHECK-LABEL: define internal void @warp8.far(
; CHECK-NOT: no.wrap
define void @far(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = add i32 %linear, %n
  %w = sext i32 %i to i64
  %a = getelementptr [32 x float], ptr %p, i64 %w
  %v = load float, ptr %a
  %f = fptosi float %v to i32
  %x = sext i32 %f to i64
  %b = getelementptr float, ptr %p, i64 %x
  store float %v, ptr %b
; CHECK: ret void
  ret void
}

; The bounds of a stencil. Lanes between the first and the last one are within them if these two are and no number wraps between them.
declare i32 @llvm.smin.i32(i32, i32)
declare i32 @llvm.smax.i32(i32, i32)
declare i64 @llvm.umin.i64(i64, i64)

; CHECK-LABEL: define internal void @warp8.clamped(
define void @clamped(ptr %item, ptr %p, ptr %q, i32 %n, i32 %row) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %low = call i32 @llvm.smax.i32(i32 %linear, i32 %n)
  %bounded = call i32 @llvm.smin.i32(i32 %row, i32 %low)
  %i = add nsw i32 %row, %bounded
  %w = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %w
; CHECK: %not.clamped = icmp sge i32 %[[X:[0-9]+]], %3
; CHECK: %no.wrap = icmp sle i32 %[[X]], 2147483640
; CHECK: %not.clamped{{[0-9]+}} = icmp sle i32 %[[X]], %4
; CHECK: %[[ROOM:[0-9]+]] = sub i32 %4, %[[X]]
; CHECK: %not.clamped{{[0-9]+}} = icmp uge i32 %[[ROOM]], 7
; CHECK: %[[FIRST:[0-9]+]] = add i32 {{%[0-9]+, %4|%4, %[0-9]+}}
; CHECK: icmp sle i32 %[[FIRST]], 2147483640
; CHECK: br i1 {{.*}}, label %plain, label %apart
; CHECK: plain:
; CHECK: load <8 x float>
; CHECK: apart:
; CHECK: @llvm.masked.gather.v8f32
  %v = load float, ptr %a
  %wide = zext i32 %linear to i64
  %m = zext i32 %n to i64
  %j = call i64 @llvm.umin.i64(i64 %wide, i64 %m)
  %b = getelementptr float, ptr %q, i64 %j
; CHECK: %not.clamped{{[0-9]+}} = icmp ule
; CHECK: %not.clamped{{[0-9]+}} = icmp uge {{.*}}, 7
; CHECK: store <8 x float>
; CHECK: @llvm.masked.scatter.v8f32
  store float %v, ptr %b
  ret void
}

; Bounds that differ by lane, and indices that are clamped where they descend, stay gathers.
; CHECK-LABEL: define internal void @warp8.by_lane(
; CHECK-NOT: clamped
define void @by_lane(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %x = zext i32 %linear to i64
  %bounds = getelementptr i32, ptr %q, i64 %x
  %bound = load i32, ptr %bounds
  %i = call i32 @llvm.smin.i32(i32 %linear, i32 %bound)
  %w = sext i32 %i to i64
  %a = getelementptr float, ptr %p, i64 %w
; CHECK: @llvm.masked.gather.v8f32
  %v = load float, ptr %a
  %down = sub i32 %n, %linear
  %j = call i32 @llvm.smax.i32(i32 %down, i32 0)
  %z = sext i32 %j to i64
  %b = getelementptr float, ptr %p, i64 %z
; CHECK: @llvm.masked.scatter.v8f32
  store float %v, ptr %b
; CHECK: ret void
  ret void
}
