; Variables of a work-item that pointers may point to which nobody follows are announced to the driver under memcheck, and signed off where
; they cease to exist (private_variables.h).
; RUN: %add_checks memcheck %s | %check
target triple = "spir64-unknown-unknown"

declare void @llvm.lifetime.start.p0(i64, ptr)
declare void @llvm.lifetime.end.p0(i64, ptr)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; Another work-item may find the pointer. The kernel's variables exist as long as the work-item.
; CHECK-LABEL: define dso_local void @stored_pointer(
; CHECK: %x = alloca
; CHECK: call void @hiplz_cpu_check_private(ptr %0, ptr %x, i64 16)
; CHECK-NOT: call void @hiplz_cpu_check_private{{\(|_end}}
; CHECK: ret void
define spir_kernel void @stored_pointer(ptr addrspace(1) %to) {
  %x = alloca [4 x i32]
  store ptr %x, ptr addrspace(1) %to
  ret void
}

; Stores into a variable lose nothing of it.
; CHECK-LABEL: define dso_local void @stored_value(
; CHECK-NOT: call void @hiplz_cpu_check_private{{\(|_end}}
; CHECK: ret void
define spir_kernel void @stored_value(i64 %index, ptr addrspace(1) %to) {
  %x = alloca [4 x i32]
  %at = getelementptr i32, ptr %x, i64 %index
  store i32 7, ptr %at
  %v = load i32, ptr %x
  store i32 %v, ptr addrspace(1) %to
  ret void
}

; One of two variables, and nobody knows which.
; CHECK-LABEL: define dso_local void @one_of_two(
; CHECK-DAG: call void @hiplz_cpu_check_private(ptr %0, ptr %x, i64 4)
; CHECK-DAG: call void @hiplz_cpu_check_private(ptr %0, ptr %y, i64 4)
; CHECK: ret void
define spir_kernel void @one_of_two(i1 %which) {
  %x = alloca i32
  %y = alloca i32
  %either = select i1 %which, ptr %x, ptr %y
  store i32 7, ptr %either
  ret void
}

; Two places of one variable.
; CHECK-LABEL: define dso_local void @one_of_one(
; CHECK-NOT: call void @hiplz_cpu_check_private{{\(|_end}}
; CHECK: ret void
define spir_kernel void @one_of_one(i1 %which) {
  %x = alloca [4 x i32]
  %y = getelementptr i32, ptr %x, i64 2
  %either = select i1 %which, ptr %x, ptr %y
  store i32 7, ptr %either
  ret void
}

; A number is as good as a pointer.
; CHECK-LABEL: define dso_local void @number(
; CHECK: call void @hiplz_cpu_check_private(ptr %0, ptr %x, i64 4)
; CHECK: ret void
define spir_kernel void @number(ptr addrspace(1) %to) {
  %x = alloca i32
  %n = ptrtoint ptr %x to i64
  store i64 %n, ptr addrspace(1) %to
  ret void
}

; Copies end with the copying.
; CHECK-LABEL: define dso_local void @copied(
; CHECK-NOT: call void @hiplz_cpu_check_private{{\(|_end}}
; CHECK: ret void
define spir_kernel void @copied() {
  %x = alloca i64
  %y = alloca i64
  call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %y, i64 8, i1 false)
  ret void
}

; It is announced where its scope begins.
; CHECK-LABEL: define dso_local void @scope(
; CHECK-NOT: call void @hiplz_cpu_check_private{{\(|_end}}
; CHECK: call void @llvm.lifetime.start.p0(i64 4, ptr %x)
; CHECK-NEXT: call void @hiplz_cpu_check_private(ptr %0, ptr %x, i64 4)
; CHECK: call void @hiplz_cpu_check_private_end(ptr %0, ptr %x)
; CHECK-NEXT: call void @llvm.lifetime.end.p0(i64 4, ptr %x)
; CHECK: ret void
define spir_kernel void @scope(ptr addrspace(1) %to) {
  %x = alloca i32
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store ptr %x, ptr addrspace(1) %to
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  ret void
}

; An access behind the end of the scope, in the next round of a loop. The pointer has been followed, but the driver knows whether it exists.
; CHECK-LABEL: define dso_local void @late_access(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %x, i64 4, ptr null,
; CHECK: store i32 7, ptr %x
; CHECK: call void @hiplz_cpu_check_private(ptr %0, ptr %x, i64 4)
; CHECK: call void @hiplz_cpu_check_private_end(ptr %0, ptr %x)
; CHECK: ret void
define spir_kernel void @late_access(i32 %rounds) {
entry:
  %x = alloca i32
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  store i32 7, ptr %x
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The scope begins anew in each round.
; CHECK-LABEL: define dso_local void @access_in_scope(
; CHECK-NOT: call void @hiplz_cpu_check_{{private|access}}
; CHECK: ret void
define spir_kernel void @access_in_scope(i32 %rounds) {
entry:
  %x = alloca i32
  br label %loop
loop:
  %i = phi i32 [0, %entry], [%next, %loop]
  call void @llvm.lifetime.start.p0(i64 4, ptr %x)
  store i32 7, ptr %x
  call void @llvm.lifetime.end.p0(i64 4, ptr %x)
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %rounds
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Variables of functions end where these return. (This one calls itself, which keeps it a function.)
; CHECK-LABEL: define internal void @recursive(
; CHECK: call void @hiplz_cpu_check_private(ptr %0, ptr %copy, i64 16)
; CHECK: call void @hiplz_cpu_check_private(ptr %0, ptr %x, i64 4)
; CHECK: call void @recursive(
; CHECK-DAG: call void @hiplz_cpu_check_private_end(ptr %0, ptr %copy)
; CHECK-DAG: call void @hiplz_cpu_check_private_end(ptr %0, ptr %x)
; CHECK: ret void
define internal spir_func void @recursive(ptr byval([4 x i32]) %copy, ptr addrspace(1) %to, i32 %depth) {
entry:
  %x = alloca i32
  %more = icmp ne i32 %depth, 0
  br i1 %more, label %again, label %done
again:
  %next = add i32 %depth, -1
  store ptr %copy, ptr addrspace(1) %to
  store ptr %x, ptr addrspace(1) %to
  call spir_func void @recursive(ptr byval([4 x i32]) %copy, ptr addrspace(1) %to, i32 %next)
  br label %done
done:
  ret void
}

; An argument by value is the callee's copy.
; CHECK-LABEL: define dso_local void @passes_copy(
; CHECK-NOT: call void @hiplz_cpu_check_private{{\(|_end}}
; CHECK: ret void
define spir_kernel void @passes_copy(ptr addrspace(1) %to) {
  %x = alloca [4 x i32]
  call spir_func void @recursive(ptr byval([4 x i32]) %x, ptr addrspace(1) %to, i32 3)
  ret void
}
