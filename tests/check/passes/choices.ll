; Branches that only choose one of two values, as code that is not optimised has them, become selections under initcheck (choices.h): they
; decide nothing. Where one way does something, or is longer than its result is worth, the branch stays and asks whether it is decided by a
; value that nobody has written.
; RUN: %add_checks initcheck %s | %check
target triple = "spir64-unknown-unknown"

; CHECK-LABEL: define dso_local void @minimum(
; CHECK-NOT: br i1 %less
; CHECK: %[[MINIMUM:.*]] = select i1 %less, i32 %x, i32 %y
; CHECK-NOT: br i1 %less
; CHECK: store i32 %[[MINIMUM]], ptr %to
define spir_kernel void @minimum(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %b = alloca i32
  %next = getelementptr i32, ptr addrspace(1) %from, i64 1
  %v = load i32, ptr addrspace(1) %from
  %w = load i32, ptr addrspace(1) %next
  store i32 %v, ptr %a
  store i32 %w, ptr %b
  %less = icmp ult i32 %v, %w
  br i1 %less, label %then, label %else
then:
  %x = load i32, ptr %a
  br label %end
else:
  %y = load i32, ptr %b
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%y, %else]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; One of the ways leads to the end at once.
; CHECK-LABEL: define dso_local void @one_arm(
; CHECK-NOT: br i1 %less
; CHECK: select i1 %less, i32 %x, i32 %v
define spir_kernel void @one_arm(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %x = load i32, ptr %a
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; Casts have no effect.
; CHECK-LABEL: define dso_local void @cast(
; CHECK-NOT: br i1 %less
; CHECK: select i1 %less, i32 %x, i32 %v
define spir_kernel void @cast(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %y = load i32, ptr %a
  %z = trunc i32 %y to i8
  %x = zext i8 %z to i32
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; A store is an effect.
; CHECK-LABEL: define dso_local void @stores(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @stores(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %x = load i32, ptr %a
  store i32 7, ptr %a
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; Memory may only be there if the branch is taken.
; CHECK-LABEL: define dso_local void @reads_memory(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @reads_memory(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %x = load i32, ptr addrspace(1) %to
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; Of an array the branch may have tested the index.
; CHECK-LABEL: define dso_local void @part_of_variable(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @part_of_variable(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  %array = alloca [4 x i32]
  store [4 x i32] [i32 1, i32 2, i32 3, i32 4], ptr %array
  br i1 %less, label %then, label %end
then:
  %x = load i32, ptr %array
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; So may a volatile read be.
; CHECK-LABEL: define dso_local void @reads_volatile(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @reads_volatile(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %x = load volatile i32, ptr %a
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; Arithmetic is a decision: the program wants it done or not.
; CHECK-LABEL: define dso_local void @computes(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @computes(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %y = load i32, ptr %a
  %x = udiv i32 7, %y
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; Nine instructions are more than a choice.
; CHECK-LABEL: define dso_local void @nine_instructions(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @nine_instructions(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %y0 = load i32, ptr %a
  %y1 = load i32, ptr %a
  %y2 = load i32, ptr %a
  %y3 = load i32, ptr %a
  %y4 = load i32, ptr %a
  %y5 = load i32, ptr %a
  %y6 = load i32, ptr %a
  %y7 = load i32, ptr %a
  %x = load i32, ptr %a
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; Nothing is chosen.
; CHECK-LABEL: define dso_local void @no_value(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @no_value(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  br i1 %less, label %then, label %end
then:
  %x = load i32, ptr %a
  br label %end
end:
  %chosen = load i32, ptr %a
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}

; A third way leads there as well.
; CHECK-LABEL: define dso_local void @three_ways(
; CHECK: br i1 %less, label %then, label
define spir_kernel void @three_ways(ptr addrspace(1) %from, ptr addrspace(1) %to) {
entry:
  %a = alloca i32
  %v = load i32, ptr addrspace(1) %from
  store i32 %v, ptr %a
  %less = icmp ult i32 %v, 7
  %early = icmp eq i32 %v, 9
  br i1 %early, label %end, label %middle
middle:
  br i1 %less, label %then, label %end
then:
  %x = load i32, ptr %a
  br label %end
end:
  %chosen = phi i32 [%x, %then], [%v, %entry], [%v, %middle]
  store i32 %chosen, ptr addrspace(1) %to
  ret void
}
