; A variable that is declared and used, but defined in no file of the program.
; RUN: not %passes=hiplz-linkage %s 2>&1 | FileCheck %s
; CHECK: error: the device variable 'space::missing' is used but not defined
; CHECK-NOT: unused
@_ZN5space7missingE = external addrspace(1) global i32
@unused = external addrspace(1) global i32
define spir_kernel void @k(i32 addrspace(1)* %p) {
  %v = load i32, i32 addrspace(1)* @_ZN5space7missingE
  store i32 %v, i32 addrspace(1)* %p
  ret void
}
