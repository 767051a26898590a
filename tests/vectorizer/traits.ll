; What decides how a kernel may be vectorised.
; RUN: %vectorize print-traits %s | %check

declare i64 @hiplz_cpu_collective(ptr, i32, i32, i64, i64) convergent
declare void @hiplz_cpu_barrier(ptr) convergent

; CHECK: barrier: barrier 1, yields 0, whole warps 0, wide 0, refusal ''
define void @barrier(ptr %item) {
  call void @hiplz_cpu_barrier(ptr %item)
  ret void
}
; CHECK: ballot: barrier 0, yields 0, whole warps 1, wide 0, refusal ''
define void @ballot(ptr %item) {
  %r = call i64 @hiplz_cpu_collective(ptr %item, i32 1, i32 5, i64 1, i64 0)
  ret void
}
; CHECK: of_group: {{.*}} refusal 'an operation of the whole work-group'
define void @of_group(ptr %item) {
  %r = call i64 @hiplz_cpu_collective(ptr %item, i32 1, i32 16777219, i64 1, i64 0)
  ret void
}
; CHECK: outside: barrier 1, {{.*}} refusal 'a function that is not inlined waits for other work-items'
define void @outside(ptr %item) {
  call void @barrier(ptr %item)
  ret void
}
; CHECK: steps: barrier 0, yields 0, whole warps 1, wide 0, refusal ''
define void @steps(ptr %item, ptr %p) {
  store volatile i32 1, ptr %p
  ret void
}
; CHECK: debug: {{.*}} refusal 'compiled without optimisation'
define void @debug(ptr %item) noinline optnone {
  ret void
}
