; Guarded code is skipped if no lane needs it, and has a mask otherwise. Code that all lanes execute has none.
; RUN: %vectorize vectorize -rows -width=8 %s | %check

; CHECK-LABEL: define internal void @warp8.guard(
define void @guard(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %a = getelementptr float, ptr %p, i64 %i
; CHECK: load <8 x float>
  %v = load float, ptr %a
  %c = icmp ult i32 %linear, %n
; CHECK: [[MASK:%.*]] = icmp ult <8 x i32>
; CHECK: [[BITS:%.*]] = bitcast <8 x i1> [[MASK]] to i8
; CHECK: [[ANY:%.*]] = icmp ne i8 [[BITS]], 0
; CHECK: br i1 [[ANY]], label %then, label %join
  br i1 %c, label %then, label %join
then:
; CHECK: then:
; CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}, <8 x i1> [[MASK]])
; CHECK: select <8 x i1> [[MASK]]
  %w = fadd float %v, 1.0
  store float %w, ptr %a
  br label %join
join:
; CHECK: join:
; CHECK: phi <8 x float>
  %r = phi float [ %w, %then ], [ %v, %entry ]
  %b = getelementptr float, ptr %p, i64 64
  %b2 = getelementptr float, ptr %b, i64 %i
; CHECK: store <8 x float>
  store float %r, ptr %b2
  ret void
}

; A loop goes on while any lane does, and keeps what a lane had when it left. The counter stays scalar.
; CHECK-LABEL: define internal void @warp8.loop(
define void @loop(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  br label %loop
loop:
; CHECK: [[LAST:%last.*]] = phi <8 x i32> [ poison, %entry ], [ [[NOW:%.*]], %loop ]
; CHECK: [[RUNNING:%running.*]] = phi <8 x i1> [ {{<i1 true, .*|splat \(i1 true\)}}, %entry ], [ [[NEXT:%.*]], %loop ]
; CHECK: %k = phi i32
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %k1 = add i32 %k, 1
  %c = icmp ult i32 %k1, %linear
; CHECK: [[NOW]] = select <8 x i1> [[RUNNING]], {{.*}}, <8 x i32> [[LAST]]
; CHECK: [[NEXT]] = select <8 x i1> [[RUNNING]], <8 x i1> {{.*}}, <8 x i1> zeroinitializer
; CHECK: br i1 %any, label %loop, label %exit
  br i1 %c, label %loop, label %exit
exit:
; CHECK: store <8 x i32> [[NOW]]
  %a = getelementptr i32, ptr %p, i32 %linear
  store i32 %k1, ptr %a
  ret void
}

; Uniform control flow has no masks.
; CHECK-LABEL: define internal void @warp8.uniform(
; CHECK-NOT: <8 x i1>
; CHECK: ret void
define void @uniform(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %p, i32 %linear
  %c = icmp ult i32 %n, 7
  br i1 %c, label %then, label %join
then:
  store i32 %n, ptr %a
  br label %join
join:
  ret void
}

; Lanes that are not there neither divide nor have a say in a condition, poison or not.
; CHECK-LABEL: define internal void @warp8.division(
define void @division(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i32, ptr %p, i32 %linear
  %d = load i32, ptr %a
  %c = icmp ne i32 %d, 0
  br i1 %c, label %then, label %join
then:
; CHECK: then:
; CHECK: call <8 x i32> @hiplz.lanes.udiv.v8i32(<8 x i32> {{.*}}, <8 x i1> {{.*}})
  %q = udiv i32 %n, %d
; CHECK: select <8 x i1> {{.*}}, <8 x i1> {{.*}}, <8 x i1> zeroinitializer
; CHECK: udiv <8 x i32> {{.*}}, {{<|splat \(}}i32 3
  %third = udiv i32 %q, 3
  %e = icmp ult i32 %third, 9
  br i1 %e, label %inner, label %after
inner:
  store i32 %third, ptr %a
  br label %after
after:
  br label %join
join:
  ret void
}

; Masked accesses are of integers whatever the program's types are, so that a load which reads back what a store of another
; type has written can be replaced by it.
; CHECK-LABEL: define internal void @warp8.punned(
; CHECK: [[LOADED:%.*]] = call <8 x i64> @llvm.masked.load.v8i64.p0(
; CHECK: bitcast <8 x i64> [[LOADED]] to <8 x double>
; CHECK: call void @llvm.masked.store.v8i64.p0(
define void @punned(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %a = getelementptr i64, ptr %p, i64 %i
  %c = icmp ult i32 %linear, %n
  br i1 %c, label %then, label %join
then:
  %v = load double, ptr %a
  %w = fadd double %v, 1.0
  store double %w, ptr %a
  br label %join
join:
  ret void
}
