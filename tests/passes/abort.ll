; assert, abort and __trap note the reason and return from the kernel, through functions that were not inlined as well.
; RUN: %passes=hiplz-abort %s | FileCheck %s

; CHECK: @__hiplz_abort = addrspace(1) externally_initialized global i64 0
; CHECK-NOT: @__hiplz_end_grid

declare spir_func void @__hiplz_end_grid(i32) noreturn
declare void @llvm.trap()
declare spir_func void @_Z22__spirv_ControlBarrieriii(i32, i32, i32)

; The rest of the kernel is not executed, and threads that begin later return at once.
; CHECK-LABEL: define spir_kernel void @direct(
; CHECK: load i64, i64 addrspace(1)* @__hiplz_abort
; CHECK: [[RAISED:%.*]] = icmp ne i32 {{%.*}}, 0
; CHECK: br i1 [[RAISED]], label %ended, label
; CHECK: fail:
; CHECK-NEXT: call spir_func void @hiplz.abort.raise(i32 1)
; CHECK-NEXT: ret void
; CHECK: more:
define spir_kernel void @direct(i32 addrspace(1)* %p, i1 %bad) {
  %local = alloca i32
  br i1 %bad, label %fail, label %more
fail:
  call spir_func void @__hiplz_end_grid(i32 1)
  unreachable
more:
  %x = phi i32 [ 1, %0 ]
  store i32 %x, i32 addrspace(1)* %p
  ret void
}

; Variables stay in the first block where others stand in front of them, such as the load of a managed variable's address.
; CHECK-LABEL: define spir_kernel void @variablesBehindLoad(
; CHECK-NEXT: %array = alloca [4 x i32]
; CHECK-NEXT: %other = alloca i32
; CHECK-NOT: alloca
; CHECK: br i1 {{%.*}}, label %ended
; CHECK-NOT: alloca
; CHECK: ret void
define spir_kernel void @variablesBehindLoad(i32 addrspace(1)* %p, i1 %bad) {
  %array = alloca [4 x i32]
  %value = load i32, i32 addrspace(1)* %p
  %other = alloca i32
  store i32 %value, i32* %other
  br i1 %bad, label %fail, label %more
fail:
  call spir_func void @__hiplz_end_grid(i32 1)
  unreachable
more:
  ret void
}

; The instruction behind a trap was reachable for the compiler, and its phi loses the edge.
; CHECK-LABEL: define spir_func i32 @sometimes(
; CHECK: call spir_func void @hiplz.abort.raise(i32 2)
; CHECK-NEXT: ret i32 0
; CHECK: join:
; CHECK-NEXT: ret i32 7
define spir_func i32 @sometimes(i1 %bad) {
  br i1 %bad, label %fail, label %join
fail:
  call void @llvm.trap()
  br label %join
join:
  %r = phi i32 [ 7, %0 ], [ 8, %fail ]
  ret i32 %r
}

; CHECK-LABEL: define spir_func { i32, float } @always(
; CHECK-SAME: [[ALWAYS:#[0-9]+]] {
; CHECK-NEXT: call spir_func void @hiplz.abort.raise(i32 %reason)
; CHECK-NEXT: ret { i32, float } zeroinitializer
define spir_func { i32, float } @always(i32 %reason) noreturn nounwind {
  call spir_func void @__hiplz_end_grid(i32 %reason)
  unreachable
}

; After a call that may have ended the grid the caller looks; after one that does not return it returns. A kernel with a
; barrier does not return at its beginning.
; CHECK-LABEL: define spir_kernel void @through(
; CHECK-NEXT: call spir_func void @_Z22__spirv_ControlBarrieriii
; CHECK-NEXT: %a = call spir_func i32 @sometimes(
; CHECK-NEXT: load i64, i64 addrspace(1)* @__hiplz_abort
; CHECK: br i1 {{%.*}}, label %ended, label
; CHECK: ended:
; CHECK-NEXT: ret void
; CHECK: br i1
; CHECK: end:
; CHECK-NEXT: call spir_func { i32, float } @always(i32 2)
; CHECK-NEXT: ret void
define spir_kernel void @through(i1 %bad) {
  call spir_func void @_Z22__spirv_ControlBarrieriii(i32 2, i32 2, i32 264)
  %a = call spir_func i32 @sometimes(i1 %bad)
  %c = icmp eq i32 %a, 0
  br i1 %c, label %end, label %good
end:
  %s = call spir_func { i32, float } @always(i32 2) noreturn
  %f = extractvalue { i32, float } %s, 0
  unreachable
good:
  ret void
}

; Others are left alone.
; CHECK-LABEL: define spir_kernel void @plain(
; CHECK-NEXT: ret void
define spir_kernel void @plain() {
  ret void
}

; A call through a pointer that means no function tells the host, and goes on.
; CHECK-LABEL: define internal spir_func void @hiplz.wild_call()
; CHECK: load i64, i64 addrspace(1)* @__hiplz_abort
; CHECK: store atomic i32 3, i32 addrspace(1)* {{%.*}} monotonic
declare spir_func void @hiplz.wild_call()
; CHECK-LABEL: define spir_kernel void @wild(
; CHECK-NEXT: call spir_func void @hiplz.wild_call()
; CHECK-NEXT: store i32 1
define spir_kernel void @wild(i32 addrspace(1)* %p) {
  call spir_func void @hiplz.wild_call()
  store i32 1, i32 addrspace(1)* %p
  ret void
}

; The first reason stays.
; CHECK-LABEL: define internal spir_func void @hiplz.abort.raise(i32 %0)
; CHECK: cmpxchg i32 addrspace(1)* {{%.*}}, i32 0, i32 %0 monotonic monotonic
; CHECK: store atomic i32 %0, i32 addrspace(1)* {{%.*}} release

; CHECK: attributes [[ALWAYS]] = { nounwind }
