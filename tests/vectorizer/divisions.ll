; A division whose divisor differs from lane to lane is a call of a function that does not exist, so that LLVM cannot take it for
; undefined because of a lane that does not divide. In the end lanes that are off divide by one.
; RUN: %vectorize vectorize -rows -width=8 %s > %t
; RUN: FileCheck %s --check-prefix=HIDDEN < %t
; RUN: sed 's/define internal/define/' %t | %opt '-passes=default<O3>' -o - | %vectorize lane-divisions - \
; RUN:   | %opt -passes=instsimplify -o - | %check

; The divisor is a constant of the lanes, and so is the mask. Behind a selection by the mask, LLVM would make %n of the quotient.
; HIDDEN-LABEL: define internal void @warp8.constant(
; HIDDEN: call <8 x i32> @hiplz.lanes.sdiv.v8i32(<8 x i32> %{{.*}}, <8 x i32> <i32 0, i32 1,
; CHECK-LABEL: define void @warp8.constant(
; CHECK: sdiv <8 x i32> %{{.*}}, <i32 1, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
define void @constant(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %d = and i32 %linear, 7
  %c = icmp ne i32 %d, 0
  br i1 %c, label %then, label %join
then:
  %q = sdiv i32 %n, %d
  %a = getelementptr i32, ptr %p, i32 %linear
  store i32 %q, ptr %a
  br label %join
join:
  ret void
}

; A selection of the program's own, without any mask.
; CHECK-LABEL: define void @warp8.selected(
; CHECK: select <8 x i1> %{{.*}}, <8 x i32> {{<|splat \(}}i32 5
; CHECK-COUNT-8: urem i32
define void @selected(ptr %item, ptr %p, ptr %some, i32 %n) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %s = getelementptr i32, ptr %some, i32 %linear
  %flag = load i32, ptr %s
  %c = icmp ne i32 %flag, 0
  %low = and i32 %linear, 3
  %d = select i1 %c, i32 %low, i32 5
  %r = urem i32 %n, %d
  %a = getelementptr i32, ptr %p, i32 %linear
  store i32 %r, ptr %a
  ret void
}

; Bytes are divided as words. A lane that is off divides by one.
; CHECK-LABEL: define void @warp8.bytes(
; CHECK: select <8 x i1> %[[MASK:.*]], <8 x i8> %{{.*}}, <8 x i8> {{<|splat \(}}i8 1
; CHECK: sext i8
; CHECK: sdiv i32
define void @bytes(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i8, ptr %p, i32 %linear
  %d = load i8, ptr %a
  %c = icmp ne i8 %d, 0
  br i1 %c, label %then, label %join
then:
  %n = trunc i32 %linear to i8
  %q = sdiv i8 %n, %d
  store i8 %q, ptr %a
  br label %join
join:
  ret void
}

; One divisor for all lanes: some lane divides by it. What must not be there is the smallest number in a lane that is off.
; HIDDEN-LABEL: define internal void @warp8.uniform(
; HIDDEN-NOT: hiplz.lanes
; HIDDEN: select <8 x i1> %{{.*}}, <8 x i32> %{{.*}}, <8 x i32> zeroinitializer
; HIDDEN: sdiv <8 x i32>
; HIDDEN: udiv <8 x i32>
; HIDDEN: sdiv <8 x i32> %{{.*}}, {{<|splat \(}}i32 3
; HIDDEN: ret void
define void @uniform(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %p, i32 %linear
  %v = load i32, ptr %a
  %c = icmp ne i32 %v, 7
  br i1 %c, label %then, label %join
then:
  %q = sdiv i32 %v, %n
  %u = udiv i32 %q, %n
  %third = sdiv i32 %u, 3
  store i32 %third, ptr %a
  br label %join
join:
  ret void
}
