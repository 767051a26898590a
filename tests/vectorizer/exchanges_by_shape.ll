; Tiles: whether two lanes of one warp are 16 rows apart depends on how long the block's rows are.
; RUN: %vectorize print-exchanges %s | %check
; RUN: %vectorize print-exchanges -apart=15,1,31,15 %s | %check --check-prefix=ROWS16
; RUN: %vectorize print-exchanges -apart=31,0,0 %s | %check --check-prefix=LINE

declare void @hiplz_cpu_barrier(ptr) convergent

; CHECK: tile: lanes in step
; ROWS16: tile: lanes on their own
; LINE: tile: lanes on their own
define void @tile(ptr %item, ptr %tile) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %column = zext i32 %x to i64
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %row = zext i32 %y to i64
  %own = getelementptr [16 x i32], ptr %tile, i64 %row, i64 %column
  store i32 %x, ptr %own
  %second = getelementptr i8, ptr %own, i64 1024
  store i32 %y, ptr %second
  ret void
}

; Transposed by quotient and remainder of the linear id of 16 x 16 threads, which the compiler adds up: x % 16 is x in rows of 16.
; CHECK: transposed: lanes in step
; ROWS16: transposed: lanes on their own
define void @transposed(ptr %item, ptr %tile) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %before = shl i32 %y, 4
  %linear = add i32 %before, %x
  %quotient = sdiv i32 %linear, 16
  %less = mul i32 %quotient, -16
  %remainder = add i32 %less, %linear
  %column = sext i32 %quotient to i64
  %row = sext i32 %remainder to i64
  %own = getelementptr [64 x i32], ptr %tile, i64 %row, i64 %column
  store i32 %x, ptr %own
  %second = getelementptr i8, ptr %own, i64 64
  store i32 %y, ptr %second
  ret void
}

; Several layers: the row behind the last one of a layer is the first one of the next.
; ROWS16: layers: lanes in step
; LINE: layers: lanes on their own
define void @layers(ptr %item, ptr %tile) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %column = zext i32 %x to i64
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %row = zext i32 %y to i64
  %zp = getelementptr i8, ptr %item, i64 36
  %z = load i32, ptr %zp
  %own = getelementptr [16 x i32], ptr %tile, i64 %row, i64 %column
  store i32 %x, ptr %own
  %second = getelementptr i8, ptr %own, i64 128
  store i32 %z, ptr %second
  ret void
}

; CHECK: neighbour: lanes in step
; ROWS16: neighbour: lanes in step
; LINE: neighbour: lanes in step
define void @neighbour(ptr %item, ptr %tile) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %column = zext i32 %x to i64
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %row = zext i32 %y to i64
  %own = getelementptr [16 x i32], ptr %tile, i64 %row, i64 %column
  store i32 %x, ptr %own
  %below = getelementptr [16 x i32], ptr %own, i64 1
  %v = load i32, ptr %below
  %far = getelementptr i8, ptr %own, i64 999936
  store i32 %v, ptr %far
  ret void
}
