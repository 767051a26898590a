; Checks of accesses to shared memory: a row of lanes is written down for the next barrier, behind comparisons with the object's bounds and
; with the room that is left. The driver is called where these fail, and for lanes that are no row.
; RUN: %vectorize vectorize -rows -width=8 %s | %check

@site = internal constant [8 x i32] zeroinitializer
declare void @hiplz_cpu_check_shared(ptr, ptr, i64, ptr, ptr, i64)
declare void @hiplz_cpu_check_all_passed(ptr, i32)

; CHECK-LABEL: define internal void @warp8.row(
; CHECK: icmp ult i64 %{{.*}}, 1024
; Seven elements further is the last lane's.
; CHECK: add i64 %{{.*}}, 32
; CHECK: icmp ule i64 %{{.*}}, 1024
; CHECK: icmp ult i32 %{{.*}}, 2048
; CHECK: br i1 %{{.*}}, label %waits, label %called
; CHECK: waits:
; CHECK: store ptr @site
; CHECK: store i32 4,
; CHECK: br label %checked
; CHECK: called:
; CHECK: call void @hiplz_cpu_check_shared_of_row(ptr %{{.*}}, ptr %{{.*}}, i64 4, i64 4, ptr %{{.*}}, ptr @site, i64 1024, i32
define void @row(ptr %item, ptr %shared) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr inbounds float, ptr %shared, i32 %linear
  call void @hiplz_cpu_check_shared(ptr %item, ptr %a, i64 4, ptr %shared, ptr @site, i64 1024)
  store float 0.0, ptr %a
  ret void
}

; CHECK-LABEL: define internal void @warp8.scattered(
; CHECK-NOT: waits
; CHECK: call void @hiplz_cpu_check_shared_of_lanes(
define void @scattered(ptr %item, ptr %shared, ptr %to) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %where = getelementptr inbounds i32, ptr %to, i32 %linear
  %index = load i32, ptr %where
  %a = getelementptr inbounds float, ptr %shared, i32 %index
  call void @hiplz_cpu_check_shared(ptr %item, ptr %a, i64 4, ptr %shared, ptr @site, i64 1024)
  store float 0.0, ptr %a
  ret void
}

; CHECK-LABEL: define internal void @warp8.passed(
; CHECK: call void @hiplz_cpu_check_all_passed_of_lanes(ptr %{{.*}}, i32 %{{.*}}, i32
define void @passed(ptr %item, i32 %count) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  call void @hiplz_cpu_check_all_passed(ptr %item, i32 %count)
  ret void
}
