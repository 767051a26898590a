; Pieces of accesses where some lanes are left out have a copy of their own, and functions that do nothing but access rows say so: their
; work-groups go side by side.
; RUN: %opt %machine_plugin -passes=hiplz-access-paths,simplifycfg %s | %check --check-prefix=PIECE
; RUN: %opt %machine_plugin -passes=hiplz-access-paths %s | %check --check-prefix=ROWS

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare <32 x i64> @amdgcn.load.64(<32 x i64>, i32)
declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)
declare void @other() convergent

; The lane of the row that all lanes read needs one that is there.
; PIECE-LABEL: @maskedPiece(
; PIECE: br i1 {{.*}}, label %[[PLAIN:.*]], label %[[SOME:.*]], !prof
; PIECE: [[PLAIN]]:
; PIECE: load <32 x i32>
; PIECE-NOT: br
; PIECE: store <32 x i32>
; PIECE: [[SOME]]:
; PIECE: icmp ne i32 {{.*}}, 0
; PIECE: br i1 {{.*}}, label %[[MASKED:.*]], label %[[MIXED:.*]], !prof
; PIECE: [[MASKED]]:
; PIECE: call <32 x i32> @llvm.masked.load.v32i32
; PIECE-NOT: br
; PIECE: call <32 x i32> @llvm.masked.load.v32i32
; PIECE-NOT: br
; PIECE: call <32 x i32> @llvm.masked.load.v32i32
; PIECE-NOT: br
; PIECE: load i32
; PIECE-NOT: br
; PIECE: call void @llvm.masked.store.v32i32
; PIECE: [[MIXED]]:
; PIECE: call <32 x i32> @amdgcn.load.32
; ROWS: define {{.*}} @maskedPiece({{.*}}) [[ROWS:#[0-9]+]] {
define <32 x i32> @maskedPiece(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %b = call <32 x i64> @amdgcn.load.64(<32 x i64> %row, i32 %live)
  %c = call <32 x i32> @amdgcn.load.32(<32 x i64> %bases, i32 %live)
  %low = trunc <32 x i64> %b to <32 x i32>
  %sum = add <32 x i32> %a, %low
  %all = add <32 x i32> %sum, %c
  call void @amdgcn.store.32(<32 x i64> %row, i32 %live, <32 x i32> %all)
  ret <32 x i32> %all
}

; Steps go lane by lane, which needs all of them.
; PIECE-LABEL: @stepsInPiece(
; PIECE: mixed.plain:
; PIECE-NOT: mixed.masked:
; PIECE: ret
; ROWS: define {{.*}} @stepsInPiece({{.*}}) [[ROWS]] {
define <32 x i32> @stepsInPiece(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %steps = add <32 x i64> %bases, <i64 0, i64 16, i64 32, i64 48, i64 64, i64 80, i64 96, i64 112, i64 128, i64 144, i64 160, i64 176, i64 192, i64 208, i64 224, i64 240, i64 256, i64 272, i64 288, i64 304, i64 320, i64 336, i64 352, i64 368, i64 384, i64 400, i64 416, i64 432, i64 448, i64 464, i64 480, i64 496>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %b = call <32 x i32> @amdgcn.load.32(<32 x i64> %steps, i32 %live)
  %sum = add <32 x i32> %a, %b
  ret <32 x i32> %sum
}

; All lanes store at one address, of which the last one that is there stays.
; PIECE-LABEL: @oneAddressInPiece(
; PIECE: mixed.plain:
; PIECE-NOT: mixed.masked:
; PIECE: ret
; ROWS: define {{.*}} @oneAddressInPiece({{.*}}) [[ROWS]] {
define void @oneAddressInPiece(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  call void @amdgcn.store.32(<32 x i64> %bases, i32 %live, <32 x i32> %a)
  ret void
}

; Steps of more than 16 bytes.
; ROWS: define {{.*}} @farSteps({{[^)]*}}) {
define void @farSteps(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 20, i64 40, i64 60, i64 80, i64 100, i64 120, i64 140, i64 160, i64 180, i64 200, i64 220, i64 240, i64 260, i64 280, i64 300, i64 320, i64 340, i64 360, i64 380, i64 400, i64 420, i64 440, i64 460, i64 480, i64 500, i64 520, i64 540, i64 560, i64 580, i64 600, i64 620>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  ret void
}

; Steps of all sizes.
; ROWS: define {{.*}} @oddSteps({{[^)]*}}) {
define void @oddSteps(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 1, i64 4, i64 9, i64 16, i64 25, i64 36, i64 49, i64 64, i64 81, i64 100, i64 121, i64 144, i64 169, i64 196, i64 225, i64 256, i64 289, i64 324, i64 361, i64 400, i64 441, i64 484, i64 529, i64 576, i64 625, i64 676, i64 729, i64 784, i64 841, i64 900, i64 961>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  ret void
}

; Any addresses.
; ROWS: define {{.*}} @anyAddresses({{[^)]*}}) {
define void @anyAddresses(i32 %live, i64 %base, <32 x i64> %row) {
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %other = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %b = call <32 x i32> @amdgcn.load.32(<32 x i64> %other, i32 %live)
  ret void
}

; A loop, which may wait.
; ROWS: define {{.*}} @loops({{[^)]*}}) {
define void @loops(i32 %live, i64 %base) {
  br label %round
round:
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %bits = extractelement <32 x i32> %a, i64 0
  %more = icmp ne i32 %bits, 0
  br i1 %more, label %round, label %done
done:
  ret void
}

; An atomic operation.
; ROWS: define {{.*}} @atomics({{[^)]*}}) {
define void @atomics(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %p = inttoptr i64 %base to ptr
  %old = atomicrmw add ptr %p, i32 1 acq_rel
  ret void
}

; Local memory, which work-groups have by turns.
; ROWS: define {{.*}} @localMemory({{[^)]*}}) {
define void @localMemory(i32 %live, i64 %base, ptr %worker) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  %p = load ptr, ptr %worker, !hiplz.local_memory !0
  store i32 1, ptr %p
  ret void
}

; Something else, a barrier for example.
; ROWS: define {{.*}} @calls({{[^)]*}}) {
define void @calls(i32 %live, i64 %base) {
  %base0 = insertelement <32 x i64> poison, i64 %base, i64 0
  %bases = shufflevector <32 x i64> %base0, <32 x i64> poison, <32 x i32> zeroinitializer
  %row = add <32 x i64> %bases, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  %a = call <32 x i32> @amdgcn.load.32(<32 x i64> %row, i32 %live)
  call void @other()
  ret void
}

; No access at all.
; ROWS: define {{.*}} @nothing({{[^)]*}}) {
define void @nothing(i32 %live, i64 %base) {
  ret void
}

; ROWS: attributes [[ROWS]] = { "rows-only" }

!0 = !{}
