; Indices that are cut to a range are neighbours where none of them is outside, which the first and the last lane tell.
; RUN: %opt %machine_plugin -passes=hiplz-access-paths %s | %check

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare <32 x i32> @llvm.smax.v32i32(<32 x i32>, <32 x i32>)
declare <32 x i32> @llvm.smin.v32i32(<32 x i32>, <32 x i32>)
declare <32 x i32> @llvm.umax.v32i32(<32 x i32>, <32 x i32>)
declare <32 x i32> @llvm.umin.v32i32(<32 x i32>, <32 x i32>)

; CHECK-LABEL: @smaxOfNumbers(
; CHECK: [[BEGIN:%.*]] = add i32 %first, 0
; CHECK: call i32 @llvm.smax.i32(i32 [[BEGIN]], i32 %edge)
; CHECK: [[LAST:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp sge i32 [[LAST]], [[BEGIN]]
; CHECK: [[SAME:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp sge i32 [[BEGIN]], %edge
; CHECK: icmp sge i32 [[SAME]], %edge
; CHECK-NOT: icmp ne <32 x
; CHECK: load <32 x i32>, ptr
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @smaxOfNumbers(i32 %live, i64 %base, i32 %first, i32 %edge) {
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %firsts, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>
  %edge0 = insertelement <32 x i32> poison, i32 %edge, i64 0
  %edges = shufflevector <32 x i32> %edge0, <32 x i32> poison, <32 x i32> zeroinitializer
  %inside = call <32 x i32> @llvm.smax.v32i32(<32 x i32> %index, <32 x i32> %edges)
  %offset = zext <32 x i32> %inside to <32 x i64>
  %place = add <32 x i64> %bases, %offset
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}

; CHECK-LABEL: @sminOfNumbers(
; CHECK: [[BEGIN:%.*]] = add i32 %first, 0
; CHECK: call i32 @llvm.smin.i32(i32 [[BEGIN]], i32 %edge)
; CHECK: [[LAST:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp sge i32 [[LAST]], [[BEGIN]]
; CHECK: [[SAME:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp sle i32 [[BEGIN]], %edge
; CHECK: icmp sle i32 [[SAME]], %edge
; CHECK-NOT: icmp ne <32 x
; CHECK: load <32 x i32>, ptr
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @sminOfNumbers(i32 %live, i64 %base, i32 %first, i32 %edge) {
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %firsts, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>
  %edge0 = insertelement <32 x i32> poison, i32 %edge, i64 0
  %edges = shufflevector <32 x i32> %edge0, <32 x i32> poison, <32 x i32> zeroinitializer
  %inside = call <32 x i32> @llvm.smin.v32i32(<32 x i32> %index, <32 x i32> %edges)
  %offset = zext <32 x i32> %inside to <32 x i64>
  %place = add <32 x i64> %bases, %offset
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}

; CHECK-LABEL: @umaxOfNumbers(
; CHECK: [[BEGIN:%.*]] = add i32 %first, 0
; CHECK: call i32 @llvm.umax.i32(i32 [[BEGIN]], i32 %edge)
; CHECK: [[LAST:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp uge i32 [[LAST]], [[BEGIN]]
; CHECK: [[SAME:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp uge i32 [[BEGIN]], %edge
; CHECK: icmp uge i32 [[SAME]], %edge
; CHECK-NOT: icmp ne <32 x
; CHECK: load <32 x i32>, ptr
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @umaxOfNumbers(i32 %live, i64 %base, i32 %first, i32 %edge) {
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %firsts, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>
  %edge0 = insertelement <32 x i32> poison, i32 %edge, i64 0
  %edges = shufflevector <32 x i32> %edge0, <32 x i32> poison, <32 x i32> zeroinitializer
  %inside = call <32 x i32> @llvm.umax.v32i32(<32 x i32> %index, <32 x i32> %edges)
  %offset = zext <32 x i32> %inside to <32 x i64>
  %place = add <32 x i64> %bases, %offset
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}

; CHECK-LABEL: @uminOfNumbers(
; CHECK: [[BEGIN:%.*]] = add i32 %first, 0
; CHECK: call i32 @llvm.umin.i32(i32 [[BEGIN]], i32 %edge)
; CHECK: [[LAST:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp uge i32 [[LAST]], [[BEGIN]]
; CHECK: [[SAME:%.*]] = add i32 [[BEGIN]], 124
; CHECK: icmp ule i32 [[BEGIN]], %edge
; CHECK: icmp ule i32 [[SAME]], %edge
; CHECK-NOT: icmp ne <32 x
; CHECK: load <32 x i32>, ptr
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @uminOfNumbers(i32 %live, i64 %base, i32 %first, i32 %edge) {
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %firsts, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>
  %edge0 = insertelement <32 x i32> poison, i32 %edge, i64 0
  %edges = shufflevector <32 x i32> %edge0, <32 x i32> poison, <32 x i32> zeroinitializer
  %inside = call <32 x i32> @llvm.umin.v32i32(<32 x i32> %index, <32 x i32> %edges)
  %offset = zext <32 x i32> %inside to <32 x i64>
  %place = add <32 x i64> %bases, %offset
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}

; The bound is the first operand.
; CHECK-LABEL: @boundFirst(
; CHECK: icmp sle i32 {{.*}}, %edge
; CHECK: icmp sle i32 {{.*}}, %edge
; CHECK-NOT: icmp ne <32 x
; CHECK: load <32 x i32>, ptr
define <32 x i32> @boundFirst(i32 %live, i64 %base, i32 %first, i32 %edge) {
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %firsts, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>
  %edge0 = insertelement <32 x i32> poison, i32 %edge, i64 0
  %edges = shufflevector <32 x i32> %edge0, <32 x i32> poison, <32 x i32> zeroinitializer
  %inside = call <32 x i32> @llvm.smin.v32i32(<32 x i32> %edges, <32 x i32> %index)
  %offset = zext <32 x i32> %inside to <32 x i64>
  %place = add <32 x i64> %bases, %offset
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}

; Two numbers that differ from lane to lane.
; CHECK-LABEL: @twoNumbers(
; CHECK: icmp ne <32 x
define <32 x i32> @twoNumbers(i32 %live, i64 %base, i32 %first, i32 %edge) {
  %first0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %firsts = shufflevector <32 x i32> %first0, <32 x i32> poison, <32 x i32> zeroinitializer
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %firsts, <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>
  %other0 = insertelement <32 x i32> poison, i32 %edge, i64 0
  %others = shufflevector <32 x i32> %other0, <32 x i32> poison, <32 x i32> zeroinitializer
  %second = add <32 x i32> %others, <i32 0, i32 8, i32 16, i32 24, i32 32, i32 40, i32 48, i32 56, i32 64, i32 72, i32 80, i32 88, i32 96, i32 104, i32 112, i32 120, i32 128, i32 136, i32 144, i32 152, i32 160, i32 168, i32 176, i32 184, i32 192, i32 200, i32 208, i32 216, i32 224, i32 232, i32 240, i32 248>
  %inside = call <32 x i32> @llvm.smin.v32i32(<32 x i32> %index, <32 x i32> %second)
  %offset = zext <32 x i32> %inside to <32 x i64>
  %place = add <32 x i64> %bases, %offset
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}

; The last lane is not the largest.
; CHECK-LABEL: @downward(
; CHECK: icmp ne <32 x
declare <32 x i64> @llvm.smin.v32i64(<32 x i64>, <32 x i64>)
define <32 x i32> @downward(i32 %live, i64 %first, i64 %edge) {
  %first0 = insertelement <32 x i64> poison, i64 %first, i64 0
  %firsts = shufflevector <32 x i64> %first0, <32 x i64> poison, <32 x i32> zeroinitializer
  %index = sub <32 x i64> %firsts, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %edge0 = insertelement <32 x i64> poison, i64 %edge, i64 0
  %edges = shufflevector <32 x i64> %edge0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = call <32 x i64> @llvm.smin.v32i64(<32 x i64> %index, <32 x i64> %edges)
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  ret <32 x i32> %word
}
