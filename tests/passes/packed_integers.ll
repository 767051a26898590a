; Integers that are loaded or put together, and used by their parts only, become their parts.
; RUN: %passes=hiplz-packed-integers %s | FileCheck %s

; A float and an integer, which clang copies as 64 bits. What is known about the memory stays known.
; CHECK-LABEL: @pair(
; CHECK: %[[ALL:.*]] = load <2 x i32>, <2 x i32> addrspace(1)* %{{.*}}, align 4, !tbaa
; CHECK-DAG: extractelement <2 x {{i32|float}}> %{{.*}}, i64 0
; CHECK-DAG: extractelement <2 x i32> %[[ALL]], i64 1
; CHECK-NOT: i64 %
; CHECK: ret void
define void @pair(i64 addrspace(1)* %in, float addrspace(1)* %f, i32 addrspace(1)* %n) {
  %both = load i64, i64 addrspace(1)* %in, align 4, !tbaa !0
  %low = trunc i64 %both to i32
  %float = bitcast i32 %low to float
  %shifted = lshr i64 %both, 32
  %high = trunc i64 %shifted to i32
  store float %float, float addrspace(1)* %f
  store i32 %high, i32 addrspace(1)* %n
  ret void
}

; CHECK-LABEL: @halves(
; CHECK: load <2 x i16>, <2 x i16> addrspace(1)* %{{.*}}, align 4
; CHECK-NOT: lshr
; CHECK: ret half
define half @halves(i32 addrspace(1)* %in) {
  %both = load i32, i32 addrspace(1)* %in, align 4
  %low = trunc i32 %both to i16
  %shifted = lshr i32 %both, 16
  %high = trunc i32 %shifted to i16
  %x = bitcast i16 %low to half
  %y = bitcast i16 %high to half
  %sum = fadd half %x, %y
  ret half %sum
}

; CHECK-LABEL: @four(
; CHECK: load <4 x i16>, <4 x i16> addrspace(3)* %{{.*}}, align 8
; CHECK-NOT: lshr
; CHECK: ret i16
define i16 @four(i64 addrspace(3)* %in) {
  %all = load i64, i64 addrspace(3)* %in, align 8
  %right = lshr i64 %all, 16
  %second = trunc i64 %right to i16
  %upper = lshr i64 %all, 32
  %half = trunc i64 %upper to i32
  %top = lshr i32 %half, 16
  %fourth = trunc i32 %top to i16
  %sum = add i16 %second, %fourth
  ret i16 %sum
}

; The upper part as a number with a sign, the lower one without.
; CHECK-LABEL: @extended(
; CHECK: %[[ALL:.*]] = load <2 x i16>
; CHECK-DAG: zext i16 %{{.*}} to i32
; CHECK-DAG: sext i16 %{{.*}} to i32
; CHECK-NOT: ashr
; CHECK: ret i32
define i32 @extended(i32 addrspace(1)* %in) {
  %both = load i32, i32 addrspace(1)* %in, align 4
  %high = ashr i32 %both, 16
  %low = and i32 %both, 65535
  %product = mul i32 %low, %high
  ret i32 %product
}

; A number with a sign has one in each of its parts.
; CHECK-LABEL: @signed(
; CHECK: %[[HIGH:.*]] = ashr i32 %n, 16
; CHECK: %[[UPPER:.*]] = lshr i32 %[[HIGH]], 16
; CHECK: trunc {{(nuw )?}}i32 %[[UPPER]] to i16
; CHECK: store <2 x i16>
define void @signed(i32 %n, i32 addrspace(1)* %in, i32 addrspace(1)* %out) {
  %x = load i32, i32 addrspace(1)* %in, align 4
  %high = ashr i32 %n, 16
  %upper = lshr i32 %high, 16
  %top = shl i32 %x, 16
  %both = or i32 %top, %upper
  store i32 %both, i32 addrspace(1)* %out, align 4
  ret void
}

; CHECK-LABEL: @joined(
; CHECK: %[[TWO:.*]] = insertelement <2 x i32> %{{.*}}, i32 %n, i64 1
; CHECK: store <2 x i32> %[[TWO]], <2 x i32> addrspace(1)* %{{.*}}, align 4, !tbaa
define void @joined(float %f, i32 %n, i64 addrspace(1)* %out) {
  %bits = bitcast float %f to i32
  %low = zext i32 %bits to i64
  %wide = zext i32 %n to i64
  %high = shl i64 %wide, 32
  %both = or i64 %high, %low
  store i64 %both, i64 addrspace(1)* %out, align 4, !tbaa !0
  ret void
}

; One part of an integer in memory is replaced.
; CHECK-LABEL: @replaced(
; CHECK: load <2 x i32>
; CHECK-NOT: and i64
; CHECK: store <2 x i32>
define void @replaced(i64 addrspace(1)* %memory, i32 %n) {
  %both = load i64, i64 addrspace(1)* %memory, align 8
  %rest = and i64 %both, 4294967295
  %wide = zext i32 %n to i64
  %high = shl nuw i64 %wide, 32
  %new = or i64 %high, %rest
  store i64 %new, i64 addrspace(1)* %memory, align 8
  ret void
}

; Through a loop and a choice, and memory that has no other form.
; CHECK-LABEL: @chosen(
; CHECK: load <2 x i32>
; CHECK: loop:
; CHECK-NOT: i64 %
; CHECK: store <2 x i32>
define void @chosen(i64 addrspace(1)* %in, i64 addrspace(1)* %out) {
entry:
  %start = load i64, i64 addrspace(1)* %in, align 4
  br label %loop
loop:
  %best = phi i64 [ %start, %entry ], [ %new, %loop ]
  %other = load i64, i64 addrspace(1)* %in, align 4
  %a = trunc i64 %best to i32
  %b = trunc i64 %other to i32
  %x = bitcast i32 %a to float
  %y = bitcast i32 %b to float
  %less = fcmp olt float %x, %y
  %new = select i1 %less, i64 %best, i64 %other
  br i1 %less, label %loop, label %end
end:
  store i64 %new, i64 addrspace(1)* %out, align 4
  ret void
}

; A private variable that is written by members and read as a whole vanishes.
; CHECK-LABEL: @variable(
; CHECK-NOT: alloca
; CHECK: store <2 x i32>
define void @variable(float %f, i32 %n, i64 addrspace(1)* %out) {
  %pair = alloca i64, align 8
  %first = bitcast i64* %pair to float*
  store float %f, float* %first, align 8
  %members = bitcast i64* %pair to i32*
  %second = getelementptr inbounds i32, i32* %members, i64 1
  store i32 %n, i32* %second, align 4
  %both = load i64, i64* %pair, align 8
  store i64 %both, i64 addrspace(1)* %out, align 4
  ret void
}

; An integer that something needs as a whole, or that is copied only, stays one.
; CHECK-LABEL: @whole(
; CHECK: load i64
; CHECK: lshr i64
define i32 @whole(i64 addrspace(1)* %in, i64 addrspace(1)* %out) {
  %x = load i64, i64 addrspace(1)* %in, align 8
  %shifted = lshr i64 %x, 32
  %high = trunc i64 %shifted to i32
  %y = mul i64 %x, 3
  store i64 %y, i64 addrspace(1)* %out, align 8
  ret i32 %high
}

; CHECK-LABEL: @shifted(
; CHECK: load i64
define i32 @shifted(i64 addrspace(1)* %in, i64 addrspace(1)* %out) {
  %x = load i64, i64 addrspace(1)* %in, align 8
  %y = lshr i64 %x, 24
  %z = trunc i64 %y to i32
  store i64 %x, i64 addrspace(1)* %out, align 8
  ret i32 %z
}

; A part of one integer that is replaced, and is a part of another one.
; CHECK-LABEL: @shared(
; CHECK: store <2 x i16>
; CHECK: ret i16 %a
define i16 @shared(i16 %a, i16 %b, i32 addrspace(1)* %out) {
  %low = zext i16 %a to i32
  %above = zext i16 %b to i32
  %up = shl i32 %above, 16
  %both = or i32 %up, %low
  %again = trunc i32 %both to i16
  %wide = zext i16 %again to i32
  %raised = shl i32 %wide, 16
  %all = or i32 %both, %raised
  store i32 %all, i32 addrspace(1)* %out
  %down = lshr i32 %raised, 16
  %result = trunc i32 %down to i16
  ret i16 %result
}

; CHECK-LABEL: @copied(
; CHECK: load i64
; CHECK: store i64
define void @copied(i64 addrspace(1)* %in, i64 addrspace(1)* %out) {
  %x = load i64, i64 addrspace(1)* %in, align 4
  store i64 %x, i64 addrspace(1)* %out, align 4
  ret void
}

; Accesses that cannot be divided.
; CHECK-LABEL: @volatile(
; CHECK: load volatile i64
; CHECK: load atomic i64
define i32 @volatile(i64 addrspace(1)* %in) {
  %x = load volatile i64, i64 addrspace(1)* %in, align 8
  %y = load atomic i64, i64 addrspace(1)* %in monotonic, align 8
  %a = lshr i64 %x, 32
  %b = lshr i64 %y, 32
  %c = trunc i64 %a to i32
  %d = trunc i64 %b to i32
  %e = xor i32 %c, %d
  ret i32 %e
}

!0 = !{!1, !1, i64 0}
!1 = !{!"Pair", !2}
!2 = !{!"omnipotent char"}
