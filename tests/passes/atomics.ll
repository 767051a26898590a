; Calls of the library for atomic operations become instructions, and those on bytes loops around words.
; RUN: %passes=hiplz-atomics %s | FileCheck %s

declare spir_func i32 @__atomic_load_4(i8 addrspace(4)*, i32)
declare spir_func void @__atomic_store_8(i8 addrspace(4)*, i64, i32)
declare spir_func i32 @__atomic_fetch_add_4(i8 addrspace(4)*, i32, i32)
declare spir_func i1 @__atomic_compare_exchange_4(i8 addrspace(4)*, i8 addrspace(4)*, i32, i32, i32)
declare spir_func i8 @__atomic_fetch_or_1(i8 addrspace(4)*, i8, i32)
declare spir_func i32 @__atomic_fetch_max_4(i8 addrspace(4)*, i32, i32)

; A load releases nothing, an order that is not known here is the strictest. The calling convention of the call does not
; matter.
; CHECK-LABEL: @calls(
; CHECK: load atomic i32, {{.*}} acquire, align 4
; CHECK: store atomic i64 7, {{.*}} release, align 8
; CHECK: atomicrmw add {{.*}}, i32 3 seq_cst
; CHECK: [[EXPECTED:%.*]] = load i32, i32 addrspace(4)* [[PLACE:%.*]], align 4
; CHECK: [[PAIR:%.*]] = cmpxchg {{.*}}, i32 [[EXPECTED]], i32 5 acq_rel monotonic
; CHECK: [[FOUND:%.*]] = extractvalue { i32, i1 } [[PAIR]], 0
; CHECK: store i32 [[FOUND]], i32 addrspace(4)* [[PLACE]]
; CHECK: ret i1
define i1 @calls(i8 addrspace(4)* %p, i8 addrspace(4)* %e, i32 %order) {
  %l = call i32 @__atomic_load_4(i8 addrspace(4)* %p, i32 4)
  call void @__atomic_store_8(i8 addrspace(4)* %p, i64 7, i32 4)
  %a = call i32 @__atomic_fetch_add_4(i8 addrspace(4)* %p, i32 3, i32 %order)
  %c = call i1 @__atomic_compare_exchange_4(i8 addrspace(4)* %p, i8 addrspace(4)* %e, i32 5, i32 4, i32 0)
  ret i1 %c
}

; CHECK-LABEL: @small(
; CHECK-NOT: atomicrmw
; CHECK: [[WORD:%.*]] = inttoptr i64 {{.*}} to i32 addrspace(4)*
; CHECK: load atomic i32, i32 addrspace(4)* [[WORD]] monotonic, align 4
; CHECK: atomic:
; CHECK: cmpxchg i32 addrspace(4)* [[WORD]], {{.*}} monotonic monotonic
; CHECK: br i1 {{.*}}, label %atomic, label
; CHECK: trunc i32
; CHECK: cmpxchg i32 addrspace(1)* {{.*}} seq_cst
; CHECK: ret i8
define i8 @small(i8 addrspace(4)* %p, i16 addrspace(1)* %q) {
  %a = call i8 @__atomic_fetch_or_1(i8 addrspace(4)* %p, i8 3, i32 0)
  %l = load atomic i16, i16 addrspace(1)* %q monotonic, align 2
  %x = cmpxchg i16 addrspace(1)* %q, i16 %l, i16 4 seq_cst monotonic
  ret i8 %a
}

; A function that is not of this family, in spite of its name, is left for the check of undefined functions.
; CHECK-LABEL: @unknown(
; CHECK-NEXT: call i32 @__atomic_fetch_max_4(
define i32 @unknown(i8 addrspace(4)* %p) {
  %r = call i32 @__atomic_fetch_max_4(i8 addrspace(4)* %p, i32 1, i32 0)
  ret i32 %r
}
