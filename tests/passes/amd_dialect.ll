; Code that AMD's compiler leaves to its runtime: hidden arguments become values, pointers are asked where they come from, and kernels that
; reach a function which nobody defines are marked for the runtime.
; RUN: %passes=hiplz-amd-dialect %s | FileCheck %s
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spirv64"

define i8 addrspace(4)* @__amd_implicitarg_ptr() noinline {
  ret i8 addrspace(4)* null
}
define i8 addrspace(4)* @__amd_dispatch_ptr() noinline {
  ret i8 addrspace(4)* null
}
define i64 @__amd_hidden(i32 %field) noinline {
  %r = zext i32 %field to i64
  ret i64 %r
}

; CHECK-LABEL: define spir_kernel void @sizes
; CHECK-NOT: call {{.*}}implicitarg
; CHECK: %[[X:.*]] = call i64 @__amd_hidden(i32 3)
; CHECK: %[[Y:.*]] = call i64 @__amd_hidden(i32 4)
; CHECK: call i64 @__amd_hidden(i32 7)
; CHECK: zext i16 0 to i32
define spir_kernel void @sizes(i32 addrspace(1)* %out) {
  %base = call i8 addrspace(4)* @__amd_implicitarg_ptr()
  %both = getelementptr i8, i8 addrspace(4)* %base, i64 12
  %place = bitcast i8 addrspace(4)* %both to i32 addrspace(4)*
  %two = load i32, i32 addrspace(4)* %place
  store i32 %two, i32 addrspace(1)* %out
  %packet = call i8 addrspace(4)* @__amd_dispatch_ptr()
  %grid = bitcast i8 addrspace(4)* %packet to i32 addrspace(4)*
  %y = getelementptr i32, i32 addrspace(4)* %grid, i64 4
  %size = load i32, i32 addrspace(4)* %y
  store i32 %size, i32 addrspace(1)* %out
  %remainder = getelementptr i8, i8 addrspace(4)* %base, i64 20
  %r = bitcast i8 addrspace(4)* %remainder to i16 addrspace(4)*
  %none = load i16, i16 addrspace(4)* %r
  %wide = zext i16 %none to i32
  store i32 %wide, i32 addrspace(1)* %out
  ret void
}

; An intrinsic with two results, as a function that writes the second one.
define internal spir_func float @__llvm_two_f32(float %x, float* %second) noinline {
  store float 0.0, float* %second
  ret float %x
}
; CHECK-LABEL: define spir_kernel void @both
; CHECK: %[[PLACE:.*]] = alloca float
; CHECK: %[[FIRST:.*]] = call spir_func float @__llvm_two_f32(float 1.0{{.*}}, {{.*}} %[[PLACE]])
; CHECK: insertvalue { float, float } poison, float %[[FIRST]], 0
; CHECK: %[[SECOND:.*]] = load float, {{.*}} %[[PLACE]]
; CHECK: insertvalue { float, float } %{{.*}}, float %[[SECOND]], 1
define spir_kernel void @both(float addrspace(1)* %out) {
  %pair = call { float, float } bitcast (float (float, float*)* @__llvm_two_f32 to { float, float } (float)*)(float 1.0)
  %a = extractvalue { float, float } %pair, 0
  %b = extractvalue { float, float } %pair, 1
  %sum = fadd float %a, %b
  store float %sum, float addrspace(1)* %out
  ret void
}

declare i32 @__amd_only_there(i32)
define i32 @between(i32 %x) noinline {
  %r = call i32 @__amd_only_there(i32 %x)
  ret i32 %r
}
define spir_kernel void @reaches(i32 addrspace(1)* %out) {
  %r = call i32 @between(i32 1)
  store i32 %r, i32 addrspace(1)* %out
  ret void
}
declare float @__llvm_newer_f32(float)
define spir_kernel void @newer(float addrspace(1)* %out) {
  %r = call float @__llvm_newer_f32(float 1.0)
  store float %r, float addrspace(1)* %out
  ret void
}
define spir_kernel void @heap(i64 addrspace(1)* %out) {
  %base = call i8 addrspace(4)* @__amd_implicitarg_ptr()
  %field = getelementptr i8, i8 addrspace(4)* %base, i64 96
  %place = bitcast i8 addrspace(4)* %field to i64 addrspace(4)*
  %value = load i64, i64 addrspace(4)* %place
  store i64 %value, i64 addrspace(1)* %out
  ret void
}
define spir_kernel void @somewhere(i64 addrspace(1)* %out, i64 %n) {
  %base = call i8 addrspace(4)* @__amd_implicitarg_ptr()
  %field = getelementptr i8, i8 addrspace(4)* %base, i64 %n
  %value = load i8, i8 addrspace(4)* %field
  %wide = zext i8 %value to i64
  store i64 %wide, i64 addrspace(1)* %out
  ret void
}

; CHECK: !opencl.used.extensions = !{
; A variable whose size is known only at run time.
define spir_kernel void @stacks(i64 addrspace(1)* %out, i64 %n) {
  %saved = call i8* @llvm.stacksave()
  %values = alloca i64, i64 %n
  %value = load i64, i64* %values
  store i64 %value, i64 addrspace(1)* %out
  call void @llvm.stackrestore(i8* %saved)
  ret void
}
declare i8* @llvm.stacksave()
declare void @llvm.stackrestore(i8*)

; CHECK-DAG: !{!"hiplz_missing stacks alloca"}
; CHECK-DAG: !{!"hiplz_missing reaches llvm.amdgcn.only_there"}
; CHECK-DAG: !{!"hiplz_missing newer llvm.newer_f32"}
; CHECK-DAG: !{!"hiplz_missing heap hidden_heap_v1"}
; CHECK-DAG: !{!"hiplz_missing somewhere unknown part of llvm.amdgcn.implicitarg.ptr"}
