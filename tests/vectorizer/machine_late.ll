; Loads of blocks with many of them stand where they are used, and addresses beside the calls that need them.
; RUN: %opt %machine_plugin -passes=hiplz-late-loads %s | %check --check-prefix=LOADS
; RUN: %opt %machine_plugin -passes=hiplz-late-addresses %s | %check --check-prefix=PLACES

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare <16 x i32> @llvm.masked.load.v16i32.p0(ptr, i32, <16 x i1>, <16 x i32>)
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)

; The places stay in front.
; LOADS-LABEL: @manyLoads(
; LOADS: %word0 = load <16 x i32>
; LOADS-NEXT: %sum0 = add
; LOADS-NEXT: %word1 = load <16 x i32>
; LOADS-NEXT: %sum1 = add
define <16 x i32> @manyLoads(i32 %live, ptr %p) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %at12 = getelementptr i8, ptr %p, i64 768
  %word12 = load <16 x i32>, ptr %at12, align 1
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %word3
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  %sum12 = add <16 x i32> %sum11, %word12
  ret <16 x i32> %sum12
}

; They have registers.
; LOADS-LABEL: @fewLoads(
; LOADS: %word0 = load <16 x i32>
; LOADS-NOT: %sum0
; LOADS: %word11 = load <16 x i32>
define <16 x i32> @fewLoads(i32 %live, ptr %p) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %word3
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  ret <16 x i32> %sum11
}

; The store may be to the same place.
; LOADS-LABEL: @storeBetween(
; LOADS: %word0 = load <16 x i32>
; LOADS-NOT: %sum0
; LOADS: %word12 = load <16 x i32>
; LOADS: store
; LOADS: %sum0
define <16 x i32> @storeBetween(i32 %live, ptr %p, ptr %q, <16 x i32> %other) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %at12 = getelementptr i8, ptr %p, i64 768
  %word12 = load <16 x i32>, ptr %at12, align 1
  store <16 x i32> %other, ptr %q
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %word3
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  %sum12 = add <16 x i32> %sum11, %word12
  ret <16 x i32> %sum12
}

; Words that are used in front of a store come late, the others stay.
; LOADS-LABEL: @storeBehindSome(
; LOADS: %word2 = load <16 x i32>
; LOADS: %word12 = load <16 x i32>
; LOADS: %word0 = load <16 x i32>
; LOADS-NEXT: %sum0 = add
; LOADS-NEXT: %word1 = load <16 x i32>
; LOADS-NEXT: %sum1 = add
; LOADS-NEXT: store
define <16 x i32> @storeBehindSome(i32 %live, ptr %p, ptr %q, <16 x i32> %other) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %at12 = getelementptr i8, ptr %p, i64 768
  %word12 = load <16 x i32>, ptr %at12, align 1
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  store <16 x i32> %other, ptr %q
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %word3
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  %sum12 = add <16 x i32> %sum11, %word12
  ret <16 x i32> %sum12
}

; A prefetch writes nothing.
; LOADS-LABEL: @prefetchBetween(
; LOADS: call void @llvm.prefetch
; LOADS-NEXT: %word0 = load <16 x i32>
; LOADS-NEXT: %sum0 = add
; LOADS-NEXT: %word1 = load <16 x i32>
; LOADS-NEXT: %sum1 = add
define <16 x i32> @prefetchBetween(i32 %live, ptr %p) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %at12 = getelementptr i8, ptr %p, i64 768
  %word12 = load <16 x i32>, ptr %at12, align 1
  call void @llvm.prefetch.p0(ptr %p, i32 0, i32 3, i32 1)
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %word3
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  %sum12 = add <16 x i32> %sum11, %word12
  ret <16 x i32> %sum12
}

; A volatile load stays in front, and so does what comes before it.
; LOADS-LABEL: @volatileLoad(
; LOADS: %word0 = load <16 x i32>
; LOADS: %word1 = load volatile
; LOADS: %sum0 = add
; LOADS: %sum1 = add
; LOADS-NEXT: %word2 = load <16 x i32>
define <16 x i32> @volatileLoad(i32 %live, ptr %p) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load volatile <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %at12 = getelementptr i8, ptr %p, i64 768
  %word12 = load <16 x i32>, ptr %at12, align 1
  %at13 = getelementptr i8, ptr %p, i64 832
  %word13 = load <16 x i32>, ptr %at13, align 1
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %word3
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  %sum12 = add <16 x i32> %sum11, %word12
  %sum13 = add <16 x i32> %sum12, %word13
  ret <16 x i32> %sum13
}

; A shuffle of the words of a load goes with it, and a masked load is one.
; LOADS-LABEL: @ordered(
; LOADS: %sum2 = add
; LOADS-NEXT: %word3 = load <16 x i32>
; LOADS-NEXT: %turned = shufflevector
; LOADS-NEXT: %sum3 = add
; LOADS: %masked = call <16 x i32> @llvm.masked.load
; LOADS-NEXT: %m = xor
define <16 x i32> @ordered(i32 %live, ptr %p, <16 x i1> %mask) {
  %at0 = getelementptr i8, ptr %p, i64 0
  %word0 = load <16 x i32>, ptr %at0, align 1
  %at1 = getelementptr i8, ptr %p, i64 64
  %word1 = load <16 x i32>, ptr %at1, align 1
  %at2 = getelementptr i8, ptr %p, i64 128
  %word2 = load <16 x i32>, ptr %at2, align 1
  %at3 = getelementptr i8, ptr %p, i64 192
  %word3 = load <16 x i32>, ptr %at3, align 1
  %at4 = getelementptr i8, ptr %p, i64 256
  %word4 = load <16 x i32>, ptr %at4, align 1
  %at5 = getelementptr i8, ptr %p, i64 320
  %word5 = load <16 x i32>, ptr %at5, align 1
  %at6 = getelementptr i8, ptr %p, i64 384
  %word6 = load <16 x i32>, ptr %at6, align 1
  %at7 = getelementptr i8, ptr %p, i64 448
  %word7 = load <16 x i32>, ptr %at7, align 1
  %at8 = getelementptr i8, ptr %p, i64 512
  %word8 = load <16 x i32>, ptr %at8, align 1
  %at9 = getelementptr i8, ptr %p, i64 576
  %word9 = load <16 x i32>, ptr %at9, align 1
  %at10 = getelementptr i8, ptr %p, i64 640
  %word10 = load <16 x i32>, ptr %at10, align 1
  %at11 = getelementptr i8, ptr %p, i64 704
  %word11 = load <16 x i32>, ptr %at11, align 1
  %at12 = getelementptr i8, ptr %p, i64 768
  %word12 = load <16 x i32>, ptr %at12, align 1
  %turned = shufflevector <16 x i32> %word3, <16 x i32> poison, <16 x i32> <i32 15, i32 14, i32 13, i32 12, i32 11, i32 10, i32 9, i32 8, i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %atM = getelementptr i8, ptr %p, i64 4096
  %masked = call <16 x i32> @llvm.masked.load.v16i32.p0(ptr %atM, i32 1, <16 x i1> %mask, <16 x i32> zeroinitializer)
  %sum0 = add <16 x i32> %word0, %word0
  %sum1 = add <16 x i32> %sum0, %word1
  %sum2 = add <16 x i32> %sum1, %word2
  %sum3 = add <16 x i32> %sum2, %turned
  %m = xor <16 x i32> %masked, %masked
  %sum4 = add <16 x i32> %sum3, %word4
  %sum5 = add <16 x i32> %sum4, %word5
  %sum6 = add <16 x i32> %sum5, %word6
  %sum7 = add <16 x i32> %sum6, %word7
  %sum8 = add <16 x i32> %sum7, %word8
  %sum9 = add <16 x i32> %sum8, %word9
  %sum10 = add <16 x i32> %sum9, %word10
  %sum11 = add <16 x i32> %sum10, %word11
  %sum12 = add <16 x i32> %sum11, %word12
  ret <16 x i32> %sum12
}

; The vector is needed in the call alone. Phis and scalars stay.
; PLACES-LABEL: @inColdBlock(
; PLACES: entry:
; PLACES-NOT: zext <32 x i32>
; PLACES: cold:
; PLACES: zext <32 x i32>
; PLACES: add <32 x i64>
; PLACES: call <32 x i32> @amdgcn.load.32
define <32 x i32> @inColdBlock(i32 %live, i64 %base, <32 x i32> %offsets, i1 %isCold) {
entry:
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %wide = zext <32 x i32> %offsets to <32 x i64>
  %places = add <32 x i64> %bases, %wide
  br i1 %isCold, label %cold, label %done
cold:
  %words = call <32 x i32> @amdgcn.load.32(<32 x i64> %places, i32 %live)
  br label %done
done:
  %result = phi <32 x i32> [ zeroinitializer, %entry ], [ %words, %cold ]
  ret <32 x i32> %result
}

; A load is not copied.
; PLACES-LABEL: @loadedPlaces(
; PLACES: entry:
; PLACES: load <32 x i64>
; PLACES: cold:
; PLACES-NOT: load <32 x i64>
; PLACES: add <32 x i64>
; PLACES: call <32 x i32> @amdgcn.load.32
define <32 x i32> @loadedPlaces(i32 %live, ptr %p, i1 %isCold) {
entry:
  %loaded = load <32 x i64>, ptr %p
  %places = add <32 x i64> %loaded, <i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4>
  br i1 %isCold, label %cold, label %done
cold:
  %words = call <32 x i32> @amdgcn.load.32(<32 x i64> %places, i32 %live)
  br label %done
done:
  %result = phi <32 x i32> [ zeroinitializer, %entry ], [ %words, %cold ]
  ret <32 x i32> %result
}

; The constant of an address is added where the word is loaded; another index is kept.
; PLACES-LABEL: @constantPlace(
; PLACES: entry:
; PLACES-NEXT: getelementptr i8, ptr %p, i64 %index
; PLACES-NEXT: br i1
; PLACES: more:
; PLACES-NEXT: getelementptr i8, ptr %p, i64 24
; PLACES-NEXT: load i32
; PLACES-NEXT: load i32
define i32 @constantPlace(i32 %live, ptr %p, i64 %index, i1 %goesOn) {
entry:
  %place = getelementptr i8, ptr %p, i64 24
  %other = getelementptr i8, ptr %p, i64 %index
  br i1 %goesOn, label %more, label %done
more:
  %a = load i32, ptr %place
  %b = load i32, ptr %other
  %sum = add i32 %a, %b
  br label %done
done:
  %result = phi i32 [ 0, %entry ], [ %sum, %more ]
  ret i32 %result
}
