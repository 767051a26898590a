; The traits of a kernel, which decide how it may be vectorised.
; RUN: %vectorize print-traits %s | %check

declare i64 @hiplz_cpu_collective(ptr, i32, i32, i64, i64) convergent
declare void @hiplz_cpu_barrier(ptr) convergent

; CHECK: barrier: barrier 1, yields 0, whole warps 0, wide 0, columns 0, rows 0, refusal ''
define void @barrier(ptr %item) {
  call void @hiplz_cpu_barrier(ptr %item)
  ret void
}
; CHECK: ballot: barrier 0, yields 0, whole warps 1, wide 0, columns 0, rows 0, refusal ''
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
; CHECK: steps: barrier 0, yields 0, whole warps 1, wide 0, columns 0, rows 0, refusal ''
define void @steps(ptr %item, ptr %p) {
  store volatile i32 1, ptr %p
  ret void
}
; Memory of the work-group (what `local` of the worker points to, at 8 of the item) that is written and read without a barrier, or
; with a fence: lanes of a warp may count on being in step.
; CHECK: exchange: barrier 0, yields 0, whole warps 1
define void @exchange(ptr %item, i64 %i) {
  %at = getelementptr i8, ptr %item, i64 8
  %worker = load ptr, ptr %at
  %local = load ptr, ptr %worker
  %place = getelementptr i32, ptr %local, i64 %i
  store i32 1, ptr %place
  %other = load i32, ptr %local
  store i32 %other, ptr %item
  ret void
}
; CHECK: fenced: barrier 1, yields 0, whole warps 1
define void @fenced(ptr %item, i64 %i) {
  %at = getelementptr i8, ptr %item, i64 8
  %worker = load ptr, ptr %at
  %local = load ptr, ptr %worker
  %place = getelementptr i32, ptr %local, i64 %i
  store i32 1, ptr %place
  fence acq_rel
  %other = load i32, ptr %local
  call void @hiplz_cpu_barrier(ptr %item)
  ret void
}
; CHECK: behind_barrier: barrier 1, yields 0, whole warps 0
define void @behind_barrier(ptr %item, i64 %i) {
  %at = getelementptr i8, ptr %item, i64 8
  %worker = load ptr, ptr %at
  %local = load ptr, ptr %worker
  %place = getelementptr i32, ptr %local, i64 %i
  store i32 1, ptr %place
  call void @hiplz_cpu_barrier(ptr %item)
  %other = load i32, ptr %local
  ret void
}
; Dynamic shared memory is a parameter, and global memory another one.
; CHECK: dynamic: barrier 0, yields 0, whole warps 1
define void @dynamic(ptr %item, ptr %global, ptr %shared, i64 %i) !kernel_arg_addr_space !1 {
  %own = getelementptr i32, ptr %shared, i64 %i
  store i32 1, ptr %own
  %other = load i32, ptr %shared
  store i32 %other, ptr %global
  ret void
}
; So it is in global memory, where a fence may order the two.
; CHECK: global: barrier 0, yields 0, whole warps 1
define void @global(ptr %item, ptr %global, ptr %shared, i64 %i) !kernel_arg_addr_space !1 {
  %own = getelementptr i32, ptr %global, i64 %i
  store i32 1, ptr %own
  %other = load i32, ptr %global
  store i32 %other, ptr %shared
  ret void
}
; Not where each reads its own back.
; CHECK: own_or_behind_barrier: barrier 1, yields 0, whole warps 0, wide 0, columns 0, rows 0, refusal ''
define void @own_or_behind_barrier(ptr %item) {
  %place = getelementptr i8, ptr %item, i64 8
  %worker = load ptr, ptr %place, !invariant.load !0
  %local = load ptr, ptr %worker, !invariant.load !0
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %local, i64 %i
  %other = getelementptr i32, ptr %own, i64 32
  store i32 1, ptr %own
  %mine = load i32, ptr %own
  call void @hiplz_cpu_barrier(ptr %item)
  %r = load i32, ptr %other
  store i32 %r, ptr %own
  ret void
}
; CHECK: debug: {{.*}} refusal 'compiled without optimisation'
define void @debug(ptr %item) noinline optnone {
  ret void
}
!0 = !{}
!1 = !{i32 1, i32 3, i32 0}
