; Addresses of functions become numbers, calls through pointers switch over the functions that fit.
; RUN: split-file %s %t
; RUN: %passes=hiplz-function-pointers %t/one.ll | FileCheck %t/one.ll %typed
; The number of a function that is the same everywhere is the same in all modules, and others are of their module.
; RUN: sed 's/i32 7/i32 8/' %t/one.ll > %t/changed.ll
; RUN: %passes=hiplz-function-pointers %t/one.ll | grep '^@table' > %t/tables
; RUN: %passes=hiplz-function-pointers %t/one.ll | grep '^@table' >> %t/tables
; RUN: %passes=hiplz-function-pointers %t/changed.ll | grep '^@table' >> %t/tables
; RUN: FileCheck %s --check-prefix=SAME --input-file=%t/tables
; SAME: i64 [[ONE:[0-9]+]], i64 0, i64 [[TWO:[0-9]+]]
; SAME-NEXT: i64 [[ONE]], i64 0, i64 [[TWO]]
; SAME-NOT: i64 [[TWO]]
; SAME: i64 [[ONE]], i64 0, i64

;--- one.ll

; Tables keep their layout; the host sees them under the same name.
; CHECK: @table = addrspace(1) externally_initialized global [3 x i64] [i64 [[ONE:[0-9]*[02468]]], i64 0, i64 [[TWO:[0-9]*[02468]]]], align 8
@table = addrspace(1) externally_initialized global [3 x i32 (i32)*] [i32 (i32)* @one, i32 (i32)* null, i32 (i32)* @two], align 8
; CHECK: @mixed = internal addrspace(1) constant { i32, i64, [2 x i8] } { i32 7, i64 [[ONE]], [2 x i8] zeroinitializer }
@mixed = internal addrspace(1) constant { i32, i32 (i32)*, [2 x i8] } { i32 7, i32 (i32)* @one, [2 x i8] zeroinitializer }

define spir_func i32 @one(i32 %x) "hiplz-same-everywhere" {
  ret i32 1
}
define spir_func i32 @two(i32 %x) {
  ret i32 2
}
; Another type, but pointers are alike: may be meant as well.
define spir_func i8* @object(i8* %x) {
  ret i8* %x
}
; Never used but called: has no number.
define spir_func i32 @plain(i32 %x) {
  ret i32 %x
}

; CHECK-LABEL: define spir_func i32 @direct(
; CHECK: call spir_func i32 @plain(i32 %x)
; CHECK: call spir_func i32 @one(i32 %x)
define spir_func i32 @direct(i32 %x) {
  %a = call spir_func i32 @plain(i32 %x)
  %b = call spir_func i32 @one(i32 %x)
  %r = add i32 %a, %b
  ret i32 %r
}

; A kernel gets a number where the program passes a pointer to a function.
; CHECK-LABEL: define spir_kernel void @kernel(i64 %f, i32 addrspace(1)* %out)
; CHECK: [[P:%.*]] = inttoptr i64 %f to i32 (i32)*
; CHECK: [[N:%.*]] = ptrtoint i32 (i32)* [[P]] to i64
; CHECK: call spir_func i32 @hiplz.call.[[INT:[0-9]+]](i32 3, i64 [[N]])
define spir_kernel void @kernel(i32 (i32)* %f, i32 addrspace(1)* %out) {
  %r = call spir_func i32 %f(i32 3)
  store i32 %r, i32 addrspace(1)* %out
  ret void
}

; CHECK-LABEL: define spir_func i32 @chosen(
; CHECK: select i1 %c, i32 (i32)* inttoptr (i64 [[ONE]] to i32 (i32)*), i32 (i32)* inttoptr (i64 [[TWO]] to i32 (i32)*)
; CHECK: call spir_func i32 @hiplz.call.[[INT]](
define spir_func i32 @chosen(i1 %c) {
  %f = select i1 %c, i32 (i32)* @one, i32 (i32)* @two
  %r = call spir_func i32 %f(i32 4)
  ret i32 %r
}

; CHECK-LABEL: define spir_func void @objects(
; CHECK: call spir_func i32* @hiplz.call.[[POINTER:[0-9]+]](i32* %p,
; CHECK: call spir_func void @hiplz.call.[[NONE:[0-9]+]](float 1.000000e+00,
define spir_func void @objects(i32* %p, i64 %n) {
  %f = bitcast i8* (i8*)* @object to i32* (i32*)*
  %q = call spir_func i32* %f(i32* %p)
  %g = inttoptr i64 %n to void (float)*
  call spir_func void %g(float 1.0)
  ret void
}

; CHECK: define internal spir_func i32 @hiplz.call.[[INT]](i32 %0, i64 %1)
; CHECK: [[NUMBER:%.*]] = trunc i64 %1 to i32
; CHECK-NEXT: switch i32 [[NUMBER]], label %wild [
; CHECK-NEXT: i32 {{-?[0-9]+}}, label %one
; CHECK-NEXT: i32 {{-?[0-9]+}}, label %two
; CHECK-NEXT: ]
; CHECK: wild:
; CHECK-NEXT: call spir_func void @hiplz.wild_call()
; CHECK-NEXT: ret i32 0
; CHECK: call spir_func i32 @one(i32 %0)
; CHECK: call spir_func i32 @two(i32 %0)
; CHECK: define internal spir_func i32* @hiplz.call.[[POINTER]](i32* %0, i64 %1)
; TYPED: bitcast i32* %0 to i8*
; CHECK: call spir_func i8* @object(
; CHECK: define internal spir_func void @hiplz.call.[[NONE]](float %0, i64 %1)
; CHECK-NEXT: entry:
; CHECK-NEXT: trunc
; CHECK-NEXT: switch i32 %{{.*}}, label %wild [
; CHECK-NEXT: ]
