; Uses that a kernel makes of the memory behind its parameters (launch_uses.h), as its table says them (abi/launch_uses.h): the number of places,
; 1 if it reads elsewhere, the number of parameters, and of each its use (0 none, 1 read, 2 own, 3 any) and 1 if it is accessed in parts of
; words. The tables of all kernels come first in the output, in the order of the kernels. A kernel that has none is checked access by access.
; RUN: %add_checks racecheck %s | %check
target triple = "spir64-unknown-unknown"

declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1), i32, i32, i32)
declare void @_Z21__spirv_MemoryBarrierii(i32, i32)

; Of what is a work-item's own: bytes 0 to 4, at four times the local id, which is a number of 32 bits.
; CHECK: [i64 3, i64 0, i64 3, i64 2, i64 0, i64 0, i64 4, i64 1, i64 281474976710656, i64 4, i64 1, i64 1, i64 1, i64 281474976710656, i64 1, i64 1, i64 0, i64 0, i64 0]
define spir_kernel void @copy(ptr addrspace(1) %to, ptr addrspace(1) %from, i32 %unused) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %there = getelementptr i32, ptr addrspace(1) %from, i64 7
  %v = load i32, ptr addrspace(1) %there
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; The element that is read may be another's.
; CHECK: [i64 4, i64 0, i64 2, i64 3, i64 0, i64 1, i64 0]
define spir_kernel void @shift(ptr addrspace(1) %both, ptr addrspace(1) %from) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %first = load i32, ptr addrspace(1) %from
  %there = getelementptr i32, ptr addrspace(1) %both, i64 7
  %v = load i32, ptr addrspace(1) %there
  %at = getelementptr i32, ptr addrspace(1) %both, i64 %id
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; Two words of eight bytes: from 0 to 8, at eight times the local id.
; CHECK: [i64 3, i64 0, i64 1, i64 2, i64 0, i64 0, i64 8, i64 1, i64 281474976710656, i64 8, i64 1, i64 1, i64 1, i64 281474976710656, i64 1]
define spir_kernel void @pairs(ptr addrspace(1) %both) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i64, ptr addrspace(1) %both, i64 %id
  %next = getelementptr i8, ptr addrspace(1) %at, i64 4
  %v = load i32, ptr addrspace(1) %next
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; CHECK: [i64 2, i64 0, i64 1, i64 2, i64 1, i64 0, i64 1, i64 1, i64 281474976710656, i64 1, i64 1, i64 1, i64 1, i64 281474976710656, i64 1]
define spir_kernel void @bytes(ptr addrspace(1) %to) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i8, ptr addrspace(1) %to, i64 %id
  store i8 1, ptr addrspace(1) %at
  ret void
}

; A read through a pointer from memory may be of what another work-item writes.
; CHECK: [i64 4, i64 1, i64 2, i64 3, i64 0, i64 1, i64 0]
define spir_kernel void @reads_elsewhere(ptr addrspace(1) %to, ptr addrspace(1) %pointers) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %elsewhere = load ptr addrspace(1), ptr addrspace(1) %pointers
  %v = load i32, ptr addrspace(1) %elsewhere
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; Atomic operations on one parameter say nothing of the others.
; CHECK: [i64 3, i64 0, i64 2, i64 2, i64 0, i64 0, i64 4, i64 1, i64 281474976710656, i64 4, i64 1, i64 1, i64 1, i64 281474976710656, i64 1, i64 3, i64 0]
define spir_kernel void @counts(ptr addrspace(1) %to, ptr addrspace(1) %counter) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %at
  %v = call i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1) %counter, i32 1, i32 0, i32 3)
  ret void
}

; With a fence, blocks may wait for each other by them.
; CHECK-LABEL: define void @hiplz.export.counts_behind_fence(
; CHECK-NOT: @hiplz_cpu_check_uses
; CHECK: call void @hiplz_cpu_check_fence
define spir_kernel void @counts_behind_fence(ptr addrspace(1) %to, ptr addrspace(1) %counter) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %at
  call void @_Z21__spirv_MemoryBarrierii(i32 1, i32 520)
  %v = call i32 @_Z18__spirv_AtomicIAddPU3AS1iiii(ptr addrspace(1) %counter, i32 1, i32 0, i32 3)
  ret void
}

; A write through a pointer from memory may be to anything.
; CHECK-LABEL: define void @hiplz.export.writes_elsewhere(
; CHECK-NOT: @hiplz_cpu_check_uses
; CHECK: ret void
define spir_kernel void @writes_elsewhere(ptr addrspace(1) %to, ptr addrspace(1) %pointers) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %elsewhere = load ptr addrspace(1), ptr addrspace(1) %pointers
  store i32 1, ptr addrspace(1) %elsewhere
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %at
  ret void
}

; So may what is called through a pointer.
; CHECK-LABEL: define void @hiplz.export.calls(
; CHECK-NOT: @hiplz_cpu_check_uses
; CHECK: ret void
define spir_kernel void @calls(ptr addrspace(1) %to, ptr %function) {
  %id = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %at
  call void %function()
  ret void
}
