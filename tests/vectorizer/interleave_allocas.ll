; Private arrays are interleaved when all accesses have one size and no address leaves, else every lane has a copy.
; RUN: %vectorize interleave-allocas -width=8 %s | %check
; RUN: %vectorize vectorize -rows -width=8 %s | %check --check-prefix=WARP

declare void @use(ptr)

; CHECK-LABEL: define void @interleaved(
; CHECK: alloca [128 x i8], align 64, !hiplz.interleaved [[FOUR:![0-9]+]]
; CHECK: mul i64 %n, 32
; WARP-LABEL: define internal void @warp8.interleaved(
; WARP: load <8 x float>
define void @interleaved(ptr %item, ptr %p, i64 %n) {
entry:
  %t = alloca [4 x float]
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %f = uitofp i32 %linear to float
  store float %f, ptr %t
  %a = getelementptr [4 x float], ptr %t, i64 0, i64 %n
  %v = load float, ptr %a
  store float %v, ptr %p
  ret void
}

; CHECK-LABEL: define void @escapes(
; CHECK: alloca [4 x float]
; WARP-LABEL: define internal void @warp8.escapes(
; WARP: alloca [128 x i8], align 64
; WARP: call void @use(
define void @escapes(ptr %item, ptr %p) {
entry:
  %t = alloca [4 x float]
  store float 1.0, ptr %t
  call void @use(ptr %t)
  ret void
}

; CHECK-LABEL: define void @sizes(
; CHECK: alloca [4 x float]
define void @sizes(ptr %item, ptr %p) {
entry:
  %t = alloca [4 x float]
  store float 1.0, ptr %t
  %v = load i8, ptr %t
  store i8 %v, ptr %p
  ret void
}
; CHECK: [[FOUR]] = !{i64 4}
