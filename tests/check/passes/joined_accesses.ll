; Accesses of one source line that lie side by side have one check under racecheck, of all their bytes (joined_accesses.h).
; RUN: %add_checks racecheck %s | %check
target triple = "spir64-unknown-unknown"

declare void @_Z21__spirv_MemoryBarrierii(i32, i32)

; CHECK-LABEL: define dso_local void @structure(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 12, ptr null,
; CHECK-NOT: call void @hiplz_cpu_check_access(ptr %0, ptr %{{b|c}},
; CHECK: ret void
define spir_kernel void @structure(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %c = getelementptr i8, ptr addrspace(1) %a, i64 8
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  %y = load i32, ptr addrspace(1) %b, !dbg !4
  %z = load i32, ptr addrspace(1) %c, !dbg !4
  ret void
}

; CHECK-LABEL: define dso_local void @other_line(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @other_line(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  %y = load i32, ptr addrspace(1) %b, !dbg !5
  ret void
}

; CHECK-LABEL: define dso_local void @gap(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @gap(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 8
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  %y = load i32, ptr addrspace(1) %b, !dbg !4
  ret void
}

; CHECK-LABEL: define dso_local void @downwards(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
define spir_kernel void @downwards(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %y = load i32, ptr addrspace(1) %b, !dbg !4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  ret void
}

; Of both kinds each has its own.
; CHECK-LABEL: define dso_local void @read_and_write(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 8, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 8, ptr null,
; CHECK-NOT: call void @hiplz_cpu_check_access(ptr %0, ptr %b,
; CHECK: ret void
define spir_kernel void @read_and_write(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  store i32 %x, ptr addrspace(1) %a, !dbg !4
  %y = load i32, ptr addrspace(1) %b, !dbg !4
  store i32 %y, ptr addrspace(1) %b, !dbg !4
  ret void
}

; A read and a write are two accesses.
; CHECK-LABEL: define dso_local void @write_beside_read(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @write_beside_read(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  store i32 %x, ptr addrspace(1) %b, !dbg !4
  ret void
}

; Work-items may be in another order behind the fence.
; CHECK-LABEL: define dso_local void @fence_between(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: fence
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @fence_between(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  call void @_Z21__spirv_MemoryBarrierii(i32 1, i32 520)
  %y = load i32, ptr addrspace(1) %b, !dbg !4
  ret void
}

; The second one may not be reached.
; CHECK-LABEL: define dso_local void @other_block(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: then:
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @other_block(i1 %c, ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  br i1 %c, label %then, label %end
then:
  %y = load i32, ptr addrspace(1) %b, !dbg !4
  br label %end
end:
  ret void
}

; CHECK-LABEL: define dso_local void @other_pointer(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %d, i64 4, ptr null,
define spir_kernel void @other_pointer(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %next = getelementptr ptr addrspace(1), ptr addrspace(1) %pointers, i64 1
  %b = load ptr addrspace(1), ptr addrspace(1) %next
  %d = getelementptr i8, ptr addrspace(1) %b, i64 4
  %x = load i32, ptr addrspace(1) %a, !dbg !4
  %y = load i32, ptr addrspace(1) %d, !dbg !4
  ret void
}

; A volatile read may be of a flag.
; CHECK-LABEL: define dso_local void @volatile(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @volatile(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  %x = load volatile i32, ptr addrspace(1) %a, !dbg !4
  %y = load volatile i32, ptr addrspace(1) %b, !dbg !4
  ret void
}

; Elements of a variable index.
; CHECK-LABEL: define dso_local void @same_index(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %first, i64 8, ptr null,
; CHECK-NOT: call void @hiplz_cpu_check_access(ptr %0, ptr %second,
; CHECK: ret void
define spir_kernel void @same_index(i64 %i, i64 %j, ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %first = getelementptr [2 x i32], ptr addrspace(1) %a, i64 %i, i64 0
  %second = getelementptr [2 x i32], ptr addrspace(1) %a, i64 %i, i64 1
  %x = load i32, ptr addrspace(1) %first, !dbg !4
  %y = load i32, ptr addrspace(1) %second, !dbg !4
  ret void
}

; CHECK-LABEL: define dso_local void @other_index(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %first, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %second, i64 4, ptr null,
define spir_kernel void @other_index(i64 %i, i64 %j, ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %first = getelementptr [2 x i32], ptr addrspace(1) %a, i64 %i, i64 0
  %second = getelementptr [2 x i32], ptr addrspace(1) %a, i64 %j, i64 1
  %x = load i32, ptr addrspace(1) %first, !dbg !4
  %y = load i32, ptr addrspace(1) %second, !dbg !4
  ret void
}

; Work-items that write the same may: that is known of zeros side by side, and not of two numbers.
; CHECK-LABEL: define dso_local void @zeros(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 8, ptr null,
; CHECK-NOT: call void @hiplz_cpu_check_access(ptr %0, ptr %b,
; CHECK: ret void
define spir_kernel void @zeros(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  store i32 0, ptr addrspace(1) %a, !dbg !4
  store i32 0, ptr addrspace(1) %b, !dbg !4
  ret void
}

; CHECK-LABEL: define dso_local void @ones(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 4, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %b, i64 4, ptr null,
define spir_kernel void @ones(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %b = getelementptr i8, ptr addrspace(1) %a, i64 4
  store i32 1, ptr addrspace(1) %a, !dbg !4
  store i32 1, ptr addrspace(1) %b, !dbg !4
  ret void
}

; No more than 64 bytes.
; CHECK-LABEL: define dso_local void @nine(
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %a, i64 64, ptr null,
; CHECK: call void @hiplz_cpu_check_access(ptr %0, ptr %p8, i64 8, ptr null,
define spir_kernel void @nine(ptr addrspace(1) %pointers) {
  %a = load ptr addrspace(1), ptr addrspace(1) %pointers
  %p1 = getelementptr i8, ptr addrspace(1) %a, i64 8
  %p2 = getelementptr i8, ptr addrspace(1) %a, i64 16
  %p3 = getelementptr i8, ptr addrspace(1) %a, i64 24
  %p4 = getelementptr i8, ptr addrspace(1) %a, i64 32
  %p5 = getelementptr i8, ptr addrspace(1) %a, i64 40
  %p6 = getelementptr i8, ptr addrspace(1) %a, i64 48
  %p7 = getelementptr i8, ptr addrspace(1) %a, i64 56
  %p8 = getelementptr i8, ptr addrspace(1) %a, i64 64
  %v0 = load i64, ptr addrspace(1) %a, !dbg !4
  %v1 = load i64, ptr addrspace(1) %p1, !dbg !4
  %v2 = load i64, ptr addrspace(1) %p2, !dbg !4
  %v3 = load i64, ptr addrspace(1) %p3, !dbg !4
  %v4 = load i64, ptr addrspace(1) %p4, !dbg !4
  %v5 = load i64, ptr addrspace(1) %p5, !dbg !4
  %v6 = load i64, ptr addrspace(1) %p6, !dbg !4
  %v7 = load i64, ptr addrspace(1) %p7, !dbg !4
  %v8 = load i64, ptr addrspace(1) %p8, !dbg !4
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!6}
!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.hip", directory: "/")
!2 = !DISubroutineType(types: !{null})
!3 = distinct !DISubprogram(name: "kernels", file: !1, line: 1, type: !2, unit: !0)
!4 = !DILocation(line: 10, scope: !3)
!5 = !DILocation(line: 11, scope: !3)
!6 = !{i32 2, !"Debug Info Version", i32 3}
