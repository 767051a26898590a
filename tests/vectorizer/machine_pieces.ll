; A piece with many loads goes on behind the last of them, where the next access computes its place and its lanes: they
; are those of the way that was taken.
; RUN: %opt %machine_plugin -passes=hiplz-access-paths %s | %check

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare <32 x i64> @amdgcn.load.64(<32 x i64>, i32)

; CHECK-LABEL: @placeBehindMany(
; CHECK: mixed.plain:
; CHECK: %place.plain = shl i64
; CHECK: %some.plain = trunc i64 %pointer.plain to i32
; CHECK: mixed:
; CHECK: %some = trunc i64 %pointer to i32
; CHECK: both:
; CHECK: [[SOME:%.*]] = phi i32 [ %some, {{.*}} ], [ %some.plain, %mixed.plain ]
; CHECK: [[PLACE:%.*]] = phi ptr [ {{.*}} ], [ {{.*}}, %mixed.plain ]
; CHECK: icmp eq i32 [[SOME]], -1
; CHECK: load <32 x i32>, ptr [[PLACE]]
define <32 x i32> @placeBehindMany(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %at0 = add <32 x i64> %row, <i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096, i64 4096>
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at0, i32 -1)
  %at1 = add <32 x i64> %row, <i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224, i64 4224>
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at1, i32 -1)
  %at2 = add <32 x i64> %row, <i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352, i64 4352>
  %word2 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at2, i32 -1)
  %at3 = add <32 x i64> %row, <i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480, i64 4480>
  %word3 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at3, i32 -1)
  %at4 = add <32 x i64> %row, <i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608, i64 4608>
  %word4 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at4, i32 -1)
  %at5 = add <32 x i64> %row, <i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736, i64 4736>
  %word5 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at5, i32 -1)
  %at6 = add <32 x i64> %row, <i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864, i64 4864>
  %word6 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at6, i32 -1)
  %at7 = add <32 x i64> %row, <i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992, i64 4992>
  %word7 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at7, i32 -1)
  %at8 = add <32 x i64> %row, <i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120, i64 5120>
  %word8 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at8, i32 -1)
  %at9 = add <32 x i64> %row, <i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248, i64 5248>
  %word9 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at9, i32 -1)
  %at10 = add <32 x i64> %row, <i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376, i64 5376>
  %word10 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at10, i32 -1)
  %at11 = add <32 x i64> %row, <i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504, i64 5504>
  %word11 = call <32 x i32> @amdgcn.load.32(<32 x i64> %at11, i32 -1)
  %pointers = call <32 x i64> @amdgcn.load.64(<32 x i64> %bases, i32 -1)
  %pointer = extractelement <32 x i64> %pointers, i64 0
  %place = shl i64 %pointer, 1
  %places0 = insertelement <32 x i64> poison, i64 %place, i64 0
  %places = shufflevector <32 x i64> %places0, <32 x i64> poison, <32 x i32> zeroinitializer
  %next = add <32 x i64> %places, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %some = trunc i64 %pointer to i32
  %last = call <32 x i32> @amdgcn.load.32(<32 x i64> %next, i32 %some)
  %sum0 = add <32 x i32> %last, %word0
  %sum1 = add <32 x i32> %sum0, %word1
  %sum2 = add <32 x i32> %sum1, %word2
  %sum3 = add <32 x i32> %sum2, %word3
  %sum4 = add <32 x i32> %sum3, %word4
  %sum5 = add <32 x i32> %sum4, %word5
  %sum6 = add <32 x i32> %sum5, %word6
  %sum7 = add <32 x i32> %sum6, %word7
  %sum8 = add <32 x i32> %sum7, %word8
  %sum9 = add <32 x i32> %sum8, %word9
  %sum10 = add <32 x i32> %sum9, %word10
  %sum11 = add <32 x i32> %sum10, %word11
  ret <32 x i32> %sum11
}
