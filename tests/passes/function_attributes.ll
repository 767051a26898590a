; No function insists on being called.
; RUN: %passes=hiplz-function-attributes %s | FileCheck %s
; CHECK: define spir_kernel void @k() [[ATTRIBUTES:#[0-9]+]] {
; CHECK: define spir_func void @f() [[ATTRIBUTES]] {
; CHECK: attributes [[ATTRIBUTES]] = { convergent }
define spir_kernel void @k() #0 {
  ret void
}
define spir_func void @f() #0 {
  ret void
}
attributes #0 = { convergent noinline optnone }
