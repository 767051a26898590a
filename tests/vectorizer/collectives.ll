; Sub-group operations are vector code. The codes are those of cpu/abi/collective.h, sub-group scope.
; RUN: %vectorize vectorize -rows %s | %check

declare i64 @hiplz_cpu_collective(ptr, i32, i32, i64, i64) convergent

; kind 8, exchange with lane ^ 1: known while compiling.
; CHECK-LABEL: define internal void @warp32.swap(
; CHECK: shufflevector <32 x i32> {{.*}} <32 x i32> <i32 1, i32 0, i32 3, i32 2,
; CHECK-NOT: hiplz_cpu_collective
; CHECK: ret void
define void @swap(ptr %item, ptr %p) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %p, i32 %linear
  %v = load i32, ptr %a
  %w = zext i32 %v to i64
  %r = call i64 @hiplz_cpu_collective(ptr %item, i32 1, i32 8, i64 %w, i64 1)
  %t = trunc i64 %r to i32
  store i32 %t, ptr %a
  ret void
}

; kind 5, ballot: under a mask only the lanes that are there.
; CHECK-LABEL: define internal void @warp32.ballot(
; CHECK: then:
; CHECK: [[SET:%.*]] = select <32 x i1> {{.*}}, <32 x i1> {{.*}}, <32 x i1> zeroinitializer
; CHECK: bitcast <32 x i1> [[SET]] to i32
define void @ballot(ptr %item, ptr %p, i32 %n) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %p, i32 %linear
  %c = icmp ult i32 %linear, %n
  br i1 %c, label %then, label %join
then:
  %v = load i32, ptr %a
  %b = icmp ne i32 %v, 3
  %w = zext i1 %b to i64
  %r = call i64 @hiplz_cpu_collective(ptr %item, i32 1, i32 5, i64 %w, i64 0)
  %t = trunc i64 %r to i32
  store i32 %t, ptr %p
  br label %join
join:
  ret void
}

; kind 11, reduce: unsigned numbers in any order, floating-point numbers (type 9) one lane after the other.
; CHECK-LABEL: define internal void @warp32.reduce(
; CHECK-COUNT-5: add <32 x i32>
; CHECK: lane:
; CHECK: fadd float
define void @reduce(ptr %item, ptr %p) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %p, i32 %linear
  %v = load i32, ptr %a
  %w = zext i32 %v to i64
  %i = call i64 @hiplz_cpu_collective(ptr %item, i32 1, i32 393227, i64 %w, i64 0)
  %f = call i64 @hiplz_cpu_collective(ptr %item, i32 2, i32 589835, i64 %w, i64 0)
  %s = add i64 %i, %f
  store i64 %s, ptr %p
  ret void
}
