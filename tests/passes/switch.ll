; switch: dense and with gaps it stays; its width becomes one that SPIR-V has, and the values are those of the width before.
; RUN: %passes=hiplz-legal-integers %s | FileCheck %s
; RUN: %pipeline %s -o %t.bc && %llvm_spirv %t.bc -o %t.spv && spirv-val --target-env spv1.3 %t.spv && spirv-dis %t.spv | FileCheck %s --check-prefix=SPIRV
; SPIRV: OpSwitch
target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
target triple = "spirv64"

; CHECK-LABEL: @dense(
; CHECK: switch i32 %x, label %d [
define spir_kernel void @dense(i32 addrspace(1)* %p, i32 %x) {
  switch i32 %x, label %d [ i32 0, label %a
                            i32 1, label %b
                            i32 2, label %a
                            i32 -2147483648, label %b ]
a:
  store i32 10, i32 addrspace(1)* %p
  ret void
b:
  store volatile i32 20, i32 addrspace(1)* %p
  ret void
d:
  ret void
}

; CHECK-LABEL: @narrow(
; CHECK: and i8 {{.*}}, 7
; CHECK: switch i8 {{.*}}, label %d [
; CHECK-NEXT: i8 7, label %a
; CHECK-NEXT: i8 3, label %b
define spir_kernel void @narrow(i32 addrspace(1)* %p, i32 %x) {
  %t = trunc i32 %x to i3
  %s = add i3 %t, 3
  switch i3 %s, label %d [ i3 -1, label %a
                           i3 3, label %b ]
a:
  store i32 10, i32 addrspace(1)* %p
  ret void
b:
  store volatile i32 20, i32 addrspace(1)* %p
  ret void
d:
  ret void
}

; CHECK-LABEL: @wide(
; CHECK: and i64 {{.*}}, 8589934591
; CHECK: switch i64 {{.*}}, label %d [
; CHECK-NEXT: i64 8589934591, label %a
; CHECK-NEXT: i64 4294967297, label %a
define spir_kernel void @wide(i32 addrspace(1)* %p, i64 %x) {
  %t = trunc i64 %x to i33
  %s = mul i33 %t, 3
  switch i33 %s, label %d [ i33 -1, label %a
                            i33 4294967297, label %a ]
a:
  store i32 10, i32 addrspace(1)* %p
  ret void
d:
  ret void
}
