; Odd integers in memory keep their place: exactly their bytes are read and written, in ordinary pieces.
; RUN: %passes=hiplz-legal-integers %s | FileCheck %s

; CHECK-LABEL: @copy(
; CHECK: load i16, i16 addrspace(1)* {{.*}}, align 4
; CHECK: load i8, i8 addrspace(1)* {{.*}}, align 2
; CHECK: store i16 {{.*}}, align 2
; CHECK: store i8 {{.*}}, align 2
; CHECK-NOT: i24
define void @copy(i24 addrspace(1)* %to, i24 addrspace(1)* %from) {
  %v = load i24, i24 addrspace(1)* %from, align 4
  store i24 %v, i24 addrspace(1)* %to, align 2
  ret void
}

; CHECK-LABEL: @volatile(
; CHECK: load volatile i64
; CHECK: load volatile i32
define i64 @volatile(i96* %p) {
  %v = load volatile i96, i96* %p, align 4
  %h = lshr i96 %v, 40
  %r = trunc i96 %h to i64
  ret i64 %r
}

; CHECK-LABEL: @pieces(
; CHECK: extractelement <3 x i8>
; CHECK: insertelement <2 x i8>
define <2 x i8> @pieces(<3 x i8> %v, <2 x i8> %w) {
  %i = bitcast <3 x i8> %v to i24
  %t = trunc i24 %i to i8
  %r = insertelement <2 x i8> %w, i8 %t, i32 0
  ret <2 x i8> %r
}

; CHECK-LABEL: @chosen(
; CHECK: switch i8 {{.*}}, label %d [
; CHECK-NEXT: i8 13, label %a
; CHECK-NEXT: i8 2, label %a
define i32 @chosen(i32 %x) {
  %t = trunc i32 %x to i4
  switch i4 %t, label %d [ i4 -3, label %a
                           i4 2, label %a ]
a:
  ret i32 1
d:
  ret i32 2
}
