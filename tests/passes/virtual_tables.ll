; Tables of virtual functions move to global memory; what is read through their addresses is read from there, and local
; variables stay what they are.
; RUN: %passes=hiplz-virtual-tables %s | FileCheck %s

; CHECK: @_ZTV1A = internal addrspace(1) constant { [3 x i64] } { [3 x i64] [i64 0, i64 0, i64 16] }
@_ZTV1A = internal constant { [3 x i64] } { [3 x i64] [i64 0, i64 0, i64 16] }

; CHECK-LABEL: define spir_func void @construct(
; CHECK: store i8* {{.*}}inttoptr (i64 ptrtoint ({ [3 x i64] } addrspace(1)* @_ZTV1A to i64) to { [3 x i64] }*)
define spir_func void @construct(i8* addrspace(4)* %object) {
  store i8* bitcast (i64* getelementptr ({ [3 x i64] }, { [3 x i64] }* @_ZTV1A, i64 0, i32 0, i64 2) to i8*), i8* addrspace(4)* %object
  ret void
}

; CHECK-LABEL: define spir_func i64 @read(
; CHECK: %table = load i64*, i64* addrspace(4)* %object
; CHECK: %slot = getelementptr i64, i64* %table, i64 1
; CHECK: [[N:%.*]] = ptrtoint i64* %slot to i64
; CHECK: [[P:%.*]] = inttoptr i64 [[N]] to i64 addrspace(1)*
; CHECK: load i64, i64 addrspace(1)* [[P]]
define spir_func i64 @read(i64* addrspace(4)* %object) {
  %table = load i64*, i64* addrspace(4)* %object
  %slot = getelementptr i64, i64* %table, i64 1
  %f = load i64, i64* %slot
  ret i64 %f
}

; CHECK-LABEL: define spir_func i64 @local(
; CHECK: load i64, i64* %slot
; CHECK: load i64, i64* %parameter
define spir_func i64 @local(i64* %parameter, i64 %n) {
  %a = alloca [4 x i64]
  %slot = getelementptr [4 x i64], [4 x i64]* %a, i64 0, i64 %n
  %x = load i64, i64* %slot
  %y = load i64, i64* %parameter
  %r = add i64 %x, %y
  ret i64 %r
}

; However far away the variable is.
; CHECK-LABEL: define spir_func i64 @far(
; CHECK: load i64, i64* %g
define spir_func i64 @far(i64 %n) {
  %o = alloca [64 x i64]
  %p = getelementptr [64 x i64], [64 x i64]* %o, i64 0, i64 %n
  %a = getelementptr i64, i64* %p, i64 1
  %b = getelementptr i64, i64* %a, i64 %n
  %c = getelementptr i64, i64* %b, i64 1
  %d = getelementptr i64, i64* %c, i64 %n
  %e = getelementptr i64, i64* %d, i64 1
  %f = getelementptr i64, i64* %e, i64 %n
  %g = getelementptr i64, i64* %f, i64 1
  %x = load i64, i64* %g
  ret i64 %x
}
