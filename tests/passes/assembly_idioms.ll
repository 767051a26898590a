; Assembly that is empty, or holds nothing but waits and advice for AMD's processors, vanishes; one that sleeps lets others run.
; Other assembly stays, and is refused later.
; RUN: %passes=hiplz-lower-instructions %s | FileCheck %s

; CHECK-LABEL: @idioms(
; CHECK-NOT: asm
; CHECK: call spir_func void @_Z20__spirv_ocl_prefetchPU3AS1Kcm({{.*}}addrspace(1){{.*}} null, i64 0)
; CHECK-NOT: asm
; CHECK: ret i32 %x
define i32 @idioms(i32 %x) {
  call void asm sideeffect "", "~{memory}"()
  call void asm sideeffect "s_waitcnt vmcnt(0)\0A\09s_waitcnt_vscnt null, 0x0", "~{memory}"()
  call void asm sideeffect "s_nop 0; v_nop", ""()
  call void asm sideeffect "s_sleep 1", ""()
  %y = call i32 asm sideeffect "", "=r,0"(i32 %x)
  ret i32 %y
}

; CHECK-LABEL: @other(
; CHECK: asm sideeffect "s_waitcnt vmcnt(0)\0As_endpgm"
; CHECK: asm sideeffect "s_waitcntx 1"
define void @other() {
  call void asm sideeffect "s_waitcnt vmcnt(0)\0As_endpgm", ""()
  call void asm sideeffect "s_waitcntx 1", ""()
  ret void
}
