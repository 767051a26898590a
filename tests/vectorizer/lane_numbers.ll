; The low bits of ids are those of the lane's number, which is known while compiling, and so is whom a shuffle reads.
; RUN: %vectorize vectorize -layout=line %s | %check
; RUN: %vectorize vectorize -layout=table %s | %check --check-prefix=TABLE

declare i64 @hiplz_cpu_collective(ptr, i32, i32, i64, i64) convergent

; __shfl_down(value, 16) as the device library has it.
; CHECK-LABEL: define internal void @warp32.down(
; CHECK-NOT: gather
; CHECK: shufflevector <32 x i32>
; TABLE-LABEL: define internal void @warp32.down(
; TABLE: shufflevector <32 x i32>
define void @down(ptr %item, ptr %data) {
  %lp = getelementptr i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %lane = and i32 %linear, 31
  %inside = icmp ult i32 %lane, 16
  %above = add i32 %linear, 16
  %next = and i32 %above, 31
  %from = select i1 %inside, i32 %next, i32 %lane
  %index = zext i32 %from to i64
  %i = zext i32 %linear to i64
  %place = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %place
  %wide = zext i32 %v to i64
  %read = call i64 @hiplz_cpu_collective(ptr %item, i32 0, i32 393222, i64 %wide, i64 %index)
  %r = trunc i64 %read to i32
  store i32 %r, ptr %place
  ret void
}

; Bits above the lane's are not known.
; CHECK-LABEL: define internal void @warp32.wide(
; CHECK: and <32 x i32> {{.*}}, {{<|splat \(}}i32 63
define void @wide(ptr %item, ptr %data) {
  %lp = getelementptr i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %above = add i32 %linear, 16
  %next = and i32 %above, 63
  %i = zext i32 %next to i64
  %place = getelementptr i32, ptr %data, i64 %i
  store i32 %linear, ptr %place
  ret void
}
