; Scalar loads of machine code read what the wave begins with through its pointer.
; RUN: %opt %machine_plugin -passes=hiplz-known-addresses %s | %check

; The halves of the address are in two registers.
; CHECK-LABEL: @arguments(
; CHECK: %[[PLACE:.*]] = getelementptr i8, ptr %arguments, i64 12
; CHECK: load i32, ptr %[[PLACE]], align 4, !invariant.load
define i32 @arguments(i32 %live, ptr align 64 %arguments) {
  %address = ptrtoint ptr %arguments to i64
  %low = trunc i64 %address to i32
  %shifted = lshr i64 %address, 32
  %high = trunc i64 %shifted to i32
  %zlow = zext i32 %low to i64
  %zhigh = zext i32 %high to i64
  %up = shl i64 %zhigh, 32
  %whole = or i64 %zlow, %up
  %offset = add i64 %whole, 8
  %aligned = and i64 %offset, -4
  %next = add i64 %aligned, 4
  %place = inttoptr i64 %next to ptr
  %value = load i32, ptr %place, align 4
  ret i32 %value
}

; Cutting bits off changes an address that may have them.
; CHECK-LABEL: @unaligned(
; CHECK: inttoptr
define i32 @unaligned(i32 %live, ptr %arguments) {
  %address = ptrtoint ptr %arguments to i64
  %aligned = and i64 %address, -4
  %place = inttoptr i64 %aligned to ptr
  %value = load i32, ptr %place, align 4
  ret i32 %value
}

; A copy of the arguments is no longer than it is.
; CHECK-LABEL: @copies(
; CHECK: getelementptr i8, ptr %copy, i64 12
; CHECK: load i32, ptr %{{.*}}, align 4{{$}}
; CHECK: inttoptr
define i32 @copies(i32 %live, ptr %arguments) {
  %copy = alloca [16 x i8], align 64
  %address = ptrtoint ptr %copy to i64
  %last = add i64 %address, 12
  %lastPlace = inttoptr i64 %last to ptr
  %inside = load i32, ptr %lastPlace, align 4
  %behind = add i64 %address, 16
  %behindPlace = inttoptr i64 %behind to ptr
  %outside = load i32, ptr %behindPlace, align 4
  %sum = add i32 %inside, %outside
  ret i32 %sum
}
