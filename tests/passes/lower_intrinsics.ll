; Intrinsics without a form in SPIR-V become instructions; integers.test compares what they compute.
; RUN: %passes=hiplz-lower-intrinsics %s | FileCheck %s

; CHECK-LABEL: @overflow(
; CHECK: [[SUM:%.*]] = add i32 %x, %y
; CHECK: [[CARRY:%.*]] = icmp ult i32 [[SUM]], %x
; CHECK: select i1 [[CARRY]], i32 -1, i32 [[SUM]]
define i32 @overflow(i32 %x, i32 %y) {
  %p = call { i32, i1 } @llvm.uadd.with.overflow.i32(i32 %x, i32 %y)
  %s = extractvalue { i32, i1 } %p, 0
  %o = extractvalue { i32, i1 } %p, 1
  %r = select i1 %o, i32 -1, i32 %s
  ret i32 %r
}

; CHECK-LABEL: @swap(
; CHECK-NOT: bswap
; CHECK: lshr i32 %x, 24
define i32 @swap(i32 %x) {
  %r = call i32 @llvm.bswap.i32(i32 %x)
  ret i32 %r
}

; The halves of a funnel shift are shifted by one less and one more, as a shift by the whole width has no meaning.
; CHECK-LABEL: @funnel(
; CHECK: [[BY:%.*]] = urem i32 %n, 32
; CHECK: [[REST:%.*]] = sub i32 31, [[BY]]
; CHECK: shl i32 %x, [[BY]]
; CHECK: [[HALF:%.*]] = lshr i32 %y, 1
; CHECK: lshr i32 [[HALF]], [[REST]]
define i32 @funnel(i32 %x, i32 %y, i32 %n) {
  %r = call i32 @llvm.fshl.i32(i32 %x, i32 %y, i32 %n)
  ret i32 %r
}

; Of the same halves it is a rotation, to the left only.
; CHECK-LABEL: @rotations(
; CHECK: call spir_func i32 @_Z18__spirv_ocl_rotateii(i32 %x, i32 %n)
; CHECK: [[BACK:%.*]] = sub i64 0, %m
; CHECK: call spir_func i64 @_Z18__spirv_ocl_rotatell(i64 %y, i64 [[BACK]])
define i64 @rotations(i32 %x, i32 %n, i64 %y, i64 %m) {
  %l = call i32 @llvm.fshl.i32(i32 %x, i32 %x, i32 %n)
  %r = call i64 @llvm.fshr.i64(i64 %y, i64 %y, i64 %m)
  %w = zext i32 %l to i64
  %s = add i64 %r, %w
  ret i64 %s
}

; OpenCL rotates integers of these two widths here; others are shifted.
; CHECK-LABEL: @rotate_short(
; CHECK-NOT: rotate
; CHECK: urem i16 %n, 16
define i16 @rotate_short(i16 %x, i16 %n) {
  %r = call i16 @llvm.fshl.i16(i16 %x, i16 %x, i16 %n)
  ret i16 %r
}

; CHECK-LABEL: @hints(
; CHECK-NEXT: %r = select i1 false, i32 0, i32 %x
; CHECK-NEXT: ret i32 %r
define i32 @hints(i32 %x, i1 %c) {
  call void @llvm.assume(i1 %c)
  call void @llvm.sideeffect()
  call void @llvm.debugtrap()
  %e = call i32 @llvm.expect.i32(i32 %x, i32 1)
  %k = call i1 @llvm.is.constant.i32(i32 %x)
  %r = select i1 %k, i32 0, i32 %e
  ret i32 %r
}

; CHECK-LABEL: @size(
; CHECK: ret i64 40
define i64 @size() {
  %a = alloca [10 x i32]
  %p = bitcast [10 x i32]* %a to i8*
  %r = call i64 @llvm.objectsize.i64.p0i8(i8* %p, i1 false, i1 false, i1 false)
  ret i64 %r
}

; CHECK-LABEL: @rounded(
; CHECK: fptosi float {{.*}} to i64
; CHECK: fmul float %x, 1.0
define i64 @rounded(float %x, float* %p) {
  %r = call i64 @llvm.lround.i64.f32(float %x)
  %c = call float @llvm.canonicalize.f32(float %x)
  store float %c, float* %p
  ret i64 %r
}

; CHECK-LABEL: @sum(
; CHECK-COUNT-3: add i32
define i32 @sum(<4 x i32> %v) {
  %r = call i32 @llvm.vector.reduce.add.v4i32(<4 x i32> %v)
  ret i32 %r
}

; Between different address spaces.
; CHECK-LABEL: @move(
; CHECK: icmp ult i8 addrspace(4)*
; CHECK: store i8
define void @move(i8 addrspace(1)* %to, i8 addrspace(3)* %from, i64 %n) {
  call void @llvm.memmove.p1i8.p3i8.i64(i8 addrspace(1)* %to, i8 addrspace(3)* %from, i64 %n, i1 false)
  ret void
}

; Functions of float that may be approximated are the device's own; others, and those of double, stay.
; CHECK-LABEL: @approximate(
; CHECK: call spir_func float @_Z22__spirv_ocl_native_sinf(float %x)
; CHECK: [[LOG:%.*]] = call spir_func float @_Z23__spirv_ocl_native_log2f(float
; CHECK: [[BY:%.*]] = fmul float %x, [[LOG]]
; CHECK: call spir_func float @_Z23__spirv_ocl_native_exp2f(float [[BY]])
; CHECK: call reassoc float @llvm.cos.f32
; CHECK: call fast double @llvm.exp.f64
define float @approximate(float %x, double %d) {
  %a = call fast float @llvm.sin.f32(float %x)
  %b = call afn float @llvm.pow.f32(float %a, float %x)
  %c = call reassoc float @llvm.cos.f32(float %b)
  %e = call fast double @llvm.exp.f64(double %d)
  %f = fptrunc double %e to float
  %g = fadd float %c, %f
  ret float %g
}
declare float @llvm.sin.f32(float)
declare float @llvm.cos.f32(float)
declare float @llvm.pow.f32(float, float)
declare double @llvm.exp.f64(double)
declare { i32, i1 } @llvm.uadd.with.overflow.i32(i32, i32)
declare i16 @llvm.fshl.i16(i16, i16, i16)
declare i32 @llvm.fshl.i32(i32, i32, i32)
declare i64 @llvm.fshr.i64(i64, i64, i64)
declare void @llvm.assume(i1)
declare void @llvm.sideeffect()
declare void @llvm.debugtrap()
declare i32 @llvm.expect.i32(i32, i32)
declare i1 @llvm.is.constant.i32(i32)
declare i64 @llvm.objectsize.i64.p0i8(i8*, i1, i1, i1)
declare i64 @llvm.lround.i64.f32(float)
declare float @llvm.canonicalize.f32(float)
declare i32 @llvm.vector.reduce.add.v4i32(<4 x i32>)
declare void @llvm.memmove.p1i8.p3i8.i64(i8 addrspace(1)*, i8 addrspace(3)*, i64, i1)
declare i32 @llvm.bswap.i32(i32)
