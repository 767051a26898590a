; A warp function falls apart at its barriers. What is needed behind one lies in the frame, unless it is a parameter or
; cheap to compute from the warp's state.
; RUN: %vectorize split-barriers %s > %t
; RUN: FileCheck %s < %t
; RUN: FileCheck %s --check-prefix=COUNT < %t

declare void @hiplz_cpu_warp_barrier(ptr)
declare void @hiplz_cpu_warp_turn(ptr)
declare void @use(ptr)

; A vector is kept; the parameter is not; lanes are counted again.
; COUNT: ; straight: 2 regions, frame of 64 bytes
define void @straight(ptr %warp, ptr %in, ptr %out) {
  %field = getelementptr i8, ptr %warp, i64 28
  %first = load i32, ptr %field
  %index = zext i32 %first to i64
  %from = getelementptr i32, ptr %in, i64 %index
  %value = load <8 x i32>, ptr %from
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  %to = getelementptr i32, ptr %out, i64 %index
  store <8 x i32> %value, ptr %to
  ret void
}
; CHECK-LABEL: define internal i32 @straight.region0(ptr %warp, ptr %frame, ptr %shared, ptr %in, ptr %out)
; CHECK: %[[VALUE:.*]] = load <8 x i32>, ptr %from
; CHECK-NOT: call void @hiplz_cpu_warp_barrier
; CHECK: %[[PLACE:.*]] = getelementptr inbounds i8, ptr %frame, i64 0
; CHECK-NEXT: store <8 x i32> %[[VALUE]], ptr %[[PLACE]], align 64
; CHECK-NEXT: ret i32 1
; CHECK-LABEL: define internal i32 @straight.region1(
; CHECK: load i32, ptr %field
; CHECK: %[[KEPT:.*]] = load <8 x i32>, ptr %{{.*}}, align 64
; CHECK: store <8 x i32> %[[KEPT]], ptr %to
; CHECK: ret i32 63

; A loop with a barrier: its second region leads back to itself or to the end, and the counter is kept.
; COUNT: ; loop: 2 regions, frame of 64 bytes
define void @loop(ptr %warp, ptr %data, i32 %count) {
entry:
  %begin = load i32, ptr %data
  br label %body
body:
  %i = phi i32 [ %begin, %entry ], [ %next, %body ]
  %at = getelementptr i32, ptr %data, i32 %i
  store i32 %i, ptr %at
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %count
  br i1 %more, label %body, label %done
done:
  ret void
}
; CHECK-LABEL: define internal i32 @loop.region0(
; CHECK: store i32 %begin, ptr %{{.*}}, align 64
; CHECK-NEXT: ret i32 1
; CHECK-LABEL: define internal i32 @loop.region1(
; CHECK: %[[I:.*]] = load i32, ptr %{{.*}}, align 64
; CHECK: body:
; CHECK: store i32 %next, ptr %{{.*}}, align 64
; CHECK-NEXT: ret i32 1
; CHECK: %next = add i32 %[[I]], 1
; CHECK-NEXT: %more
; CHECK-NEXT: br i1 %more, label %body, label %done
; CHECK: ret i32 63

; Barriers in both arms of a branch, and an early return.
; COUNT: ; arms: 3 regions
define void @arms(ptr %warp, ptr %data, i1 %none, i1 %which) {
  br i1 %none, label %done, label %choose
choose:
  br i1 %which, label %left, label %right
left:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 1, ptr %data
  br label %done
right:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 2, ptr %data
  br label %done
done:
  ret void
}
; CHECK-LABEL: define internal i32 @arms.region0(
; CHECK-DAG: ret i32 1
; CHECK-DAG: ret i32 2
; CHECK-DAG: ret i32 63
; CHECK-LABEL: define internal i32 @arms.region1(
; CHECK: store i32 1
; CHECK-NOT: store i32 2
; CHECK-LABEL: define internal i32 @arms.region2(
; CHECK-NOT: store i32 1
; CHECK: store i32 2

; Private memory that is read behind the barrier moves into the frame.
; COUNT: ; memory: 2 regions, frame of 128 bytes
define void @memory(ptr %warp, ptr %out, i32 %i) {
  %array = alloca [16 x <2 x i32>]
  %at = getelementptr <2 x i32>, ptr %array, i32 %i
  store <2 x i32> <i32 1, i32 2>, ptr %at
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  %value = load <2 x i32>, ptr %at
  store <2 x i32> %value, ptr %out
  ret void
}
; CHECK-LABEL: define internal i32 @memory.region0(
; CHECK-NOT: alloca
; CHECK: getelementptr inbounds i8, ptr %frame
; CHECK-LABEL: define internal i32 @memory.region1(
; CHECK-NOT: alloca
; CHECK: getelementptr inbounds i8, ptr %frame

; Memory whose lifetime begins anew in each region stays on the stack, as does memory of one region only.
; COUNT: ; scratch: 2 regions, frame of 0 bytes
define void @scratch(ptr %warp, ptr %out, i32 %i) {
  %array = alloca [8 x i32]
  %once = alloca [8 x i32]
  call void @llvm.lifetime.start.p0(i64 32, ptr %array)
  %at = getelementptr i32, ptr %array, i32 %i
  store i32 %i, ptr %at
  %first = load i32, ptr %array
  store i32 %first, ptr %once
  %same = load i32, ptr %once
  store i32 %same, ptr %out
  call void @llvm.lifetime.end.p0(i64 32, ptr %array)
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  call void @llvm.lifetime.start.p0(i64 32, ptr %array)
  store i32 %i, ptr %at
  %second = load i32, ptr %array
  store i32 %second, ptr %out
  call void @llvm.lifetime.end.p0(i64 32, ptr %array)
  ret void
}
declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)

; Memory that others may know is kept.
; COUNT: ; known: 2 regions, frame of 64 bytes
define void @known(ptr %warp, ptr %out) {
  %array = alloca [8 x i32]
  call void @use(ptr %array)
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  call void @use(ptr null)
  ret void
}

; Division may cost more than memory, and may trap where it was guarded: the quotient is kept.
; COUNT: ; division: 2 regions, frame of 64 bytes
define void @division(ptr %warp, ptr %out, i32 %b) {
  %a = load i32, ptr %out
  %quotient = udiv i32 %a, %b
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %quotient, ptr %out
  ret void
}
; CHECK-LABEL: define internal i32 @division.region1(
; CHECK-NOT: udiv

; A turn that all warps come to is a barrier. Others are marked: the warps at a barrier do not go on with those that turn.
; COUNT: ; together: 2 regions
define void @together(ptr %warp, ptr %data) {
  store i32 1, ptr %data
  call void @hiplz_cpu_warp_turn(ptr %warp)
  store i32 2, ptr %data
  ret void
}
; CHECK-LABEL: define internal i32 @together.region0(
; CHECK: ret i32 1
; COUNT: ; turns: 3 regions
define void @turns(ptr %warp, ptr %data) {
entry:
  %own = load i32, ptr %data
  %some = icmp eq i32 %own, 0
  br i1 %some, label %turn, label %rest
turn:
  call void @hiplz_cpu_warp_turn(ptr %warp)
  br label %rest
rest:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  ret void
}
; CHECK-LABEL: define internal i32 @turns.region0(
; CHECK-DAG: ret i32 129
; CHECK-DAG: ret i32 2

; COUNT: ; not split: dynamic: private memory whose size is not known
define void @dynamic(ptr %warp, i32 %size) {
  %array = alloca i32, i32 %size
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  ret void
}
; COUNT-LABEL: define void @dynamic(
; COUNT: call void @hiplz_cpu_warp_barrier
