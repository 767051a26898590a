; Accesses to shared memory that need no check under racecheck, since only barriers order them and nothing meets them between two of these
; (shared_intervals.h). The kernels that look alike and are something else have a check of each access.
; RUN: %add_checks racecheck %s | %check
target triple = "spir64-unknown-unknown"

@tile = internal addrspace(3) global [256 x i32] undef
declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare i32 @_Z18__spirv_AtomicIAddPU3AS3iiii(ptr addrspace(3), i32, i32, i32)

; The size of the block decides whether the elements that are written are each work-item's own. Behind the barrier all is only read.
; CHECK-LABEL: define dso_local void @read_behind_barrier(
; CHECK: br i1 %{{.*}}, label %[[OVERLAP:.*]], label %[[WRITE:[^,]*]], !prof
; CHECK: [[OVERLAP]]:
; CHECK-NEXT: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4,
; CHECK-NEXT: br label %[[WRITE]]
; CHECK: [[WRITE]]:
; CHECK-NEXT: store i32 1, ptr %at
; CHECK-NOT: call void @hiplz_cpu_check_{{(access|shared)\(}}
; CHECK: %v = load i32, ptr %from
define spir_kernel void @read_behind_barrier(i64 %other) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %at
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  %v = load i32, ptr addrspace(3) %from
  ret void
}

; CHECK-LABEL: define dso_local void @read_in_front_of_barrier(
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %at,
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %from,
define spir_kernel void @read_in_front_of_barrier(i64 %other) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %at
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  %v = load i32, ptr addrspace(3) %from
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  ret void
}

; The next round writes what one round reads.
; CHECK-LABEL: define dso_local void @read_beside_next_round(
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %at,
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %from,
define spir_kernel void @read_beside_next_round(i64 %other, i32 %rounds) {
entry:
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  br label %loop
loop:
  %round = phi i32 [0, %entry], [%next, %loop]
  store i32 1, ptr addrspace(3) %at
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  %v = load i32, ptr addrspace(3) %from
  %next = add i32 %round, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %end
end:
  ret void
}

; A second barrier in the loop keeps them apart.
; CHECK-LABEL: define dso_local void @read_between_barriers_of_round(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at,
; CHECK-NOT: call void @hiplz_cpu_check_{{(access|shared)\(}}
; CHECK: %more = icmp
define spir_kernel void @read_between_barriers_of_round(i64 %other, i32 %rounds) {
entry:
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %other
  br label %loop
loop:
  %round = phi i32 [0, %entry], [%next, %loop]
  store i32 1, ptr addrspace(3) %at
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  %v = load i32, ptr addrspace(3) %from
  call void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 272)
  %next = add i32 %round, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Eight bytes of each work-item's own: the second one's are compared with the end of the first one's.
; CHECK-LABEL: define dso_local void @two_own(
; CHECK: add i64 8, %
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %next,
define spir_kernel void @two_own() {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i64, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %at
  %next = getelementptr i8, ptr addrspace(3) %at, i64 4
  %v = load i32, ptr addrspace(3) %next
  ret void
}

; Every second element, of those that others write.
; CHECK-LABEL: define dso_local void @other_stride(
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %at,
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %from,
define spir_kernel void @other_stride() {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  store i32 1, ptr addrspace(3) %at
  %from = getelementptr i64, ptr addrspace(3) @tile, i64 %id
  %v = load i32, ptr addrspace(3) %from
  ret void
}

; Ids of 8 bits may be the same for several work-items.
; CHECK-LABEL: define dso_local void @narrow_id(
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %at,
define spir_kernel void @narrow_id() {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %narrow = trunc i64 %id to i8
  %index = zext i8 %narrow to i64
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %index
  store i32 1, ptr addrspace(3) %at
  ret void
}

; Nobody knows what is done with an address that has been stored.
; CHECK-LABEL: define dso_local void @address_is_stored(
; CHECK: call void @hiplz_cpu_check_shared(ptr %0, ptr %at,
define spir_kernel void @address_is_stored(ptr addrspace(1) %to) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %v = load i32, ptr addrspace(3) %at
  store ptr addrspace(3) %at, ptr addrspace(1) %to
  ret void
}

; Atomic operations are in order with each other.
; CHECK-LABEL: define dso_local void @histogram(
; CHECK-NOT: call void @hiplz_cpu_check_{{(access|shared)\(}}
; CHECK: = atomicrmw add
define spir_kernel void @histogram(i64 %bin) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %bin
  %v = call i32 @_Z18__spirv_AtomicIAddPU3AS3iiii(ptr addrspace(3) %at, i32 2, i32 0, i32 3)
  ret void
}

; A result that is used may tell the work-item what others have done.
; CHECK-LABEL: define dso_local void @ticket(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at,
; CHECK: atomicrmw add
define spir_kernel void @ticket(i64 %bin, ptr addrspace(1) %to) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %bin
  %v = call i32 @_Z18__spirv_AtomicIAddPU3AS3iiii(ptr addrspace(3) %at, i32 2, i32 0, i32 3)
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; A plain read is in no order with them.
; CHECK-LABEL: define dso_local void @read_beside_histogram(
; CHECK: call void @hiplz_cpu_check_{{(access|shared)}}(ptr %0, ptr %at,
; CHECK: atomicrmw add
; CHECK: call void @hiplz_cpu_check_{{(access|shared)}}(ptr %0, ptr %from,
define spir_kernel void @read_beside_histogram(i64 %bin) {
  %at = getelementptr i32, ptr addrspace(3) @tile, i64 %bin
  %v = call i32 @_Z18__spirv_AtomicIAddPU3AS3iiii(ptr addrspace(3) %at, i32 2, i32 0, i32 3)
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %from = getelementptr i32, ptr addrspace(3) @tile, i64 %id
  %w = load i32, ptr addrspace(3) %from
  ret void
}
