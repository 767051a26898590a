; A kernel that reaches recursive functions is there twice. In the second form no function calls itself: each cycle is one function
; with a stack of frames, and ends the grid when the stack is full. Kernels without recursion stay as they are.
; RUN: %passes=hiplz-recursion %s -o %t.ll
; RUN: FileCheck %s < %t.ll
; RUN: FileCheck %s --check-prefix=WARP < %t.ll
; RUN: env HIPLZ_RECURSION_STACK=100 %passes=hiplz-recursion %s | FileCheck %s --check-prefix=SMALL
; SMALL: alloca [112 x i8], align 16

; CHECK: define internal spir_func i32 @fib(
; CHECK: call spir_func i32 @fib(
define internal spir_func i32 @fib(i32 %n) readnone {
  %small = icmp slt i32 %n, 2
  br i1 %small, label %done, label %more
more:
  %a = sub i32 %n, 1
  %b = sub i32 %n, 2
  %x = call spir_func i32 @fib(i32 %a)
  %y = call spir_func i32 @fib(i32 %b)
  %sum = add i32 %x, %y
  br label %done
done:
  %r = phi i32 [ %n, %0 ], [ %sum, %more ]
  ret i32 %r
}

define internal spir_func i1 @even(i32* %p, i1 %flag) {
  %local = alloca i32
  %n = load i32, i32* %p
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
more:
  %less = sub i32 %n, 1
  store i32 %less, i32* %local
  %other = call spir_func i1 @odd(i32* %local)
  %both = and i1 %other, %flag
  ret i1 %both
done:
  ret i1 true
}
define internal spir_func i1 @odd(i32* %p) {
  %n = load i32, i32* %p
  %zero = icmp eq i32 %n, 0
  br i1 %zero, label %done, label %more
more:
  %less = sub i32 %n, 1
  store i32 %less, i32* %p
  %other = call spir_func i1 @even(i32* %p, i1 true)
  ret i1 %other
done:
  ret i1 false
}

; CHECK-LABEL: define spir_kernel void @plain(
define spir_kernel void @plain(i32 addrspace(1)* %p) {
  store i32 1, i32 addrspace(1)* %p
  ret void
}

; CHECK-LABEL: define spir_kernel void @first(
; CHECK: call spir_func i32 @fib(
define spir_kernel void @first(i32 addrspace(1)* %p) {
  %r = call spir_func i32 @fib(i32 7)
  store i32 %r, i32 addrspace(1)* %p
  ret void
}
define spir_kernel void @second(i32 addrspace(1)* %p) {
  %v = alloca i32
  store i32 9, i32* %v
  %r = call spir_func i1 @even(i32* %v, i1 true)
  %n = zext i1 %r to i32
  store i32 %n, i32 addrspace(1)* %p
  ret void
}
; CHECK-DAG: define spir_kernel void @first.frames(
; CHECK-DAG: define spir_kernel void @second.frames(
; CHECK-NOT: plain.frames
; CHECK: define internal spir_func {{.*}}.loop(
; CHECK-NOT: call spir_func {{.*}}@{{fib|even|odd}}
; CHECK: define internal spir_func {{.*}}.loop(
; CHECK: [[FRAMES:%.*]] = alloca [8192 x i8], align 16
; CHECK: full:
; CHECK-NEXT: call spir_func void @__hiplz_end_grid(i32 4)
; CHECK-NEXT: unreachable
; CHECK-NOT: call spir_func {{.*}}@{{fib|even|odd}}

; Lanes wait before the operation and before the call, and for those that are deeper. The loop has one entry and one edge back.
declare spir_func i32 @_Z30__spirv_GroupNonUniformShuffleiij(i32, i32, i32) convergent
define internal spir_func i32 @count(i32 %n) convergent {
  %other = call spir_func i32 @_Z30__spirv_GroupNonUniformShuffleiij(i32 3, i32 %n, i32 1) convergent
  %more = icmp ugt i32 %n, 3
  br i1 %more, label %call, label %done
call:
  %less = sub i32 %n, 1
  %below = call spir_func i32 @count(i32 %less) convergent
  br label %done
done:
  %r = phi i32 [ %other, %0 ], [ %below, %call ]
  ret i32 %r
}
define spir_kernel void @third(i32 addrspace(1)* %p, i32 %n) {
  %r = call spir_func i32 @count(i32 %n) convergent
  store i32 %r, i32 addrspace(1)* %p
  ret void
}
; WARP-LABEL: define internal spir_func i32 @count{{.*}}.loop(
; WARP: [[DEPTH:%.*]] = alloca i32
; WARP: [[PLACE:%.*]] = alloca i32
; WARP: store i32 4, {{.*}} [[PLACE]]
; WARP: [[FIRST:%.*]] = extractelement <4 x i32> {{.*}}, i64 0
; WARP: br label %choose
; WARP: leave:
; WARP: again: {{.*}} preds
; WARP: [[REST:%.*]] = extractelement <4 x i32> {{.*}}, i64 0
; WARP-NEXT: br label %choose
; WARP: choose:
; WARP-NEXT: [[LANES:%.*]] = phi i32 [ [[REST]], %again ], [ [[FIRST]], %entry ]
; WARP: run:
; WARP: search:
; WARP-NEXT: phi i32 [ [[LANES]], %choose ]
; WARP: call spir_func i64 @_Z30__spirv_GroupNonUniformShuffleilj(
; WARP: br i1 {{.*}}, label %search, label %found
; WARP: found:
; WARP: br i1 {{.*}}, label %run, label %again
; WARP: store i32 1, {{.*}} [[PLACE]]
; WARP-NEXT: br label %again
; WARP: call spir_func i32 @_Z30__spirv_GroupNonUniformShuffleiij(
; WARP: store i32 2, {{.*}} [[PLACE]]
; WARP-NEXT: br label %again
