; Functions that stay calls. Lanes go through them one after the other, so those in which they may exchange values are declined.
; RUN: %vectorize print-traits %s | %check

; CHECK: exchanges: {{.*}} refusal 'lanes of a warp may exchange values in a function that is not inlined'
define void @exchanges(ptr %item, ptr %data) {
  %r = call i32 @across(ptr %item, ptr %data, ptr %data, i32 3)
  ret void
}
; Two parameters may be pointers to the same memory.
define i32 @across(ptr %item, ptr %to, ptr %from, i32 %n) {
  %v = load i32, ptr %from
  store i32 %v, ptr %to
  %less = sub i32 %n, 1
  %more = icmp ne i32 %less, 0
  br i1 %more, label %again, label %done
again:
  %w = call i32 @across(ptr %item, ptr %from, ptr %to, i32 %less)
  br label %done
done:
  ret i32 %v
}

; CHECK: one_access: {{.*}} whole warps 1, wide 0, columns 0, rows 0, refusal ''
define void @one_access(ptr %item, ptr %data) {
  %r = call i32 @put(ptr %item, ptr %data, i32 3)
  %v = load i32, ptr %data
  ret void
}
define i32 @put(ptr %item, ptr %to, i32 %n) {
  store i32 %n, ptr %to
  ret i32 %n
}

; Nothing that others see, also by way of other functions.
; CHECK: numbers: {{.*}} whole warps 0, wide 0, columns 0, rows 0, refusal ''
define void @numbers(ptr %item, ptr %data) {
  %mine = alloca i32
  %r = call i32 @count(ptr %item, ptr %mine, i32 3)
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %own
  store i32 %r, ptr %own
  ret void
}
define i32 @count(ptr %item, ptr "hiplz-private" %total, i32 %n) {
  %v = load i32, ptr %total
  %sum = add i32 %v, %n
  store i32 %sum, ptr %total
  %more = icmp ne i32 %n, 0
  br i1 %more, label %again, label %done
again:
  %less = sub i32 %n, 1
  %w = call i32 @count(ptr %item, ptr %total, i32 %less)
  br label %done
done:
  ret i32 %sum
}

; Through a pointer it may be any of those whose address is known.
; CHECK: through_pointer: {{.*}} refusal 'lanes of a warp may exchange values in a function that is not inlined'
define void @through_pointer(ptr %item, ptr %data, ptr %function) {
  %r = call i32 %function(ptr %item, ptr %data)
  ret void
}
@table = global ptr @update
define i32 @update(ptr %item, ptr %data) {
  %v = load i32, ptr %data
  %w = add i32 %v, 1
  store i32 %w, ptr %data
  ret i32 %v
}

; The function reads the row of the block, so the kernel's words are those of several lanes.
; CHECK: rows: {{.*}} whole warps 1, wide 0, columns 0, rows 0, refusal ''
define void @rows(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %data, i64 %i
  %y = call i32 @row(ptr %item)
  store i32 %y, ptr %own
  %v = load i32, ptr %own
  ret void
}
define i32 @row(ptr %item) {
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  ret i32 %y
}
