; Addresses without an order are gathered in place if several lanes take part, so that no call takes the registers. The processor decides
; whether there are gathers, which the function of the call shows; a lone lane goes there.
; RUN: %opt %machine_plugin -passes=hiplz-access-paths %s | %check

declare <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr>, i32, <32 x i1>, <32 x i32>)

define internal <32 x i32> @amdgcn.load.32(<32 x i64> %places, i32 %bits) noinline {
  %pointers = inttoptr <32 x i64> %places to <32 x ptr>
  %mask = bitcast i32 %bits to <32 x i1>
  %words = call <32 x i32> @llvm.masked.gather.v32i32.v32p0(<32 x ptr> %pointers, i32 1, <32 x i1> %mask, <32 x i32> zeroinitializer)
  ret <32 x i32> %words
}
declare <32 x i64> @amdgcn.load.64(<32 x i64>, i32)
declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)

; The first two lanes tell, if they are there.
; CHECK-LABEL: @gathers(
; CHECK: [[FIRST:%.*]] = extractelement <32 x i64> %places, i64 0
; CHECK: [[SECOND:%.*]] = extractelement <32 x i64> %places, i64 1
; CHECK: [[STEP:%.*]] = sub i64 [[SECOND]], [[FIRST]]
; CHECK: [[SAME:%.*]] = icmp eq i64 [[STEP]], 0
; CHECK: [[NEXT:%.*]] = icmp eq i64 [[STEP]], 4
; CHECK: [[ORDER:%.*]] = or i1 [[SAME]], [[NEXT]]
; CHECK: [[TWO:%.*]] = and i32 %live, 3
; CHECK: [[ABSENT:%.*]] = icmp ne i32 [[TWO]], 3
; CHECK: [[MAYBE:%.*]] = or i1 [[ORDER]], [[ABSENT]]
; CHECK: br i1 [[MAYBE]], label %ordered, label %unordered
; CHECK: unordered:
; CHECK: [[REST:%.*]] = sub i32 %live, 1
; CHECK: [[OTHERS:%.*]] = and i32 %live, [[REST]]
; CHECK: [[SEVERAL:%.*]] = icmp ne i32 [[OTHERS]], 0
; CHECK: br i1 [[SEVERAL]], label %gather, label %scattered
; CHECK: gather:
; CHECK: call <32 x i32> @llvm.masked.gather.v32i32.v32p0({{.*}}, <32 x i32> zeroinitializer)
; CHECK: scattered:
; CHECK: call <32 x i32> @amdgcn.load.32
define <32 x i32> @gathers(i32 %live, <32 x i64> %places) {
  %words = call <32 x i32> @amdgcn.load.32(<32 x i64> %places, i32 %live)
  ret <32 x i32> %words
}

; CHECK-LABEL: @withoutGathers(
; CHECK: br i1 {{.*}}, label %ordered, label %scattered
; CHECK-NOT: llvm.masked.gather
; CHECK: ret <32 x i64>
define <32 x i64> @withoutGathers(i32 %live, <32 x i64> %places) {
  %words = call <32 x i64> @amdgcn.load.64(<32 x i64> %places, i32 %live)
  ret <32 x i64> %words
}

; CHECK-LABEL: @stores(
; CHECK: br i1 {{.*}}, label %ordered, label %scattered
; CHECK-NOT: llvm.masked.gather
; CHECK: ret void
define void @stores(i32 %live, <32 x i64> %places, <32 x i32> %words) {
  call void @amdgcn.store.32(<32 x i64> %places, i32 %live, <32 x i32> %words)
  ret void
}
