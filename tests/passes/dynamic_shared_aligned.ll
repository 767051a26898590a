; The type of the parameter carries the alignment that the strictest array asks for.
; RUN: %passes=hiplz-dynamic-shared %s | FileCheck %s
; CHECK: define spir_kernel void @k(<16 x i64> addrspace(3)* %hiplz.dynamic.shared)
@small = external addrspace(3) global [0 x i8], align 1
@large = external addrspace(3) global [0 x i8], align 128
define spir_kernel void @k() {
  store i8 1, i8 addrspace(3)* getelementptr ([0 x i8], [0 x i8] addrspace(3)* @small, i64 0, i64 0)
  store i8 1, i8 addrspace(3)* getelementptr ([0 x i8], [0 x i8] addrspace(3)* @large, i64 0, i64 0)
  ret void
}
