; Loops in which a work-item walks from element to element (loop_ranges.h): under racecheck one check in front of the loop has all bytes of
; all rounds. What is not made in each round, or not element after element, is checked where it is.
; RUN: %add_checks racecheck %s | %check
; Memcheck wants to know each access.
; RUN: %add_checks racecheck,memcheck %s | %check --check-prefix=EACH
target triple = "spir64-unknown-unknown"

declare void @_Z21__spirv_MemoryBarrierii(i32, i32)

; CHECK-LABEL: define dso_local void @sum(
; CHECK: %[[ROUNDS:.*]] = add{{.*}} i64 %umax, -1
; CHECK-NEXT: %[[FURTHER:.*]] = shl{{.*}} i64 %[[ROUNDS]], 2
; CHECK-NEXT: %[[BYTES:.*]] = add{{.*}} i64 %[[FURTHER]], 4
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %begin, i64 %[[BYTES]], ptr %from,
; CHECK: loop:
; CHECK-NOT: call void @hiplz_cpu_check_access
; CHECK: br i1 %more
; EACH-LABEL: define dso_local void @sum(
; EACH: loop:
; EACH: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4,
; EACH: br i1 %more
define spir_kernel void @sum(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Others may have the elements between.
; CHECK-LABEL: define dso_local void @every_second(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4, ptr %from,
define spir_kernel void @every_second(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = getelementptr i64, ptr addrspace(1) %begin, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The walk goes from the last element to the first.
; CHECK-LABEL: define dso_local void @downwards(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4, ptr %from,
define spir_kernel void @downwards(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i64 %i, -1
  %more = icmp ugt i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Not every round makes the access.
; CHECK-LABEL: define dso_local void @some_rounds(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4, ptr %from,
define spir_kernel void @some_rounds(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %again]
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %i
  %chosen = icmp ult i64 %i, %first
  br i1 %chosen, label %then, label %again
then:
  %v = load i32, ptr addrspace(1) %at
  br label %again
again:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The loop may be left before its last round.
; CHECK-LABEL: define dso_local void @left_early(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4, ptr %from,
define spir_kernel void @left_early(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %again]
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %found = icmp eq i32 %v, 0
  br i1 %found, label %done, label %again
again:
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Reads behind the fence come later than the beginning of the loop.
; CHECK-LABEL: define dso_local void @fence_in_round(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4, ptr %from,
define spir_kernel void @fence_in_round(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %i
  %v = load i32, ptr addrspace(1) %at
  call void @_Z21__spirv_MemoryBarrierii(i32 1, i32 520)
  %next = add i64 %i, 1
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; How many rounds there are is only known when the last one has been made.
; CHECK-LABEL: define dso_local void @unknown_rounds(
; CHECK: loop:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %at, i64 4, ptr %from,
define spir_kernel void @unknown_rounds(ptr addrspace(1) %from, i64 %first, i64 %end) {
entry:
  %begin = getelementptr i32, ptr addrspace(1) %from, i64 %first
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = getelementptr i32, ptr addrspace(1) %begin, i64 %i
  %v = load i32, ptr addrspace(1) %at
  %next = add i64 %i, 1
  %more = icmp ne i32 %v, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}
