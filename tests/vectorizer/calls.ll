; Intrinsics with a vector form, pure calls of uniform values, and calls lane by lane.
; RUN: %vectorize vectorize -rows -width=8 %s | %check

declare float @llvm.sqrt.f32(float)
declare float @llvm.sin.f32(float)
declare i16 @llvm.fptosi.sat.i16.f16(half)
declare float @pure(float) readnone nounwind
declare void @effect(ptr, i32)
declare void @llvm.trap()
declare void @hiplz_cpu_barrier(ptr) convergent

; CHECK-LABEL: define internal void @warp8.calls(
define void @calls(ptr %item, ptr %p, float %u) {
entry:
; CHECK: call float @pure(float %2)
  %once = call float @pure(float %u)
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr float, ptr %p, i32 %linear
  %v = load float, ptr %a
; CHECK: call <8 x float> @llvm.sqrt.v8f32(
  %r = call float @llvm.sqrt.f32(float %v)
; CHECK: lane:
; CHECK: call float @llvm.sin.f32(
  %s = call float @llvm.sin.f32(float %r)
; CHECK: lane
; CHECK: call float @pure(
  %t = call float @pure(float %s)
  store float %t, ptr %a
; The work-item of the lane is made for who wants it.
; CHECK: lane
; CHECK: call void @effect(ptr %{{.*}}, i32
  call void @effect(ptr %item, i32 %linear)
; CHECK: call void @hiplz_cpu_warp_barrier(ptr %0)
  call void @hiplz_cpu_barrier(ptr %item)
  ret void
}

; Not LLVM's vector form, which knows no NaN in version 15.
; CHECK-LABEL: define internal void @warp8.saturated(
; CHECK-NOT: llvm.fptosi.sat
; CHECK: fcmp uno <8 x float>
define void @saturated(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr half, ptr %p, i32 %linear
  %v = load half, ptr %a
  %r = call i16 @llvm.fptosi.sat.i16.f16(half %v)
  store i16 %r, ptr %a
  ret void
}

; A trap is where some lane is; nothing comes after it.
; CHECK-LABEL: define internal void @warp8.trap(
; CHECK: br i1 %any
; CHECK: call void @llvm.trap()
define void @trap(ptr %item, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %c = icmp eq i32 %linear, %n
  br i1 %c, label %bad, label %good
bad:
  call void @llvm.trap()
  unreachable
good:
  ret void
}

; Calls that only say something about their operand become the operand.
; CHECK-LABEL: define internal void @{{.*}}.expected(
; CHECK-NOT: lane:
; CHECK-NOT: llvm.expect
; CHECK: ret void
define void @expected(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr i64, ptr %p, i32 %linear
  %v = load i64, ptr %a
  %e = call i64 @llvm.expect.i64(i64 %v, i64 0)
  %c = icmp ne i64 %e, 0
  br i1 %c, label %rare, label %done
rare:
  store i64 0, ptr %a
  br label %done
done:
  ret void
}
declare i64 @llvm.expect.i64(i64, i64)
