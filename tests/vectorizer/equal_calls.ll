; Barriers in the two arms of a branch stay two: LLVM neither hoists them out of the arms nor sinks them behind these.
; RUN: %vectorize vectorize -rows -width=8 %s | sed 's/define internal/define/' \
; RUN:   | %opt '-passes=simplifycfg<hoist-common-insts;sink-common-insts>' -o - | %check

declare void @hiplz_cpu_barrier(ptr) convergent

; CHECK-LABEL: define void @warp8.arms(
; CHECK-COUNT-2: call void @hiplz_cpu_warp_barrier(
; CHECK-NOT: call void @hiplz_cpu_warp_barrier(
; CHECK: ret void
define void @arms(ptr %item, ptr %p, i1 %which) {
entry:
  br i1 %which, label %left, label %right
left:
  store i32 1, ptr %p
  call void @hiplz_cpu_barrier(ptr %item)
  br label %join
right:
  store i32 2, ptr %p
  call void @hiplz_cpu_barrier(ptr %item)
  br label %join
join:
  store i32 3, ptr %p
  ret void
}
