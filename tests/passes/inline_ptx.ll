; Inline PTX becomes LLVM's instructions, or calls of the functions that CUDA's headers have for the purpose; one of those says that the
; code comes from CUDA.
; RUN: %passes=hiplz-inline-ptx %s | FileCheck %s

define i64 @__hiplz_ptx_shared_address(i32 %low) {
  ret i64 0
}
define i32 @__hiplz_ptx_sreg_laneid() {
  ret i32 7
}
define i32 @__hiplz_ptx_prmt_b32(i32 %x, i32 %y, i32 %selector) {
  ret i32 %x
}

; CHECK-LABEL: @arithmetic(
; CHECK-NEXT: [[SUM:%.*]] = add i32 %x, %y
; CHECK-NEXT: [[LANE:%.*]] = call i32 @__hiplz_ptx_sreg_laneid()
; CHECK-NEXT: [[BYTES:%.*]] = call i32 @__hiplz_ptx_prmt_b32(i32 [[SUM]], i32 [[LANE]], i32 4660)
; CHECK-NEXT: ret i32 [[BYTES]]
define i32 @arithmetic(i32 %x, i32 %y) {
  %sum = call i32 asm "$(.reg .u32 t; add.u32 t, $1, $2; /* both */ mov.u32 $0, t; $)", "=r,r,r"(i32 %x, i32 %y)
  %lane = call i32 asm sideeffect "mov.u32 $0, %laneid;", "=r"()
  %bytes = call i32 asm "prmt.b32 $0, $1, $2, 0x1234;", "=r,r,r"(i32 %sum, i32 %lane)
  ret i32 %bytes
}

; The carry flag goes from one statement to the next.
; CHECK-LABEL: @carry(
; CHECK-NEXT: [[FLAG:%.*]] = alloca i32
; CHECK-NOT: asm
; CHECK: store i32 {{%.*}}, {{.*}}[[FLAG]]
; CHECK: load i32, {{.*}}[[FLAG]]
; CHECK-NOT: asm
; CHECK: ret i64
define i64 @carry(i64 %x, i64 %y) {
  %low = call i64 asm sideeffect "add.cc.u64 $0, $1, $2;", "=l,l,l"(i64 %x, i64 %y)
  %high = call i64 asm sideeffect "addc.u64 $0, $1, 0;", "=l,l"(i64 %low)
  ret i64 %high
}

; The result of a guarded instruction is merged behind the guard.
; CHECK-LABEL: @guarded(
; CHECK: [[P:%.*]] = icmp ult i32 %x, 3
; CHECK: br i1 [[P]], label %[[THEN:.*]], label %[[AFTER:.*]]
; CHECK: phi i32 [ 5, %{{.*}} ], [ 0, %{{.*}} ]
define i32 @guarded(i32 %x) {
  %r = call i32 asm "$(.reg .pred p; setp.lt.u32 p, $1, 3; @p mov.u32 $0, 5; $)", "=r,r"(i32 %x)
  ret i32 %r
}

; Two results, one of them an argument too.
; CHECK-LABEL: @two(
; CHECK-NOT: asm
; CHECK: insertvalue
; CHECK: ret
define i64 @two(i32 %x) {
  %r = call { i32, i64 } asm "mul.wide.u32 $1, $0, $0; add.u32 $0, $0, 1;", "=r,=l,0"(i32 %x)
  %wide = extractvalue { i32, i64 } %r, 1
  ret i64 %wide
}
