; Masked accesses of the first 1, 2, 4 ... lanes are plain accesses of that many.
; RUN: %vectorize narrow-masks %s | %check

declare <8 x float> @llvm.masked.load.v8f32.p0(ptr, i32, <8 x i1>, <8 x float>)
declare void @llvm.masked.store.v8f32.p0(<8 x float>, ptr, i32, <8 x i1>)

; CHECK-LABEL: define void @four(
; CHECK: %[[LOADED:.*]] = load <4 x float>, ptr %p, align 4
; CHECK: %[[WIDE:.*]] = shufflevector <4 x float> %[[LOADED]], <4 x float> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 {{undef|poison}}, i32 {{undef|poison}}, i32 {{undef|poison}}, i32 {{undef|poison}}>
; CHECK: %[[STORED:.*]] = shufflevector <8 x float> %[[WIDE]], <8 x float> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
; CHECK: store <4 x float> %[[STORED]], ptr %q, align 4
define void @four(ptr %p, ptr %q) {
  %v = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %p, i32 4, <8 x i1> <i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>, <8 x float> poison)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr %q, i32 4, <8 x i1> <i1 1, i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0>)
  ret void
}

; One lane; the others have what they would have without the load.
; CHECK-LABEL: define void @one(
; CHECK: %[[LOADED:.*]] = load float, ptr %p, align 4
; CHECK: %[[WIDE:.*]] = insertelement <8 x float> %others, float %[[LOADED]], i64 0
; CHECK: %[[STORED:.*]] = extractelement <8 x float> %[[WIDE]], i64 0
; CHECK: store float %[[STORED]], ptr %q, align 4
define void @one(ptr %p, ptr %q, <8 x float> %others) {
  %v = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %p, i32 4, <8 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>, <8 x float> %others)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr %q, i32 4, <8 x i1> <i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>)
  ret void
}

; CHECK-LABEL: define void @others(
; CHECK: shufflevector <8 x float> %{{.*}}, <8 x float> %others, <8 x i32> <i32 0, i32 1, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
define void @others(ptr %p, ptr %q, <8 x float> %others) {
  %v = call <8 x float> @llvm.masked.load.v8f32.p0(ptr %p, i32 4, <8 x i1> <i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0, i1 0>, <8 x float> %others)
  store <8 x float> %v, ptr %q
  ret void
}

; Three lanes, lanes that are not the first, and masks that are not known stay as they are.
; CHECK-LABEL: define void @remain(
; CHECK-COUNT-3: call void @llvm.masked.store
; CHECK-NOT: store <
; CHECK: ret void
define void @remain(ptr %p, <8 x float> %v, <8 x i1> %m) {
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr %p, i32 4, <8 x i1> <i1 1, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0>)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr %p, i32 4, <8 x i1> <i1 0, i1 1, i1 1, i1 0, i1 0, i1 0, i1 0, i1 0>)
  call void @llvm.masked.store.v8f32.p0(<8 x float> %v, ptr %p, i32 4, <8 x i1> %m)
  ret void
}
