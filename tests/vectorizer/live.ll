; In the layout `table` the lanes of WarpState::live exist, and ids come from the tables behind it.
; RUN: %vectorize vectorize %s | %check

; CHECK-LABEL: define internal void @warp32.live(ptr
define void @live(ptr %item, ptr %p) {
entry:
; CHECK: [[ADDRESS:%.*]] = getelementptr inbounds i8, ptr %0, i64 44
; CHECK: [[WORD:%.*]] = load i32, ptr [[ADDRESS]]
; CHECK: %live = bitcast i32 [[WORD]] to <32 x i1>
  %xp = getelementptr inbounds i8, ptr %item, i64 28
; CHECK: [[TABLE:%.*]] = getelementptr inbounds i8, ptr %0, i64 64
; CHECK: load <32 x i32>, ptr [[TABLE]], align 128
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %a = getelementptr i32, ptr %p, i64 %i
; CHECK: call void @llvm.masked.scatter.v32i32.v32p0({{.*}}, <32 x i1> %live)
  store i32 %x, ptr %a
  ret void
}
