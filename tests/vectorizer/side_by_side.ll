; Kernels whose lanes access neighbouring elements can be executed with the work-groups of a row side by side.
; RUN: %vectorize vectorize -rows -width=8 %s | %check

; A row of the group's own, with a guard and a value that all lanes read.
; CHECK: define internal void @warp8.row(ptr %0, ptr %1, ptr %2, i32 %3) [[YES:#[0-9]+]]
define void @row(ptr %item, ptr %in, ptr %out, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %inside = icmp slt i32 %x, %n
  br i1 %inside, label %then, label %done
then:
  %i = zext i32 %x to i64
  %first = load float, ptr %in
  %at = getelementptr float, ptr %in, i64 %i
  %value = load float, ptr %at
  %sum = fadd float %first, %value
  %to = getelementptr float, ptr %out, i64 %i
  store float %sum, ptr %to
  br label %done
done:
  ret void
}

; Columns: each lane would bring a line of its own.
; CHECK: define internal void @warp8.column(ptr %0, ptr %1, ptr %2, i32 %3) [[NO:#[0-9]+]]
define void @column(ptr %item, ptr %in, ptr %out, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %row = mul nsw i32 %x, %n
  %j = sext i32 %row to i64
  %i = zext i32 %x to i64
  %at = getelementptr float, ptr %in, i64 %i
  %value = load float, ptr %at
  %to = getelementptr float, ptr %out, i64 %j
  store float %value, ptr %to
  ret void
}

; Anywhere.
; CHECK: define internal void @warp8.gather(ptr %0, ptr %1, ptr %2) [[NO]]
define void @gather(ptr %item, ptr %in, ptr %out) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %ip = getelementptr i32, ptr %in, i64 %i
  %k = load i32, ptr %ip
  %wide = sext i32 %k to i64
  %at = getelementptr i32, ptr %out, i64 %wide
  %value = load i32, ptr %at
  store i32 %value, ptr %ip
  ret void
}

; CHECK: attributes [[YES]] = {{.*}}"hiplz-side-by-side"
; CHECK-NOT: "hiplz-side-by-side"
