; Do all warps of a work-group come to the same barriers, and which values do they share? Those are kept once for the work-group:
; a region reads one copy and writes the other, which its caller copies back when all warps have ended the region.
; RUN: %vectorize split-barriers %s > %t
; RUN: FileCheck %s < %t
; RUN: FileCheck %s --check-prefix=COUNT < %t

declare void @hiplz_cpu_warp_barrier(ptr)

; The counter of a loop whose bound is a parameter is shared; what comes from memory is each warp's own.
; COUNT: ; loop: 2 regions, frame of 64 bytes, in step
define void @loop(ptr %warp, ptr %data, i32 %count) {
entry:
  %own = load i32, ptr %data
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  %sum = add i32 %i, %own
  store i32 %sum, ptr %data
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %done
done:
  ret void
}
; CHECK-LABEL: define internal i32 @loop.region0(
; CHECK-DAG: %[[OWN:.*]] = getelementptr inbounds i8, ptr %frame, i64 0
; CHECK-DAG: store i32 %own, ptr %[[OWN]]
; CHECK-DAG: %[[OUT:.*]] = getelementptr inbounds i8, ptr %shared, i64 64
; CHECK-DAG: store i32 0, ptr %[[OUT]]
; CHECK: ret i32 1
; CHECK-LABEL: define internal i32 @loop.region1(
; CHECK: %[[IN:.*]] = getelementptr inbounds i8, ptr %shared, i64 0
; CHECK-NEXT: %[[I:.*]] = load i32, ptr %[[IN]]
; CHECK: body:
; CHECK: %[[BACK:.*]] = getelementptr inbounds i8, ptr %shared, i64 64
; CHECK-NEXT: store i32 %next, ptr %[[BACK]]
; CHECK-NEXT: ret i32 1
; CHECK: %next = add i32 %[[I]], 1

; A shared value that a region does not touch is written again for the region after it.
; COUNT: ; passes: 3 regions, frame of 0 bytes, in step
define void @passes(ptr %warp, ptr %out, i32 %a, i32 %b) {
  %quotient = udiv i32 %a, %b
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 0, ptr %out
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %quotient, ptr %out
  ret void
}
; CHECK-LABEL: define internal i32 @passes.region1(
; CHECK: %[[PASSED:.*]] = load i32, ptr %{{.*}}
; CHECK: store i32 %[[PASSED]], ptr %{{.*}}
; CHECK-NEXT: ret i32 2

; A branch that warps take differently, with no barrier in it: in step. What its phi chooses is each warp's own.
; COUNT: ; branch: 2 regions, frame of 64 bytes, in step
define void @branch(ptr %warp, ptr %out, i32 %a, i32 %b) {
entry:
  %field = getelementptr i8, ptr %warp, i64 28
  %first = load i32, ptr %field
  %low = icmp ult i32 %first, 64
  br i1 %low, label %then, label %join
then:
  store i32 %a, ptr %out
  br label %join
join:
  %chosen = phi i32 [ %a, %then ], [ %b, %entry ]
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %chosen, ptr %out
  ret void
}
; CHECK-LABEL: define internal i32 @branch.region1(
; CHECK: getelementptr inbounds i8, ptr %frame

; The loop ends in each warp when it likes: the number of its rounds differs, and what is counted in it.
; COUNT: ; rounds: 2 regions, frame of 64 bytes, in step
define void @rounds(ptr %warp, ptr %out) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %next = add i32 %i, 1
  %seen = load i32, ptr %out
  %more = icmp ult i32 %next, %seen
  br i1 %more, label %body, label %done
done:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %next, ptr %out
  ret void
}

; Freezing may choose another number in each warp.
; COUNT: ; frozen: 2 regions, frame of 64 bytes, in step
define void @frozen(ptr %warp, ptr %out, i32 %a) {
  %value = freeze i32 %a
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %value, ptr %out
  ret void
}

; The ids of the work-group are the same, those of the warp are not.
; COUNT: ; ids: 2 regions, frame of 64 bytes, in step
define void @ids(ptr %warp, ptr %out, i32 %n) {
  %groupAt = getelementptr i8, ptr %warp, i64 16
  %group = load i32, ptr %groupAt
  %shared = udiv i32 %n, %group
  %firstAt = getelementptr i8, ptr %warp, i64 28
  %first = load i32, ptr %firstAt
  %own = udiv i32 %n, %first
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %shared, ptr %out
  store i32 %own, ptr %out
  ret void
}
; CHECK-LABEL: define internal i32 @ids.region0(
; CHECK-DAG: getelementptr inbounds i8, ptr %frame, i64 0
; CHECK-DAG: getelementptr inbounds i8, ptr %{{.*}}, i64 64
; CHECK: ret i32 1

; A barrier that only some warps come to, and warps that return early: not in step.
; COUNT: ; guarded: 2 regions, frame of 0 bytes{{$}}
define void @guarded(ptr %warp, ptr %out) {
  %field = getelementptr i8, ptr %warp, i64 28
  %first = load i32, ptr %field
  %low = icmp ult i32 %first, 64
  br i1 %low, label %then, label %join
then:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  br label %join
join:
  ret void
}
; COUNT: ; early: 2 regions, frame of 0 bytes{{$}}
define void @early(ptr %warp, ptr %out, i32 %n) {
  %field = getelementptr i8, ptr %warp, i64 28
  %first = load i32, ptr %field
  %none = icmp uge i32 %first, %n
  br i1 %none, label %done, label %work
work:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 1, ptr %out
  br label %done
done:
  ret void
}

; A loop with a barrier whose bound comes from memory.
; COUNT: ; bound: 2 regions, frame of 64 bytes{{$}}
define void @bound(ptr %warp, ptr %data) {
entry:
  br label %body
body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  %next = add i32 %i, 1
  %count = load i32, ptr %data
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %done
done:
  ret void
}
