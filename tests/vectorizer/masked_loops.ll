; Accesses of whole warps under masks become loops over the lanes that are on, where the processor has no instruction for them.
; RUN: %vectorize masked-loops %s | %check

declare <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr>, i32, <32 x i1>, <32 x i32>)
declare void @llvm.masked.scatter.v32i64.v32p0(<32 x i64>, <32 x ptr>, i32, <32 x i1>)
declare <32 x i8> @llvm.masked.load.v32i8.p0(ptr, i32, <32 x i1>, <32 x i8>)
declare void @llvm.masked.store.v32i32.p0(<32 x i32>, ptr, i32, <32 x i1>)
declare void @llvm.masked.store.v8i32.p0(<8 x i32>, ptr, i32, <8 x i1>)

; Lanes that are off keep what the call has for them.
; CHECK-LABEL: define void @gathered(
; CHECK: %[[BITS:.*]] = bitcast <32 x i1> %mask to i32
; CHECK: store <32 x ptr> %from, ptr %[[ADDRESSES:.*]], align 64
; CHECK: store <32 x i32> %others, ptr %[[VALUES:.*]], align 64
; CHECK: %[[NONE:.*]] = icmp eq i32 %[[BITS]], 0
; CHECK: br i1 %[[NONE]], label %[[AFTER:.*]], label %[[LANES:.*]]
; CHECK: [[LANES]]:
; CHECK: %[[LEFT:.*]] = phi i32 [ %[[BITS]], %{{.*}} ], [ %[[NEXT:.*]], %[[LANES]] ]
; CHECK: call i32 @llvm.cttz.i32(i32 %[[LEFT]], i1 true)
; CHECK: %[[NEXT]] = and i32 %[[LEFT]], %{{.*}}
; CHECK: %[[ADDRESS:.*]] = load ptr, ptr %{{.*}}
; CHECK: %[[VALUE:.*]] = load i32, ptr %[[ADDRESS]], align 4
; CHECK: store i32 %[[VALUE]], ptr %{{.*}}, align 4
; CHECK: [[AFTER]]:
; CHECK: %[[RESULT:.*]] = load <32 x i32>, ptr %[[VALUES]], align 64
; CHECK: store <32 x i32> %[[RESULT]], ptr %to
define void @gathered(ptr %to, <32 x ptr> %from, <32 x i1> %mask, <32 x i32> %others) {
  %v = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> %from, i32 4, <32 x i1> %mask, <32 x i32> %others)
  store <32 x i32> %v, ptr %to
  ret void
}

; CHECK-LABEL: define void @scattered(
; CHECK: store <32 x i64> %values, ptr %[[VALUES:.*]], align 64
; CHECK: %[[VALUE:.*]] = load i64, ptr %{{.*}}, align 8
; CHECK: store i64 %[[VALUE]], ptr %{{.*}}, align 4
; CHECK-NOT: llvm.masked
define void @scattered(ptr %unused, <32 x ptr> %to, <32 x i64> %values, <32 x i1> %mask) {
  call void @llvm.masked.scatter.v32i64.v32p0(<32 x i64> %values, <32 x ptr> %to, i32 4, <32 x i1> %mask)
  ret void
}

; With all lanes on, accesses side by side are one. Single items are less aligned than all of them are.
; CHECK-LABEL: define void @contiguous(
; CHECK: %[[OFF:.*]] = xor i32 %{{.*}}, -1
; CHECK: %[[FULL:.*]] = icmp eq i32 %[[OFF]], 0
; CHECK: br i1 %[[FULL]]
; CHECK: %[[WHOLE:.*]] = load <32 x i8>, ptr %from, align 32
; CHECK: load i8, ptr %{{.*}}, align 1
; CHECK: %[[SOME:.*]] = load <32 x i8>, ptr %{{.*}}, align 64
; CHECK: phi <32 x i8> [ %[[WHOLE]], %{{.*}} ], [ %[[SOME]], %{{.*}} ]
; CHECK: store <32 x i32> %{{.*}}, ptr %to, align 16
; CHECK: store i32 %{{.*}}, ptr %{{.*}}, align 4
; CHECK-NOT: llvm.masked
define void @contiguous(ptr %to, ptr %from, <32 x i1> %mask) {
  %v = call <32 x i8> @llvm.masked.load.v32i8.p0(ptr %from, i32 32, <32 x i1> %mask, <32 x i8> poison)
  %w = zext <32 x i8> %v to <32 x i32>
  call void @llvm.masked.store.v32i32.p0(<32 x i32> %w, ptr %to, i32 16, <32 x i1> %mask)
  ret void
}

; One access uses what another has given.
; CHECK-LABEL: define void @chained(
; CHECK: %[[FIRST:.*]] = load <32 x i32>, ptr %[[VALUES:.*]], align 64
; CHECK: store <32 x i32> %[[FIRST]], ptr %[[VALUES]], align 64
; CHECK: %[[SECOND:.*]] = load <32 x i32>, ptr %[[VALUES]], align 64
; CHECK: store <32 x i32> %[[SECOND]], ptr %to
; CHECK-NOT: llvm.masked
define void @chained(ptr %to, <32 x ptr> %from, <32 x i1> %mask, <32 x i1> %others) {
  %v = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> %from, i32 4, <32 x i1> %mask, <32 x i32> poison)
  %w = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> %from, i32 4, <32 x i1> %others, <32 x i32> %v)
  store <32 x i32> %w, ptr %to
  ret void
}

; Code for each of a few lanes is short, and for masks that are known it has no branches.
; CHECK-LABEL: define void @remain(
; CHECK: call void @llvm.masked.store.v8i32
; CHECK: call void @llvm.masked.store.v32i32
define void @remain(ptr %to, <8 x i1> %mask, <8 x i32> %few, <32 x i32> %many) {
  call void @llvm.masked.store.v8i32.p0(<8 x i32> %few, ptr %to, i32 4, <8 x i1> %mask)
  call void @llvm.masked.store.v32i32.p0(<32 x i32> %many, ptr %to, i32 4, <32 x i1> <i1 1, i1 0, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1, i1 1>)
  ret void
}
