; Accesses that together take all words of each lane's structure are loads or stores of whole vectors, whose words are sorted. What is in the
; way of that, one function for each condition, leaves them as they are: lane by lane.
; RUN: %opt %machine_plugin -passes=hiplz-access-paths,simplifycfg,adce %s | %check

declare <32 x i64> @amdgcn.load.64(<32 x i64>, i32)
declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare <32 x i16> @amdgcn.load.16(<32 x i64>, i32)
declare void @amdgcn.store.64(<32 x i64>, i32, <32 x i64>)
declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)

; Four words, the upper ones first. They are used as halves.
; CHECK-LABEL: @loadsOfFour(
; CHECK: icmp eq i32 %live, -1
; CHECK-COUNT-8: load <16 x i32>, ptr {{.*}}, align 1
; CHECK-NOT: load i64, ptr
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14, i32 16, i32 18, i32 20, i32 22, i32 24, i32 26, i32 28, i32 30>
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15, i32 17, i32 19, i32 21, i32 23, i32 25, i32 27, i32 29, i32 31>
; CHECK-NOT: load i64, ptr
; CHECK: call <32 x i64> @amdgcn.load.64
define <32 x i64> @loadsOfFour(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; The last step before the stores is that words of both numbers alternate.
; CHECK-LABEL: @storesOfFour(
; CHECK: icmp eq i32 %live, -1
; CHECK: shufflevector <16 x i32> {{.*}}, <16 x i32> <i32 0, i32 16, i32 1, i32 17, i32 2, i32 18, i32 3, i32 19, i32 4, i32 20, i32 5, i32 21, i32 6, i32 22, i32 7, i32 23>
; CHECK-COUNT-8: store <16 x i32> {{.*}}, align 1
; CHECK: call void @amdgcn.store.64
define void @storesOfFour(i32 %live, i64 %base, <32 x i64> %a, <32 x i64> %b) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %a)
  call void @amdgcn.store.64(<32 x i64> %place1, i32 %live, <32 x i64> %b)
  ret void
}

; The constant is a part of the base in one of them.
; CHECK-LABEL: @constantInBase(
; CHECK-COUNT-4: load <16 x i32>, ptr {{.*}}, align 1
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @constantInBase(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  %further = add i64 %base, 4
  %further0 = insertelement <32 x i64> poison, i64 %further, i64 0
  %furthers = shufflevector <32 x i64> %further0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place1 = add <32 x i64> %furthers, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i32> %word0, %word1
  ret <32 x i32> %sum
}

; Words that nobody loads may lie behind the end of memory.
; CHECK-LABEL: @gap(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @gap(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 32, i64 64, i64 96, i64 128, i64 160, i64 192, i64 224, i64 256, i64 288, i64 320, i64 352, i64 384, i64 416, i64 448, i64 480, i64 512, i64 544, i64 576, i64 608, i64 640, i64 672, i64 704, i64 736, i64 768, i64 800, i64 832, i64 864, i64 896, i64 928, i64 960, i64 992>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %place2 = add <32 x i64> %place, <i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %word2 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place2, i32 %live)
  %two = add <32 x i64> %word0, %word1
  %sum = add <32 x i64> %two, %word2
  ret <32 x i64> %sum
}

; Of the third word two are loaded and of the last none.
; CHECK-LABEL: @overlap(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @overlap(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %place2 = add <32 x i64> %place, <i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place1, i32 %live)
  %word2 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place2, i32 %live)
  %wide = zext <32 x i32> %word1 to <32 x i64>
  %two = add <32 x i64> %word0, %wide
  %sum = add <32 x i64> %two, %word2
  ret <32 x i64> %sum
}

; Structures of three words.
; CHECK-LABEL: @threeWords(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @threeWords(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 12, i64 24, i64 36, i64 48, i64 60, i64 72, i64 84, i64 96, i64 108, i64 120, i64 132, i64 144, i64 156, i64 168, i64 180, i64 192, i64 204, i64 216, i64 228, i64 240, i64 252, i64 264, i64 276, i64 288, i64 300, i64 312, i64 324, i64 336, i64 348, i64 360, i64 372>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place1, i32 %live)
  %wide = zext <32 x i32> %word1 to <32 x i64>
  %sum = add <32 x i64> %word0, %wide
  ret <32 x i64> %sum
}

; Structures of 32 words.
; CHECK-LABEL: @manyWords(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @manyWords(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 128, i64 256, i64 384, i64 512, i64 640, i64 768, i64 896, i64 1024, i64 1152, i64 1280, i64 1408, i64 1536, i64 1664, i64 1792, i64 1920, i64 2048, i64 2176, i64 2304, i64 2432, i64 2560, i64 2688, i64 2816, i64 2944, i64 3072, i64 3200, i64 3328, i64 3456, i64 3584, i64 3712, i64 3840, i64 3968>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %place2 = add <32 x i64> %place, <i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16>
  %place3 = add <32 x i64> %place, <i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24>
  %place4 = add <32 x i64> %place, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %place5 = add <32 x i64> %place, <i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40, i64 40>
  %place6 = add <32 x i64> %place, <i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48, i64 48>
  %place7 = add <32 x i64> %place, <i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56, i64 56>
  %place8 = add <32 x i64> %place, <i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64, i64 64>
  %place9 = add <32 x i64> %place, <i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72, i64 72>
  %place10 = add <32 x i64> %place, <i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80, i64 80>
  %place11 = add <32 x i64> %place, <i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88, i64 88>
  %place12 = add <32 x i64> %place, <i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96, i64 96>
  %place13 = add <32 x i64> %place, <i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104, i64 104>
  %place14 = add <32 x i64> %place, <i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112, i64 112>
  %place15 = add <32 x i64> %place, <i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120, i64 120>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %word2 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place2, i32 %live)
  %word3 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place3, i32 %live)
  %word4 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place4, i32 %live)
  %word5 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place5, i32 %live)
  %word6 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place6, i32 %live)
  %word7 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place7, i32 %live)
  %word8 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place8, i32 %live)
  %word9 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place9, i32 %live)
  %word10 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place10, i32 %live)
  %word11 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place11, i32 %live)
  %word12 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place12, i32 %live)
  %word13 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place13, i32 %live)
  %word14 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place14, i32 %live)
  %word15 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place15, i32 %live)
  %sum1 = add <32 x i64> %word0, %word1
  %sum2 = add <32 x i64> %sum1, %word2
  %sum3 = add <32 x i64> %sum2, %word3
  %sum4 = add <32 x i64> %sum3, %word4
  %sum5 = add <32 x i64> %sum4, %word5
  %sum6 = add <32 x i64> %sum5, %word6
  %sum7 = add <32 x i64> %sum6, %word7
  %sum8 = add <32 x i64> %sum7, %word8
  %sum9 = add <32 x i64> %sum8, %word9
  %sum10 = add <32 x i64> %sum9, %word10
  %sum11 = add <32 x i64> %sum10, %word11
  %sum12 = add <32 x i64> %sum11, %word12
  %sum13 = add <32 x i64> %sum12, %word13
  %sum14 = add <32 x i64> %sum13, %word14
  %sum15 = add <32 x i64> %sum14, %word15
  ret <32 x i64> %sum15
}

; The second load reaches into the next lane.
; CHECK-LABEL: @beyondTheLane(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @beyondTheLane(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; Two steps.
; CHECK-LABEL: @otherStep(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @otherStep(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %bases, <i64 8, i64 40, i64 72, i64 104, i64 136, i64 168, i64 200, i64 232, i64 264, i64 296, i64 328, i64 360, i64 392, i64 424, i64 456, i64 488, i64 520, i64 552, i64 584, i64 616, i64 648, i64 680, i64 712, i64 744, i64 776, i64 808, i64 840, i64 872, i64 904, i64 936, i64 968, i64 1000>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; Steps that go down.
; CHECK-LABEL: @downward(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @downward(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 -16, i64 -32, i64 -48, i64 -64, i64 -80, i64 -96, i64 -112, i64 -128, i64 -144, i64 -160, i64 -176, i64 -192, i64 -208, i64 -224, i64 -240, i64 -256, i64 -272, i64 -288, i64 -304, i64 -320, i64 -336, i64 -352, i64 -368, i64 -384, i64 -400, i64 -416, i64 -432, i64 -448, i64 -464, i64 -480, i64 -496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; Elements of 16 bits.
; CHECK-LABEL: @shortElements(
; CHECK-NOT: load <16 x i32>
; CHECK: load i16, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i16> @shortElements(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  %place1 = add <32 x i64> %place, <i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2, i64 2>
  %place2 = add <32 x i64> %place, <i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4>
  %place3 = add <32 x i64> %place, <i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6, i64 6>
  %word0 = call <32 x i16> @amdgcn.load.16(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i16> @amdgcn.load.16(<32 x i64> %place1, i32 %live)
  %word2 = call <32 x i16> @amdgcn.load.16(<32 x i64> %place2, i32 %live)
  %word3 = call <32 x i16> @amdgcn.load.16(<32 x i64> %place3, i32 %live)
  %two = add <32 x i16> %word0, %word1
  %three = add <32 x i16> %two, %word2
  %sum = add <32 x i16> %three, %word3
  ret <32 x i16> %sum
}

; A store between the loads, which may be to the same place.
; CHECK-LABEL: @storeBetween(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @storeBetween(i32 %live, i64 %base, i64 %to) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %to0 = insertelement <32 x i64> poison, i64 %to, i64 0
  %tos = shufflevector <32 x i64> %to0, <32 x i64> poison, <32 x i32> zeroinitializer
  %target = add <32 x i64> %tos, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  call void @amdgcn.store.64(<32 x i64> %target, i32 %live, <32 x i64> %word0)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; A fence between the loads.
; CHECK-LABEL: @fenceBetween(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @fenceBetween(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  fence syncscope("singlethread") acq_rel
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; A load between the stores, which may be from the same place.
; CHECK-LABEL: @loadBetween(
; CHECK-NOT: store <16 x i32>
; CHECK: store i64 {{.*}}, ptr
; CHECK-NOT: store <16 x i32>
; CHECK: ret
define void @loadBetween(i32 %live, i64 %base, i64 %from, <32 x i64> %a) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %a)
  %from0 = insertelement <32 x i64> poison, i64 %from, i64 0
  %froms = shufflevector <32 x i64> %from0, <32 x i64> poison, <32 x i32> zeroinitializer
  %source = add <32 x i64> %froms, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %source, i32 %live)
  call void @amdgcn.store.64(<32 x i64> %place1, i32 %live, <32 x i64> %word0)
  ret void
}

; A word of the structure that nobody stores.
; CHECK-LABEL: @storeWithGap(
; CHECK-NOT: store <16 x i32>
; CHECK: store i64 {{.*}}, ptr
; CHECK-NOT: store <16 x i32>
; CHECK: ret
define void @storeWithGap(i32 %live, i64 %base, <32 x i64> %a, <32 x i32> %b) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %a)
  call void @amdgcn.store.32(<32 x i64> %place1, i32 %live, <32 x i32> %b)
  ret void
}

; A place that is no multiple of a word, by which two overlap.
; CHECK-LABEL: @oddPlace(
; CHECK-NOT: load <16 x i32>
; CHECK: load i32, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i32> @oddPlace(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5, i64 5>
  %place2 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %place3 = add <32 x i64> %place, <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>
  %word0 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place1, i32 %live)
  %word2 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place2, i32 %live)
  %word3 = call <32 x i32> @amdgcn.load.32(<32 x i64> %place3, i32 %live)
  %two = add <32 x i32> %word0, %word1
  %three = add <32 x i32> %two, %word2
  %sum = add <32 x i32> %three, %word3
  ret <32 x i32> %sum
}

; Two bases.
; CHECK-LABEL: @otherBase(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @otherBase(i32 %live, i64 %base, i64 %other) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %other0 = insertelement <32 x i64> poison, i64 %other, i64 0
  %others = shufflevector <32 x i64> %other0, <32 x i64> poison, <32 x i32> zeroinitializer
  %second = add <32 x i64> %others, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %second, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; Two indices.
; CHECK-LABEL: @otherIndex(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @otherIndex(i32 %live, i64 %base, i64 %index1, i64 %index2) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %first1 = insertelement <32 x i64> poison, i64 %index1, i64 0
  %firsts1 = shufflevector <32 x i64> %first1, <32 x i64> poison, <32 x i32> zeroinitializer
  %number1 = add <32 x i64> %firsts1, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
  %offset1 = mul <32 x i64> %number1, <i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16>
  %first2 = insertelement <32 x i64> poison, i64 %index2, i64 0
  %firsts2 = shufflevector <32 x i64> %first2, <32 x i64> poison, <32 x i32> zeroinitializer
  %number2 = add <32 x i64> %firsts2, <i64 0, i64 1, i64 2, i64 3, i64 4, i64 5, i64 6, i64 7, i64 8, i64 9, i64 10, i64 11, i64 12, i64 13, i64 14, i64 15, i64 16, i64 17, i64 18, i64 19, i64 20, i64 21, i64 22, i64 23, i64 24, i64 25, i64 26, i64 27, i64 28, i64 29, i64 30, i64 31>
  %offset2 = mul <32 x i64> %number2, <i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16>
  %place = add <32 x i64> %bases, %offset1
  %second = add <32 x i64> %bases, %offset2
  %place1 = add <32 x i64> %second, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; The second load is in another lane.
; CHECK-LABEL: @farAway(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @farAway(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264, i64 264>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place1, i32 %live)
  %sum = add <32 x i64> %word0, %word1
  ret <32 x i64> %sum
}

; A load of one half and a store of the other.
; CHECK-LABEL: @loadAndStore(
; CHECK-NOT: load <16 x i32>
; CHECK: load i64, ptr
; CHECK-NOT: load <16 x i32>
; CHECK: ret
define <32 x i64> @loadAndStore(i32 %live, i64 %base, <32 x i64> %a) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  call void @amdgcn.store.64(<32 x i64> %place1, i32 %live, <32 x i64> %a)
  ret <32 x i64> %word0
}

; A word that is stored twice.
; CHECK-LABEL: @storedTwice(
; CHECK-NOT: store <16 x i32>
; CHECK: store i64 {{.*}}, ptr
; CHECK-NOT: store <16 x i32>
; CHECK: ret
define void @storedTwice(i32 %live, i64 %base, <32 x i64> %a, <32 x i64> %b, <32 x i64> %c) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %place2 = add <32 x i64> %place, <i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4>
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %a)
  call void @amdgcn.store.64(<32 x i64> %place1, i32 %live, <32 x i64> %b)
  call void @amdgcn.store.64(<32 x i64> %place2, i32 %live, <32 x i64> %c)
  ret void
}

; A scalar load between the stores.
; CHECK-LABEL: @scalarLoadBetween(
; CHECK-NOT: store <16 x i32>
; CHECK: store i64 {{.*}}, ptr
; CHECK-NOT: store <16 x i32>
; CHECK: ret
define void @scalarLoadBetween(i32 %live, i64 %base, ptr %from, <32 x i64> %a) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %a)
  %number = load i64, ptr %from
  %number0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %numbers = shufflevector <32 x i64> %number0, <32 x i64> poison, <32 x i32> zeroinitializer
  call void @amdgcn.store.64(<32 x i64> %place1, i32 %live, <32 x i64> %numbers)
  ret void
}

; Elements of 16 bits stay as they are beside words that are joined.
; CHECK-LABEL: @shortAmong(
; CHECK-COUNT-8: load <16 x i32>
; CHECK: load i16
; CHECK: ret
define <32 x i64> @shortAmong(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %place1 = add <32 x i64> %place, <i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4>
  %place2 = add <32 x i64> %place, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %word0 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %word1 = call <32 x i16> @amdgcn.load.16(<32 x i64> %place1, i32 %live)
  %word2 = call <32 x i64> @amdgcn.load.64(<32 x i64> %place2, i32 %live)
  %wide = zext <32 x i16> %word1 to <32 x i64>
  %two = add <32 x i64> %word0, %wide
  %sum = add <32 x i64> %two, %word2
  ret <32 x i64> %sum
}

; Numbers of neighbours of which only the words are used.
; CHECK-LABEL: @wordsOfRow(
; CHECK: mixed.plain:
; CHECK-COUNT-4: load <16 x i32>
; CHECK-NOT: load <32 x i64>
; CHECK-COUNT-4: store <16 x i32>
; CHECK-NOT: store <32 x i64>
; CHECK: mixed
define void @wordsOfRow(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  %number = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %low = trunc <32 x i64> %number to <32 x i32>
  %upper = lshr <32 x i64> %number, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %high = trunc <32 x i64> %upper to <32 x i32>
  %sum = add <32 x i32> %low, %high
  %a = zext <32 x i32> %sum to <32 x i64>
  %b = zext <32 x i32> %low to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %joined = or <32 x i64> %a, %c
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %joined)
  ret void
}

; Numbers of 64 bits stay whole.
; CHECK-LABEL: @numbersOfRow(
; CHECK: mixed.plain:
; CHECK-NOT: load <16 x i32>
; CHECK: load <32 x i64>
; CHECK-NOT: store <16 x i32>
; CHECK: store <32 x i64>
; CHECK: mixed
define void @numbersOfRow(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %place = add <32 x i64> %bases, <i64 0, i64 8, i64 16, i64 24, i64 32, i64 40, i64 48, i64 56, i64 64, i64 72, i64 80, i64 88, i64 96, i64 104, i64 112, i64 120, i64 128, i64 136, i64 144, i64 152, i64 160, i64 168, i64 176, i64 184, i64 192, i64 200, i64 208, i64 216, i64 224, i64 232, i64 240, i64 248>
  %number = call <32 x i64> @amdgcn.load.64(<32 x i64> %place, i32 %live)
  %upper = lshr <32 x i64> %number, <i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31, i64 31>
  %half = trunc <32 x i64> %upper to <32 x i32>
  %a = zext <32 x i32> %half to <32 x i64>
  %sum = add <32 x i64> %number, %a
  call void @amdgcn.store.64(<32 x i64> %place, i32 %live, <32 x i64> %sum)
  ret void
}

; The same number for all lanes, by words and whole.
; CHECK-LABEL: @wordsForAll(
; CHECK: mixed.plain:
; CHECK: load i32
; CHECK: load i32
; CHECK: load i64
; CHECK: mixed
define <32 x i64> @wordsForAll(i32 %live, i64 %base, i64 %other) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %other0 = insertelement <32 x i64> poison, i64 %other, i64 0
  %others = shufflevector <32 x i64> %other0, <32 x i64> poison, <32 x i32> zeroinitializer
  %number = call <32 x i64> @amdgcn.load.64(<32 x i64> %bases, i32 %live)
  %second = call <32 x i64> @amdgcn.load.64(<32 x i64> %others, i32 %live)
  %low = trunc <32 x i64> %number to <32 x i32>
  %wide = zext <32 x i32> %low to <32 x i64>
  %sum = add <32 x i64> %second, %wide
  call void @amdgcn.store.64(<32 x i64> %bases, i32 %live, <32 x i64> %sum)
  ret <32 x i64> %sum
}
