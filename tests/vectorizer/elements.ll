; An element beyond the last is the last, as in scalar code.
; RUN: %vectorize canonicalize %s | FileCheck %s

define void @beyond(ptr %item, ptr %data, i32 %i) {
  %all = load <3 x i64>, ptr %data
  %one = extractelement <3 x i64> %all, i32 %i
  store i64 %one, ptr %data
  ret void
}
; CHECK-LABEL: @beyond(
; CHECK: %[[I:.*]] = call i32 @llvm.umin.i32(i32 %i, i32 2)
; CHECK: icmp eq i32 %[[I]], {{0|1}}
