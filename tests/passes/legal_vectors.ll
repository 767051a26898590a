; Vectors that SPIR-V lacks become their elements. In memory elements of odd widths lie side by side, without padding.
; RUN: %passes=hiplz-legal-vectors %s | FileCheck %s

; CHECK-LABEL: @words(
; CHECK-COUNT-3: load i32, i32 addrspace(1)* {{.*}}, align {{4|8|16}}
; CHECK-NOT: {{(load|insertelement) <4 x i24>}}
; CHECK-COUNT-3: store i32 {{.*}}, align 4
; CHECK-NOT: store
; CHECK: ret void
define void @words(<4 x i24> addrspace(1)* %to, <4 x i24> addrspace(1)* %from, i24 %x) {
  %v = load <4 x i24>, <4 x i24> addrspace(1)* %from, align 16
  %w = insertelement <4 x i24> %v, i24 %x, i32 2
  store <4 x i24> %w, <4 x i24> addrspace(1)* %to, align 4
  ret void
}

; The bits of eight numbers of 24 bits are six words.
; CHECK-LABEL: @reinterpreted(
; CHECK: [[LOW:%.*]] = lshr i32 [[A:%.*]], 24
; CHECK: trunc i32 [[LOW]] to i24
; CHECK-NOT: bitcast <6 x i32>
; CHECK-NOT: extractelement
; CHECK: ret i24
define i24 @reinterpreted(<6 x i32> addrspace(1)* %p) {
  %v = load <6 x i32>, <6 x i32> addrspace(1)* %p, align 8
  %w = bitcast <6 x i32> %v to <8 x i24>
  %r = extractelement <8 x i24> %w, i32 1
  ret i24 %r
}

; Elements that begin at bytes of their own are read one by one.
; CHECK-LABEL: @arithmetic(
; CHECK-COUNT-5: load i16, i16* {{.*}}, align 2
; CHECK-COUNT-5: add nsw i16
; CHECK-COUNT-5: call i16 @llvm.umin.i16
; CHECK-NOT: {{(load|add nsw|call) <5 x i16>}}
; CHECK: ret i16
define i16 @arithmetic(<5 x i16>* %p, i32 %n) {
  %v = load <5 x i16>, <5 x i16>* %p, align 2
  %w = add nsw <5 x i16> %v, <i16 1, i16 2, i16 3, i16 4, i16 5>
  %u = call <5 x i16> @llvm.umin.v5i16(<5 x i16> %v, <5 x i16> %w)
  %r = extractelement <5 x i16> %u, i32 %n
  ret i16 %r
}

; CHECK-LABEL: @loop(
; CHECK-COUNT-6: phi i32 [
; CHECK-COUNT-6: icmp ult i32
; CHECK-COUNT-6: select i1
; CHECK-NOT: x i1>
; CHECK: ret i32
define i32 @loop(<6 x i32>* %p, i32 %n) {
entry:
  br label %body
body:
  %s = phi <6 x i32> [ zeroinitializer, %entry ], [ %t, %body ]
  %i = phi i32 [ 0, %entry ], [ %j, %body ]
  %v = load <6 x i32>, <6 x i32>* %p, align 4
  %c = icmp ult <6 x i32> %s, %v
  %t = select <6 x i1> %c, <6 x i32> %v, <6 x i32> %s
  %j = add i32 %i, 1
  %more = icmp ult i32 %j, %n
  br i1 %more, label %body, label %end
end:
  %r = call i32 @llvm.vector.reduce.add.v6i32(<6 x i32> %t)
  ret i32 %r
}

; CHECK-LABEL: @parts(
; CHECK: insertelement <2 x float>
; CHECK-NOT: <6 x float>
; CHECK: ret <2 x float>
define <2 x float> @parts(<2 x float> %a, <2 x float> %b) {
  %v = shufflevector <2 x float> %a, <2 x float> %b, <6 x i32> <i32 3, i32 2, i32 1, i32 0, i32 undef, i32 2>
  %r = shufflevector <6 x float> %v, <6 x float> poison, <2 x i32> <i32 5, i32 0>
  ret <2 x float> %r
}

declare <5 x i16> @llvm.umin.v5i16(<5 x i16>, <5 x i16>)
declare i32 @llvm.vector.reduce.add.v6i32(<6 x i32>)
