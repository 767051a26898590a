; A kernel that may depend on the size of a warp asks for sub-groups of 32, any other one leaves it to the driver's compiler. A
; remark says why.
; RUN: %passes=hiplz-subgroup-size -pass-remarks-analysis=hiplz-subgroup-size %s -o %t.ll 2> %t.remarks
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=WHY < %t.remarks

@tile = internal addrspace(3) global [64 x i32] undef
@__spirv_BuiltInSubgroupSize = external addrspace(1) global i32
declare spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare spir_func i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)
declare spir_func void @_Z21__spirv_MemoryBarrierii(i32, i32)
declare spir_func i1 @_Z17__spirv_GroupAllib(i32, i1)
declare spir_func float @_Z31__spirv_GroupNonUniformShuffleifj(i32, float, i32)
declare spir_func i32 @_Z18__spirv_AtomicIAddPU3AS4jiij(i32 addrspace(4)*, i32, i32, i32)
declare spir_func float @_Z16intel_sub_group_shuffle(float, i32)
declare spir_func float @_Z3sinf(float)
declare void @llvm.memcpy.p1i8.p3i8.i64(i8 addrspace(1)*, i8 addrspace(3)*, i64, i1)

; Indices, shared memory, barriers and operations of the block, atomic operations of the device, mathematics, volatile
; variables of the thread: the same with warps of any size.
; CHECK: define spir_kernel void @plain({{[^!]*}} {
define spir_kernel void @plain(float addrspace(1)* %p, i32 addrspace(4)* %counter) {
  %own = alloca i32
  store volatile i32 1, i32* %own
  store volatile i32 0, i32 addrspace(1)* null ; a call of no function
  %generic = addrspacecast i32* %own to i32 addrspace(4)*
  %again = load volatile i32, i32 addrspace(4)* %generic
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %place = getelementptr [64 x i32], [64 x i32] addrspace(3)* @tile, i64 0, i64 %id
  store i32 %again, i32 addrspace(3)* %place
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  %all = call spir_func i1 @_Z17__spirv_GroupAllib(i32 2, i1 true)
  %old = call spir_func i32 @_Z18__spirv_AtomicIAddPU3AS4jiij(i32 addrspace(4)* %counter, i32 1, i32 0, i32 1)
  %other = atomicrmw add i32 addrspace(4)* %counter, i32 1 syncscope("device") monotonic
  %mine = getelementptr float, float addrspace(1)* %p, i64 %id
  %x = load float, float addrspace(1)* %mine
  %y = call spir_func float @harmless(float %x)
  store float %y, float addrspace(1)* %mine
  ret void
}
define internal spir_func float @harmless(float %x) {
  %y = call spir_func float @_Z3sinf(float %x)
  ret float %y
}

; Values of other threads, with nothing between writing and reading them: right if the threads are in step.
; CHECK: define spir_kernel void @exchange({{.*}} !intel_reqd_sub_group_size [[SIZE:![0-9]+]]
; WHY-DAG: kernel exchange needs sub-groups of 32: it may exchange values between threads without a barrier
define spir_kernel void @exchange(i32 addrspace(1)* %p, i32 addrspace(3)* %dynamic) {
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %own = getelementptr i32, i32 addrspace(3)* %dynamic, i64 %id
  store i32 1, i32 addrspace(3)* %own
  call spir_func void @readShared(i32 addrspace(1)* %p, i32 addrspace(3)* %dynamic)
  ret void
}
define internal spir_func void @readShared(i32 addrspace(1)* %p, i32 addrspace(3)* %dynamic) {
  %other = load i32, i32 addrspace(3)* %dynamic
  store i32 %other, i32 addrspace(1)* %p
  ret void
}
; CHECK: define spir_kernel void @exchangeAcrossBarrier({{[^!]*}} {
define spir_kernel void @exchangeAcrossBarrier(i32 addrspace(1)* %p, i32 addrspace(3)* %dynamic) {
  store i32 1, i32 addrspace(3)* %dynamic
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 776)
  call spir_func void @readShared(i32 addrspace(1)* %p, i32 addrspace(3)* %dynamic)
  ret void
}
; All see the word before one of them writes it.
; CHECK: define spir_kernel void @oneWord({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @oneWord(i32 addrspace(1)* %p, i32 addrspace(3)* %dynamic) {
  %other = load atomic i32, i32 addrspace(3)* %dynamic syncscope("device") monotonic, align 4
  %more = add i32 %other, 1
  store i32 %more, i32 addrspace(3)* %dynamic
  store i32 %other, i32 addrspace(1)* %p
  ret void
}

; CHECK: define spir_kernel void @lane({{.*}} !intel_reqd_sub_group_size [[SIZE]]
; WHY-DAG: kernel lane needs sub-groups of 32: it uses an operation of the warp
define spir_kernel void @lane(i32 addrspace(1)* %p) {
  %id = call spir_func i32 @_Z40__spirv_BuiltInSubgroupLocalInvocationIdv()
  store i32 %id, i32 addrspace(1)* %p
  ret void
}
; CHECK: define spir_kernel void @shuffle({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @shuffle(float addrspace(1)* %p) {
  call spir_func void @outer(float addrspace(1)* %p)
  ret void
}
define internal spir_func void @outer(float addrspace(1)* %p) {
  call spir_func void @inner(float addrspace(1)* %p)
  ret void
}
define internal spir_func void @inner(float addrspace(1)* %p) {
  call spir_func void @outer(float addrspace(1)* %p)
  %x = load float, float addrspace(1)* %p
  %y = call spir_func float @_Z31__spirv_GroupNonUniformShuffleifj(i32 3, float %x, i32 1)
  store float %y, float addrspace(1)* %p
  ret void
}
; The functions in between are known by now, and the answer is the same.
; CHECK: define spir_kernel void @shuffle_again({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @shuffle_again(float addrspace(1)* %p) {
  %y = call spir_func float @harmless(float 1.0)
  call spir_func void @inner(float addrspace(1)* %p)
  ret void
}
; CHECK: define spir_kernel void @opencl_shuffle({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @opencl_shuffle(float addrspace(1)* %p) {
  %y = call spir_func float @_Z16intel_sub_group_shuffle(float 1.0, i32 1)
  store float %y, float addrspace(1)* %p
  ret void
}
; CHECK: define spir_kernel void @variable({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @variable(i32 addrspace(1)* %p) {
  %x = load i32, i32 addrspace(1)* @__spirv_BuiltInSubgroupSize
  store i32 %x, i32 addrspace(1)* %p
  ret void
}
; CHECK: define spir_kernel void @warp_barrier({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @warp_barrier() {
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 3, i32 3, i32 776)
  ret void
}
; CHECK: define spir_kernel void @unknown_scope({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @unknown_scope(i32 %scope) {
  %all = call spir_func i1 @_Z17__spirv_GroupAllib(i32 %scope, i1 true)
  ret void
}
; CHECK: define spir_kernel void @warp_atomic({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @warp_atomic(i32 addrspace(4)* %p) {
  %old = call spir_func i32 @_Z18__spirv_AtomicIAddPU3AS4jiij(i32 addrspace(4)* %p, i32 3, i32 0, i32 1)
  ret void
}
; CHECK: define spir_kernel void @wavefront_atomic({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @wavefront_atomic(i32 addrspace(4)* %p) {
  %old = atomicrmw add i32 addrspace(4)* %p, i32 1 syncscope("wavefront") monotonic
  ret void
}
; CHECK: define spir_kernel void @in_step({{.*}} !intel_reqd_sub_group_size [[SIZE]]
; WHY-DAG: kernel in_step needs sub-groups of 32: it has volatile memory, which threads in step may count on
define spir_kernel void @in_step() {
  %x = load volatile i32, i32 addrspace(3)* getelementptr ([64 x i32], [64 x i32] addrspace(3)* @tile, i64 0, i64 1)
  store i32 %x, i32 addrspace(3)* getelementptr ([64 x i32], [64 x i32] addrspace(3)* @tile, i64 0, i64 0)
  ret void
}
; CHECK: define spir_kernel void @in_step_generic({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @in_step_generic(i32 addrspace(4)* %p) {
  store volatile i32 1, i32 addrspace(4)* %p
  ret void
}
; CHECK: define spir_kernel void @in_step_copy({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @in_step_copy(i8 addrspace(1)* %p) {
  call void @llvm.memcpy.p1i8.p3i8.i64(i8 addrspace(1)* %p, i8 addrspace(3)* bitcast ([64 x i32] addrspace(3)* @tile to i8 addrspace(3)*), i64 4, i1 true)
  ret void
}
; A fence shows nothing by itself. What is on its two sides does.
; CHECK: define spir_kernel void @fence({{[^!]*}} {
define spir_kernel void @fence() {
  call spir_func void @_Z21__spirv_MemoryBarrierii(i32 2, i32 784)
  ret void
}
; CHECK: define spir_kernel void @fencedExchange({{.*}} !intel_reqd_sub_group_size [[SIZE]]
; WHY-DAG: kernel fencedExchange needs sub-groups of 32: it may exchange values between threads without a barrier
define spir_kernel void @fencedExchange(i32 addrspace(1)* %p, i32 addrspace(1)* %out) {
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %own = getelementptr i32, i32 addrspace(1)* %p, i64 %id
  store i32 1, i32 addrspace(1)* %own
  call spir_func void @_Z21__spirv_MemoryBarrierii(i32 2, i32 784)
  %next = getelementptr i32, i32 addrspace(1)* %own, i64 1
  %x = load i32, i32 addrspace(1)* %next
  %result = getelementptr i32, i32 addrspace(1)* %out, i64 %id
  store i32 %x, i32 addrspace(1)* %result
  ret void
}
; The same in code that was compiled without optimisation, and through generic pointers.
; CHECK: define spir_kernel void @unoptimized({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @unoptimized(i32 addrspace(1)* %p) #0 {
  %variable = alloca i32 addrspace(4)*
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  store i32 addrspace(4)* %generic, i32 addrspace(4)** %variable
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %base = load i32 addrspace(4)*, i32 addrspace(4)** %variable
  %own = getelementptr i32, i32 addrspace(4)* %base, i64 %id
  %x = load i32, i32 addrspace(4)* %own
  %next = getelementptr i32, i32 addrspace(4)* %own, i64 1
  store i32 %x, i32 addrspace(4)* %next
  ret void
}
; CHECK: define spir_kernel void @unoptimizedOwn({{[^!]*}} {
define spir_kernel void @unoptimizedOwn(i32 addrspace(1)* %p) #0 {
  %variable = alloca i32 addrspace(4)*
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  store i32 addrspace(4)* %generic, i32 addrspace(4)** %variable
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %base = load i32 addrspace(4)*, i32 addrspace(4)** %variable
  %own = getelementptr i32, i32 addrspace(4)* %base, i64 %id
  %x = load i32, i32 addrspace(4)* %own
  %more = add i32 %x, 1
  store i32 %more, i32 addrspace(4)* %own
  ret void
}
attributes #0 = { noinline optnone }
; CHECK: define spir_kernel void @assembly({{.*}} !intel_reqd_sub_group_size [[SIZE]]
; WHY-DAG: kernel assembly needs sub-groups of 32: it contains assembly
define spir_kernel void @assembly() {
  call void asm sideeffect "", "~{memory}"()
  ret void
}
; CHECK: define spir_kernel void @pointer({{.*}} !intel_reqd_sub_group_size [[SIZE]]
; WHY-DAG: kernel pointer needs sub-groups of 32: it calls through a pointer
define spir_kernel void @pointer(void ()* %f) {
  call spir_func void %f()
  ret void
}
; A sub-group size that was asked for before does not count.
; CHECK: define spir_kernel void @old() {
define spir_kernel void @old() !intel_reqd_sub_group_size !0 {
  ret void
}
!0 = !{i32 32}
; SPIR-V's atomic functions are accesses like others: several threads have one counter, and look at it.
; CHECK: define spir_kernel void @countAndLook({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @countAndLook(i32 addrspace(4)* %counter, i32 addrspace(1)* %out) {
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %low = and i64 %id, 3
  %place = getelementptr i32, i32 addrspace(4)* %counter, i64 %low
  %old = call spir_func i32 @_Z18__spirv_AtomicIAddPU3AS4jiij(i32 addrspace(4)* %place, i32 1, i32 0, i32 1)
  %now = load i32, i32 addrspace(4)* %place
  %own = getelementptr i32, i32 addrspace(1)* %out, i64 %id
  store i32 %now, i32 addrspace(1)* %own
  ret void
}
; A function that only computes is looked into; one that writes may write anything.
; CHECK: define spir_kernel void @callsWriter({{.*}} !intel_reqd_sub_group_size [[SIZE]]
define spir_kernel void @callsWriter(i32 addrspace(1)* %p) {
  %id = call spir_func i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %own = getelementptr i32, i32 addrspace(1)* %p, i64 %id
  call spir_func void @writer(i32 addrspace(1)* %own)
  %next = getelementptr i32, i32 addrspace(1)* %own, i64 1
  %x = load i32, i32 addrspace(1)* %next
  %result = getelementptr i32, i32 addrspace(1)* %own, i64 9999
  store i32 %x, i32 addrspace(1)* %result
  ret void
}
define internal spir_func void @writer(i32 addrspace(1)* %own) {
  store i32 1, i32 addrspace(1)* %own
  ret void
}

; CHECK: [[SIZE]] = !{i32 32}
; WHY-NOT: kernel plain
