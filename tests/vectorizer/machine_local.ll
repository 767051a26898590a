; Offsets in local memory that are inside are small numbers, so a register and a constant are added in 64 bits, and two tests do for all
; constants beside one register.
; RUN: %opt %machine_plugin -passes=hiplz-access-paths,adce %s | %check

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare <32 x i64> @amdgcn.load.64(<32 x i64>, i32)

; CHECK-LABEL: @threeWords(
; CHECK: [[WIDE:%.*]] = sext i32 %first to i64
; CHECK: [[PLACE:%.*]] = getelementptr i8, ptr %local, i64 [[WIDE]]
; CHECK: getelementptr i8, ptr [[PLACE]], i64 16
; CHECK-COUNT-2: icmp ule i32 {{.*}}, 65532
; CHECK: [[LEAST:%.*]] = add i32 %first, 4
; CHECK-NEXT: [[TEST:%.*]] = icmp ule i32 [[LEAST]], 65532
; CHECK-NEXT: [[MOST:%.*]] = add i32 %first, 40
; CHECK-NEXT: [[LAST:%.*]] = icmp ule i32 [[MOST]], 65532
; CHECK-NEXT: [[BOTH:%.*]] = and i1 [[TEST]], [[LAST]]
; CHECK-NEXT: br i1 [[BOTH]], label %mixed.plain
define <32 x i32> @threeWords(i32 %live, i32 %first, ptr %worker) {
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %mask = bitcast i32 %live to <32 x i1>
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %sum0 = add <32 x i32> %firsts, <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %in0 = icmp ule <32 x i32> %sum0, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide0 = zext <32 x i32> %sum0 to <32 x i64>
  %at0 = add <32 x i64> %locals, %wide0
  %lanes0 = and <32 x i1> %in0, %mask
  %bits0 = bitcast <32 x i1> %lanes0 to i32
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 %bits0)
  %sum1 = add <32 x i32> %firsts, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %in1 = icmp ule <32 x i32> %sum1, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide1 = zext <32 x i32> %sum1 to <32 x i64>
  %at1 = add <32 x i64> %locals, %wide1
  %lanes1 = and <32 x i1> %in1, %mask
  %bits1 = bitcast <32 x i1> %lanes1 to i32
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at1, i32 %bits1)
  %sum2 = add <32 x i32> %firsts, <i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40, i32 40>
  %in2 = icmp ule <32 x i32> %sum2, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide2 = zext <32 x i32> %sum2 to <32 x i64>
  %at2 = add <32 x i64> %locals, %wide2
  %lanes2 = and <32 x i1> %in2, %mask
  %bits2 = bitcast <32 x i1> %lanes2 to i32
  %word2 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at2, i32 %bits2)
  %a = add <32 x i32> %word0, %word1
  %b = add <32 x i32> %a, %word2
  ret <32 x i32> %b
}

; The smallest bound counts.
; CHECK-LABEL: @twoBounds(
; CHECK: icmp ule i32 {{.*}}, 65528
; CHECK: icmp ule i32 {{.*}}, 65532
; CHECK: add i32 %first, 4
; CHECK-NEXT: icmp ule i32 {{.*}}, 65528
; CHECK-NEXT: add i32 %first, 16
; CHECK-NEXT: icmp ule i32 {{.*}}, 65528
define <32 x i32> @twoBounds(i32 %live, i32 %first, ptr %worker) {
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %mask = bitcast i32 %live to <32 x i1>
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %sum0 = add <32 x i32> %firsts, <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %in0 = icmp ule <32 x i32> %sum0, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide0 = zext <32 x i32> %sum0 to <32 x i64>
  %at0 = add <32 x i64> %locals, %wide0
  %lanes0 = and <32 x i1> %in0, %mask
  %bits0 = bitcast <32 x i1> %lanes0 to i32
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 %bits0)
  %sum1 = add <32 x i32> %firsts, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %in1 = icmp ule <32 x i32> %sum1, <i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528, i32 65528>
  %wide1 = zext <32 x i32> %sum1 to <32 x i64>
  %at1 = add <32 x i64> %locals, %wide1
  %lanes1 = and <32 x i1> %in1, %mask
  %bits1 = bitcast <32 x i1> %lanes1 to i32
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at1, i32 %bits1)
  %a = add <32 x i32> %word0, %word1
  %sum2 = add <32 x i32> %firsts, <i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8, i32 8>
  %in2 = icmp ule <32 x i32> %sum2, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide2 = zext <32 x i32> %sum2 to <32 x i64>
  %at2 = add <32 x i64> %locals, %wide2
  %lanes2 = and <32 x i1> %in2, %mask
  %bits2 = bitcast <32 x i1> %lanes2 to i32
  %word2 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at2, i32 %bits2)
  %b = add <32 x i32> %a, %word2
  ret <32 x i32> %b
}

; Two registers have tests of their own.
; CHECK-LABEL: @twoRegisters(
; CHECK: add i32 %first, 16
; CHECK: add i32 %second, 4
; CHECK: add i32 %first, 16
; CHECK-NEXT: icmp ule i32 {{.*}}, 65532
; CHECK-NEXT: add i32 %second, 4
; CHECK-NEXT: icmp ule i32 {{.*}}, 65532
; CHECK-NEXT: and i1
; CHECK-NEXT: br i1 {{.*}}, label %mixed.plain
define <32 x i32> @twoRegisters(i32 %live, i32 %first, i32 %second, ptr %worker) {
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %mask = bitcast i32 %live to <32 x i1>
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %second0 = insertelement <32 x i32> poison, i32 %second, i64 0
  %seconds = shufflevector <32 x i32> %second0, <32 x i32> poison, <32 x i32> zeroinitializer
  %sum0 = add <32 x i32> %firsts, <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %in0 = icmp ule <32 x i32> %sum0, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide0 = zext <32 x i32> %sum0 to <32 x i64>
  %at0 = add <32 x i64> %locals, %wide0
  %lanes0 = and <32 x i1> %in0, %mask
  %bits0 = bitcast <32 x i1> %lanes0 to i32
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 %bits0)
  %sum1 = add <32 x i32> %seconds, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %in1 = icmp ule <32 x i32> %sum1, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide1 = zext <32 x i32> %sum1 to <32 x i64>
  %at1 = add <32 x i64> %locals, %wide1
  %lanes1 = and <32 x i1> %in1, %mask
  %bits1 = bitcast <32 x i1> %lanes1 to i32
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at1, i32 %bits1)
  %a = add <32 x i32> %word0, %word1
  ret <32 x i32> %a
}

; Without a test nothing is known of the sum, which may begin again at 0.
; CHECK-LABEL: @untested(
; CHECK-NOT: sext i32
; CHECK: ret <32 x i32>
define <32 x i32> @untested(i32 %live, i32 %first, ptr %worker) {
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %mask = bitcast i32 %live to <32 x i1>
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %sum0 = add <32 x i32> %firsts, <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %wide0 = zext <32 x i32> %sum0 to <32 x i64>
  %at0 = add <32 x i64> %locals, %wide0
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 %live)
  ret <32 x i32> %word0
}

; A large bound tells nothing of the register, and neither does a large constant.
; CHECK-LABEL: @largeBound(
; CHECK-NOT: sext i32
; CHECK: ret <32 x i32>
define <32 x i32> @largeBound(i32 %live, i32 %first, ptr %worker) {
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %mask = bitcast i32 %live to <32 x i1>
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %sum0 = add <32 x i32> %firsts, <i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16, i32 16>
  %in0 = icmp ule <32 x i32> %sum0, <i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648, i32 2147483648>
  %wide0 = zext <32 x i32> %sum0 to <32 x i64>
  %at0 = add <32 x i64> %locals, %wide0
  %lanes0 = and <32 x i1> %in0, %mask
  %bits0 = bitcast <32 x i1> %lanes0 to i32
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 %bits0)
  ret <32 x i32> %word0
}

; CHECK-LABEL: @largeConstant(
; CHECK: [[SUM:%.*]] = add i32 %first, -16
; CHECK: sext i32 [[SUM]] to i64
define <32 x i32> @largeConstant(i32 %live, i32 %first, ptr %worker) {
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %mask = bitcast i32 %live to <32 x i1>
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %sum0 = add <32 x i32> %firsts, <i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16, i32 -16>
  %in0 = icmp ule <32 x i32> %sum0, <i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532, i32 65532>
  %wide0 = zext <32 x i32> %sum0 to <32 x i64>
  %at0 = add <32 x i64> %locals, %wide0
  %lanes0 = and <32 x i1> %in0, %mask
  %bits0 = bitcast <32 x i1> %lanes0 to i32
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 %bits0)
  ret <32 x i32> %word0
}

!0 = !{}
