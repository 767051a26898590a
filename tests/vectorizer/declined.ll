; Kernels that cannot be vectorised are left alone, with a reason.
; RUN: %vectorize vectorize %s | %check
; RUN: %vectorize print-traits %s | %check --check-prefix=TRAITS

declare i64 @hiplz_cpu_collective(ptr, i32, i32, i64, i64) convergent
declare void @hiplz_cpu_barrier(ptr) convergent

; CHECK: not vectorised: escapes: the address of the work-item's state is taken
; CHECK: not vectorised: sized: a private array whose size is not known
; CHECK: not vectorised: large: private arrays that take 2097152 bytes for 32 lanes
; CHECK-NOT: @warp32.

define void @escapes(ptr %item, ptr %p) {
  store ptr %item, ptr %p
  ret void
}

define void @sized(ptr %item, ptr %p, i64 %n) {
  %t = alloca i32, i64 %n
  store ptr %t, ptr %p
  ret void
}
; TRAITS: sized: barrier 0, yields 0, whole warps 0, wide 0, columns 0, rows 0, refusal ''

define void @large(ptr %item, ptr %p, i64 %n) {
  %t = alloca [65536 x i8]
  %a = getelementptr i8, ptr %t, i64 %n
  store i8 1, ptr %t
  %v = load i8, ptr %a
  store i8 %v, ptr %p
  ret void
}
