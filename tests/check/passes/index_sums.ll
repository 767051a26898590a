; Sums of products of which the places of accesses are made (index_sums.h), in the tables of launch_uses.ll. A product is its factors, four
; numbers of 16 bits with the first one in the lowest, and how often it is taken. Factors are 1 (local id), 4 (group id) and 7 (group size), each
; plus the dimension, 13 (round of a loop), and 16 plus the number of a parameter. Where a place is no such sum the use is 3.
; RUN: %add_checks racecheck %s | %check
target triple = "spir64-unknown-unknown"

declare i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32)
declare i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32)
declare i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32)

; Four times the local id, and four times the product of group id and group size.
; CHECK: [i64 3, i64 0, i64 1, i64 2, i64 0, i64 0, i64 4, i64 2, i64 281474976710656, i64 4, i64 1970342016843776, i64 4, i64 3, {{.*}}]
define spir_kernel void @global_id(ptr addrspace(1) %to) {
  %l = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %g = call i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32 0)
  %s = call i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32 0)
  %before = mul i64 %g, %s
  %id = add i64 %before, %l
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %at
  ret void
}

; A row of `width` elements, numbered in 32 bits: that it does not wrap is one more sum.
; CHECK: [i64 3, i64 0, i64 2, i64 2, i64 0, i64 20, i64 24, i64 2, i64 281474976710656, i64 4, i64 4785083194015744, i64 4, i64 3, i64 1, i64 1, i64 562949953421312, i64 1, i64 1, i64 1, i64 281474976710656, i64 1, i64 0, i64 2, i64 281474976710656, i64 1, i64 4785083194015744, i64 1, i64 0, i64 0]
define spir_kernel void @rows(ptr addrspace(1) %to, i32 %width) {
  %lx = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %ly = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 1)
  %x = trunc i64 %lx to i32
  %y = trunc i64 %ly to i32
  %row = mul i32 %y, %width
  %id = add i32 %row, %x
  %wide = sext i32 %id to i64
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %wide
  %behind = getelementptr i32, ptr addrspace(1) %at, i64 5
  store i32 1, ptr addrspace(1) %behind
  ret void
}

; A round is worth the step.
; CHECK: [i64 2, i64 0, i64 3, i64 2, i64 0, i64 0, i64 4, i64 2, i64 281474976710656, i64 4, i64 4785130438656000, i64 4, {{.*}}]
define spir_kernel void @rounds(ptr addrspace(1) %to, i64 %step, i64 %end) {
entry:
  %l = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  br label %loop
loop:
  %i = phi i64 [%l, %entry], [%next, %loop]
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %i
  store i32 1, ptr addrspace(1) %at
  %next = add i64 %i, %step
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Steps that are each work-item's own are no sum.
; CHECK: [i64 3, i64 0, i64 3, i64 3, i64 0, i64 1, i64 0, i64 0, i64 0]
define spir_kernel void @own_steps(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %end) {
entry:
  %v = load i32, ptr addrspace(1) %from
  %l = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  br label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %i
  store i32 %v, ptr addrspace(1) %at
  %next = add i64 %i, %l
  %more = icmp ult i64 %next, %end
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Rounds of two loops are different numbers.
; CHECK: [i64 2, i64 0, i64 3, i64 3, i64 0, i64 1, i64 0, i64 0, i64 0]
define spir_kernel void @two_loops(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %end) {
entry:
  %v = load i32, ptr addrspace(1) %from
  br label %outer
outer:
  %i = phi i64 [0, %entry], [%following, %latch]
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%next, %inner]
  %both = add i64 %i, %j
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %both
  store i32 %v, ptr addrspace(1) %at
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, 8
  br i1 %more, label %inner, label %latch
latch:
  %following = add i64 %i, 8
  %again = icmp ult i64 %following, %end
  br i1 %again, label %outer, label %done
done:
  ret void
}

; So a product of them is not one of a number and itself.
; CHECK: [i64 2, i64 0, i64 4, i64 3, i64 0, i64 1, i64 0, i64 0, i64 0, i64 0, i64 0]
define spir_kernel void @product_of_rounds(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %end, i64 %inside) {
entry:
  %v = load i32, ptr addrspace(1) %from
  br label %outer
outer:
  %i = phi i64 [0, %entry], [%following, %latch]
  br label %inner
inner:
  %j = phi i64 [0, %outer], [%next, %inner]
  %both = mul i64 %i, %j
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %both
  store i32 %v, ptr addrspace(1) %at
  %next = add i64 %j, 1
  %more = icmp ult i64 %next, %inside
  br i1 %more, label %inner, label %latch
latch:
  %following = add i64 %i, 1
  %again = icmp ult i64 %following, %end
  br i1 %again, label %outer, label %done
done:
  ret void
}

; Numbers that are cut wrap.
; CHECK: [i64 3, i64 0, i64 2, i64 3, i64 0, i64 1, i64 0]
define spir_kernel void @narrow(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  %v = load i32, ptr addrspace(1) %from
  %l = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %cut = trunc i64 %l to i16
  %id = zext i16 %cut to i64
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 %v, ptr addrspace(1) %at
  ret void
}

; Numbers in memory may be the same ones.
; CHECK: [i64 3, i64 0, i64 2, i64 3, i64 0, i64 1, i64 0]
define spir_kernel void @permuted(ptr addrspace(1) %to, ptr addrspace(1) %from) {
  %l = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %where = getelementptr i64, ptr addrspace(1) %from, i64 %l
  %id = load i64, ptr addrspace(1) %where
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %id
  store i32 1, ptr addrspace(1) %at
  ret void
}

; More factors than a product has room for.
; CHECK: [i64 3, i64 0, i64 6, i64 3, i64 0, i64 1, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0, i64 0]
define spir_kernel void @five_factors(ptr addrspace(1) %to, ptr addrspace(1) %from, i64 %a, i64 %b, i64 %c, i64 %d) {
  %v = load i32, ptr addrspace(1) %from
  %l = call i64 @_Z32__spirv_BuiltInLocalInvocationIdi(i32 0)
  %1 = mul i64 %l, %a
  %2 = mul i64 %1, %b
  %3 = mul i64 %2, %c
  %4 = mul i64 %3, %d
  %at = getelementptr i32, ptr addrspace(1) %to, i64 %4
  store i32 %v, ptr addrspace(1) %at
  ret void
}
