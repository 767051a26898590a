; Atomic operations on generic pointers become those on the memory that the pointers were cast from.
; RUN: %passes=hiplz-atomic-addresses %s | FileCheck %s %typed

@shared = internal addrspace(3) global i64 0

declare spir_func i32 @_Z18__spirv_AtomicIAddPjiij(i32 addrspace(4)*, i32, i32, i32) convergent
declare spir_func i64 @_Z29__spirv_AtomicCompareExchangePU3AS4miiimm(i64 addrspace(4)*, i32, i32, i32, i64, i64)
declare spir_func i32 @_Z8functionPjiij(i32 addrspace(4)*, i32, i32, i32)

; CHECK-LABEL: @add(
; CHECK: %place = getelementptr i32, i32 addrspace(1)* %p, i64 3
; CHECK-NEXT: %generic =
; CHECK-NEXT: %old = tail call spir_func i32 @_Z18__spirv_AtomicIAddPU3AS1jiij(i32 addrspace(1)* %place, i32 1, i32 0, i32 5) [[KEPT:#[0-9]+]]
define spir_kernel void @add(i32 addrspace(1)* %p) {
  %place = getelementptr i32, i32 addrspace(1)* %p, i64 3
  %generic = addrspacecast i32 addrspace(1)* %place to i32 addrspace(4)*
  %old = tail call spir_func i32 @_Z18__spirv_AtomicIAddPjiij(i32 addrspace(4)* %generic, i32 1, i32 0, i32 5) nounwind
  ret void
}

; As a number of another type, and as a constant.
; CHECK-LABEL: @exchange(
; TYPED: [[BITS:%.*]] = bitcast double addrspace(1)* %p to i64 addrspace(1)*
; TYPED: call spir_func i64 @_Z29__spirv_AtomicCompareExchangePU3AS1miiimm(i64 addrspace(1)* [[BITS]], i32 1,
; OPAQUE: call spir_func i64 @_Z29__spirv_AtomicCompareExchangePU3AS1miiimm(ptr addrspace(1) %p, i32 1,
; CHECK: call spir_func i64 @_Z29__spirv_AtomicCompareExchangePU3AS3miiimm(i64 addrspace(3)* @shared, i32 2,
define spir_kernel void @exchange(double addrspace(1)* %p) {
  %generic = addrspacecast double addrspace(1)* %p to double addrspace(4)*
  %bits = bitcast double addrspace(4)* %generic to i64 addrspace(4)*
  %a = call spir_func i64 @_Z29__spirv_AtomicCompareExchangePU3AS4miiimm(i64 addrspace(4)* %bits, i32 1, i32 0, i32 0, i64 2, i64 1)
  %b = call spir_func i64 @_Z29__spirv_AtomicCompareExchangePU3AS4miiimm(i64 addrspace(4)* addrspacecast (i64 addrspace(3)* @shared to i64 addrspace(4)*), i32 2, i32 0, i32 0, i64 2, i64 1)
  ret void
}

; One that may be either, one in private memory, and another function stay.
; CHECK-LABEL: @others(
; CHECK-COUNT-2: call spir_func i32 @_Z18__spirv_AtomicIAddPjiij(i32 addrspace(4)*
; CHECK: call spir_func i32 @_Z8functionPjiij(i32 addrspace(4)*
define spir_func void @others(i32 addrspace(4)* %either, i32* %own, i32 addrspace(1)* %p) {
  %private = addrspacecast i32* %own to i32 addrspace(4)*
  %generic = addrspacecast i32 addrspace(1)* %p to i32 addrspace(4)*
  %a = call spir_func i32 @_Z18__spirv_AtomicIAddPjiij(i32 addrspace(4)* %either, i32 1, i32 0, i32 5)
  %b = call spir_func i32 @_Z18__spirv_AtomicIAddPjiij(i32 addrspace(4)* %private, i32 1, i32 0, i32 5)
  %c = call spir_func i32 @_Z8functionPjiij(i32 addrspace(4)* %generic, i32 1, i32 0, i32 5)
  ret void
}

; CHECK: declare spir_func i32 @_Z18__spirv_AtomicIAddPU3AS1jiij(i32 addrspace(1)*, i32, i32, i32) [[CONVERGENT:#[0-9]+]]
; CHECK: attributes [[CONVERGENT]] = { convergent }
; CHECK: attributes [[KEPT]] = { nounwind }
