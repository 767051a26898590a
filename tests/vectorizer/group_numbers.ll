; Numbers of work-groups have all of their 32 bits. In warps of several groups they ascend by one, and the caller sees to it that no warp
; has numbers on both sides of 2^31.
; RUN: %vectorize vectorize -layout=singles -width=8 %s | %check

; CHECK-LABEL: define internal void @warp8.large(
; CHECK: icmp slt <8 x i32>
; CHECK: call void @llvm.masked.store
define void @large(ptr %item, ptr %p) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %g = load i32, ptr %gp
  %c = icmp ugt i32 %g, 2147483647
  br i1 %c, label %then, label %join
then:
  %i = sext i32 %g to i64
  %a = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %a
  br label %join
join:
  ret void
}
