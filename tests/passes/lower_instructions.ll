; freeze, atomics without a form in SPIR-V, a choice between aggregates, a switch over a boolean, late variables, assembly without
; instructions.
; RUN: %passes=hiplz-lower-instructions %s | FileCheck %s

; An argument has some value: the freeze is dropped.
; CHECK-LABEL: @argument(
; CHECK-NEXT: ret i32 %x
define i32 @argument(i32 %x) {
  %f = freeze i32 %x
  ret i32 %f
}

; Flags that could make the value poison are removed.
; CHECK-LABEL: @promises(
; CHECK-NEXT: %a = add i32 %x, 1
; CHECK-NEXT: [[BY:%.*]] = and i32 %n, 31
; CHECK-NEXT: %s = shl i32 %a, [[BY]]
; CHECK-NEXT: ret i32 %s
define i32 @promises(i32 %x, i32 %n) {
  %a = add nsw i32 %x, 1
  %s = shl nuw i32 %a, %n
  %f = freeze i32 %s
  ret i32 %f
}

; CHECK-LABEL: @undefined(
; CHECK: phi i32 [ 0, %entry ], [ 1, %b ]
; CHECK: ret i32
define i32 @undefined(i1 %c) {
entry:
  br i1 %c, label %b, label %d
b:
  br label %d
d:
  %p = phi i32 [ undef, %entry ], [ 1, %b ]
  %f = freeze i32 %p
  ret i32 %f
}

; CHECK-LABEL: @add_float(
; CHECK: load atomic i32, i32 addrspace(1)* {{.*}} monotonic
; CHECK: fadd float
; CHECK: cmpxchg i32 addrspace(1)* {{.*}} monotonic monotonic
define float @add_float(float addrspace(1)* %p, float %x) {
  %r = atomicrmw fadd float addrspace(1)* %p, float %x monotonic
  ret float %r
}

; CHECK-LABEL: @nand(
; CHECK: xor i64
; CHECK: cmpxchg i64 addrspace(3)* {{.*}} seq_cst seq_cst
define i64 @nand(i64 addrspace(3)* %p, i64 %x) {
  %r = atomicrmw nand i64 addrspace(3)* %p, i64 %x seq_cst
  ret i64 %r
}

; CHECK-LABEL: @integers_stay(
; CHECK: atomicrmw add
define i32 @integers_stay(i32 addrspace(1)* %p, i32 %x) {
  %r = atomicrmw add i32 addrspace(1)* %p, i32 %x monotonic
  ret i32 %r
}

; CHECK-LABEL: @choice(
; CHECK-NOT: select i1 %c, { i32, [2 x float] }
; CHECK: select i1 %c, i32
; CHECK: select i1 %c, float
; CHECK: select i1 %c, float
define float @choice(i1 %c, { i32, [2 x float] } %a, { i32, [2 x float] } %b) {
  %s = select i1 %c, { i32, [2 x float] } %a, { i32, [2 x float] } %b
  %r = extractvalue { i32, [2 x float] } %s, 1, 1
  ret float %r
}

; CHECK-LABEL: @late(
; CHECK-NEXT: %a = alloca i32
; CHECK-NEXT: %b = alloca i64
; CHECK-NEXT: %y = add i32 %x, 1
define i32 @late(i32 %x) {
  %a = alloca i32
  %y = add i32 %x, 1
  %b = alloca i64
  store i32 %y, i32* %a
  ret i32 %y
}

; CHECK-LABEL: @assembly(
; CHECK-NEXT: ret i32 %x
define i32 @assembly(i32 %x) {
  call void asm sideeffect "", "~{memory}"()
  %y = call i32 asm "", "=r,0"(i32 %x)
  ret i32 %y
}

; A switch over a boolean is a branch; edges that are gone are gone from phis.
; CHECK-LABEL: @both(
; CHECK: br i1 %c, label %yes, label %join
; CHECK: join:
; CHECK-NEXT: phi i32 [ 1, %entry ], [ 2, %yes ]
define i32 @both(i1 %c) {
entry:
  switch i1 %c, label %join [ i1 false, label %join
                              i1 true, label %yes ]
yes:
  br label %join
join:
  %r = phi i32 [ 1, %entry ], [ 1, %entry ], [ 2, %yes ]
  ret i32 %r
}
; CHECK-LABEL: @rest(
; CHECK: br i1 %c, label %other, label %no
define i32 @rest(i1 %c) {
  switch i1 %c, label %other [ i1 false, label %no ]
no:
  ret i32 1
other:
  ret i32 2
}
; CHECK-LABEL: @alike(
; CHECK: br i1 %c, label %all, label %all
; CHECK: phi i32 [ 7, %entry ], [ 7, %entry ]
define i32 @alike(i1 %c) {
entry:
  switch i1 %c, label %all [ i1 true, label %all ]
all:
  %r = phi i32 [ 7, %entry ], [ 7, %entry ]
  ret i32 %r
}
