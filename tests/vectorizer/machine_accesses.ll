; Numbers of 64 bits go through phis as a whole, and an access whose addresses follow from lane to lane is one load if scalars say so.
; RUN: %opt %machine_plugin -passes='hiplz-wide-phis,%instcombine' %s | %check --check-prefix=PHIS
; RUN: %opt %machine_plugin -passes=hiplz-access-paths,simplifycfg %s | %check

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)

; A loop that keeps a number in two registers.
; PHIS-LABEL: @halves(
; PHIS: phi <32 x i64>
; PHIS-NOT: phi <32 x i32>
; PHIS: fadd <32 x double>
define void @halves(i32 %live, <32 x i64> %begin, ptr %p) {
entry:
  %low0 = trunc <32 x i64> %begin to <32 x i32>
  br label %round
round:
  %low = phi <32 x i32> [ %low0, %entry ], [ %low1, %round ]
  %high = phi <32 x i32> [ zeroinitializer, %entry ], [ %high1, %round ]
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %whole = or <32 x i64> %a, %c
  %number = bitcast <32 x i64> %whole to <32 x double>
  %sum = fadd <32 x double> %number, %number
  %bits = bitcast <32 x double> %sum to <32 x i64>
  %low1 = trunc <32 x i64> %bits to <32 x i32>
  %above = lshr <32 x i64> %bits, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %high1 = trunc <32 x i64> %above to <32 x i32>
  %more = load volatile i1, ptr %p
  br i1 %more, label %round, label %done
done:
  store <32 x i32> %low1, ptr %p
  ret void
}

; The lanes follow each other unless the index begins again at 0 on the way.
; CHECK-LABEL: @neighbours(
; CHECK: [[INDEX:%.*]] = shl i32
; CHECK: [[LAST:%.*]] = add i32 [[INDEX]], 124
; CHECK: icmp uge i32 [[LAST]], [[INDEX]]
; CHECK-NOT: icmp ne <32 x
; CHECK: load <32 x i32>, ptr
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @neighbours(i32 %live, i32 %first, i64 %base) {
  %splat0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %splat = shufflevector <32 x i32> %splat0, <32 x i32> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes = shl <32 x i32> %index, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %offset = zext <32 x i32> %bytes to <32 x i64>
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %address = add <32 x i64> %bases, %offset
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %address, i32 %live)
  ret <32 x i32> %loaded
}

; One address for all lanes, which is read if any lane is active.
; CHECK-LABEL: @same(
; CHECK: icmp ne i32 {{.*}}, 0
; CHECK: load i32, ptr
; CHECK-NOT: load <32 x i32>
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @same(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %bases, i32 %live)
  ret <32 x i32> %loaded
}

; Nothing is known of the addresses, so they are compared.
; CHECK-LABEL: @others(
; CHECK: icmp ne <32 x i64>
define <32 x i32> @others(i32 %live, <32 x i64> %addresses) {
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %addresses, i32 %live)
  ret <32 x i32> %loaded
}

; One test for two accesses, and plain ones behind it. Where lanes are left out each has its own.
; CHECK-LABEL: @plainPiece(
; CHECK: icmp eq i32 %live, -1
; CHECK: br i1 {{.*}}, label %[[PLAIN:.*]], label %[[MIXED:.*]], !prof
; CHECK: [[PLAIN]]:
; CHECK: load <32 x i32>, ptr {{.*}}, align 1
; CHECK-NOT: br
; CHECK: store <32 x i32> {{.*}}, align 1
; CHECK: [[MIXED]]:
; CHECK: @llvm.masked.load.v32i32.p0
; CHECK: @llvm.masked.store.v32i32.p0
; CHECK: phi <32 x i32>
define <32 x i32> @plainPiece(i32 %live, i32 %first, i64 %base) {
  %splat0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %splat = shufflevector <32 x i32> %splat0, <32 x i32> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes = shl <32 x i32> %index, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %offset = zext <32 x i32> %bytes to <32 x i64>
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %address = add <32 x i64> %bases, %offset
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %address, i32 %live)
  %sum = add <32 x i32> %loaded, %loaded
  call void @amdgcn.store.32(<32 x i64> %address, i32 %live, <32 x i32> %sum)
  ret <32 x i32> %sum
}

; A barrier ends the piece: there are no two of it.
; CHECK-LABEL: @barrierBetween(
; CHECK: call void @barrier()
; CHECK-NOT: call void @barrier()
; CHECK: ret void
declare void @barrier() convergent
define void @barrierBetween(i32 %live, i32 %first, i64 %base) {
  %splat0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %splat = shufflevector <32 x i32> %splat0, <32 x i32> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes = shl <32 x i32> %index, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %offset = zext <32 x i32> %bytes to <32 x i64>
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %address = add <32 x i64> %bases, %offset
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %address, i32 %live)
  call void @barrier()
  call void @amdgcn.store.32(<32 x i64> %address, i32 %live, <32 x i32> %loaded)
  ret void
}

; The address of the second access is what the first one reads: nothing can be known of it in front.
; CHECK-LABEL: @chained(
; CHECK: load <32 x i32>
; CHECK: %[[READ:.*]] = phi <32 x i32>
; CHECK: extractelement <32 x i32> %[[READ]]
define <32 x i32> @chained(i32 %live, i32 %first, i64 %base) {
  %splat0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %splat = shufflevector <32 x i32> %splat0, <32 x i32> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes = shl <32 x i32> %index, <i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2, i32 2>
  %offset = zext <32 x i32> %bytes to <32 x i64>
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %address = add <32 x i64> %bases, %offset
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %address, i32 %live)
  %further = zext <32 x i32> %loaded to <32 x i64>
  %next = add <32 x i64> %bases, %further
  %last = call <32 x i32> @amdgcn.load.32(<32 x i64> %next, i32 %live)
  ret <32 x i32> %last
}

; Constant steps: each lane by itself if all take part.
; CHECK-LABEL: @steps(
; CHECK: icmp eq i32 %live, -1
; CHECK-COUNT-32: load i32, ptr {{.*}}, align 1
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @steps(i32 %live, i32 %first, i64 %base) {
  %splat0 = insertelement <32 x i32> poison, i32 %first, i64 0
  %splat = shufflevector <32 x i32> %splat0, <32 x i32> poison, <32 x i32> zeroinitializer
  %index = add <32 x i32> %splat, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %bytes = shl <32 x i32> %index, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %offset = zext <32 x i32> %bytes to <32 x i64>
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %address = add <32 x i64> %bases, %offset
  %loaded = call <32 x i32> @amdgcn.load.32(<32 x i64> %address, i32 %live)
  ret <32 x i32> %loaded
}

; A row of neighbours fetches the lines of a row that later waves will load. Stores, local memory, and what all lanes share do not.
; CHECK-LABEL: @fetchesRows(
; CHECK: [[AHEAD:%.*]] = getelementptr i8, ptr {{.*}}, i64 256
; CHECK: call void @llvm.prefetch.p0(ptr [[AHEAD]], i32 0, i32 3, i32 1)
; CHECK: [[NEXT:%.*]] = getelementptr i8, ptr {{.*}}, i64 320
; CHECK: call void @llvm.prefetch.p0(ptr [[NEXT]], i32 0, i32 3, i32 1)
; CHECK-NOT: llvm.prefetch
; CHECK: ret <32 x i32>
define <32 x i32> @fetchesRows(i32 %live, i64 %base, ptr %worker) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %local = load ptr, ptr %worker, !hiplz.local_memory !0
  %number = ptrtoint ptr %local to i64
  %local0 = insertelement <32 x i64> poison, i64 %number, i64 0
  %locals = shufflevector <32 x i64> %local0, <32 x i64> poison, <32 x i32> zeroinitializer
  %inLocal = add <32 x i64> %locals, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %b = call <32 x i32> @amdgcn.load.32(<32 x i64> %inLocal, i32 %live)
  %c = call <32 x i32> @amdgcn.load.32(<32 x i64> %bases, i32 %live)
  call void @amdgcn.store.32(<32 x i64> %row, i32 %live, <32 x i32> %a)
  %sum = add <32 x i32> %a, %b
  %all = add <32 x i32> %sum, %c
  ret <32 x i32> %all
}

!0 = !{}
