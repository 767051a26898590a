; Kernels whose loops walk along a row of memory for each work-item are faster one work-item after the other; those with words side by
; side, with calls, arithmetic or private arrays are not.
; RUN: %vectorize print-traits %s | %check

declare float @expf(float)

; CHECK: sparse: {{.*}} rows 1, refusal ''
define void @sparse(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %bp = getelementptr i32, ptr %begin, i64 %x
  %b = load i32, ptr %bp
  %first = sext i32 %b to i64
  %ep = getelementptr i32, ptr %bp, i64 1
  %e = load i32, ptr %ep
  %last = sext i32 %e to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %cp = getelementptr i32, ptr %q, i64 %k
  %c = load i32, ptr %cp
  %c64 = sext i32 %c to i64
  %gp = getelementptr float, ptr %out, i64 %c64
  %g = load float, ptr %gp
  %m = fmul float %v, %g
  %total = fadd float %sum, %m
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: rows_of_16: {{.*}} rows 1, refusal ''
define void @rows_of_16(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %first = mul nsw i64 %x, 16
  %last = add nsw i64 %first, 16
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %cp = getelementptr i32, ptr %q, i64 %k
  %c = load i32, ptr %cp
  %c64 = sext i32 %c to i64
  %gp = getelementptr float, ptr %out, i64 %c64
  %g = load float, ptr %gp
  %m = fmul float %v, %g
  %total = fadd float %sum, %m
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: rows_of_2: {{.*}} rows 0, refusal ''
define void @rows_of_2(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %first = mul nsw i64 %x, 2
  %last = add nsw i64 %first, 2
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %total = fadd float %sum, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: rows_of_n: {{.*}} rows 1, refusal ''
define void @rows_of_n(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %first = mul nsw i64 %x, %n
  %last = add nsw i64 %first, %n
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %total = fadd float %sum, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: columns: {{.*}} rows 0, refusal ''
define void @columns(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %first = add i64 0, 0
  %last = add i64 %n, 0
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %row = mul nsw i64 %k, %n
  %at = add nsw i64 %row, %x
  %vp = getelementptr float, ptr %p, i64 %at
  %v = load float, ptr %vp
  %total = fadd float %sum, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: word_for_all: {{.*}} rows 1, refusal ''
define void @word_for_all(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %first = mul nsw i64 %x, 64
  %last = add nsw i64 %first, 64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %r = sub i64 %k, %first
  %wp = getelementptr float, ptr %q, i64 %r
  %w = load float, ptr %wp
  %total = fadd float %w, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: arithmetic: {{.*}} rows 0, refusal ''
define void @arithmetic(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %bp = getelementptr i32, ptr %begin, i64 %x
  %b = load i32, ptr %bp
  %first = sext i32 %b to i64
  %ep = getelementptr i32, ptr %bp, i64 1
  %e = load i32, ptr %ep
  %last = sext i32 %e to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %a1 = fmul float %v, %v
  %a2 = fmul float %a1, %v
  %a3 = fmul float %a2, %v
  %total = fadd float %sum, %a3
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: mathematics: {{.*}} rows 0, refusal ''
define void @mathematics(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %bp = getelementptr i32, ptr %begin, i64 %x
  %b = load i32, ptr %bp
  %first = sext i32 %b to i64
  %ep = getelementptr i32, ptr %bp, i64 1
  %e = load i32, ptr %ep
  %last = sext i32 %e to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %p, i64 %k
  %v = load float, ptr %vp
  %m = call float @expf(float %v)
  %total = fadd float %sum, %m
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: private_array: {{.*}} rows 0, refusal ''
define void @private_array(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %array = alloca [64 x float]
  %first = and i64 %x, 31
  %last = add i64 %n, 0
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %vp = getelementptr float, ptr %array, i64 %k
  %v = load float, ptr %vp
  %total = fadd float %sum, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: pages: {{.*}} rows 0, refusal ''
define void @pages(ptr %item, ptr %begin, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %bp = getelementptr i32, ptr %begin, i64 %x
  %b = load i32, ptr %bp
  %first = sext i32 %b to i64
  %ep = getelementptr i32, ptr %bp, i64 1
  %e = load i32, ptr %ep
  %last = sext i32 %e to i64
  br label %loop
loop:
  %k = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %total, %loop ]
  %at = mul nsw i64 %k, 1024
  %vp = getelementptr float, ptr %p, i64 %at
  %v = load float, ptr %vp
  %total = fadd float %sum, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %last
  br i1 %end, label %exit, label %loop
exit:
  %place = getelementptr float, ptr %out, i64 %x
  store float %total, ptr %place
  ret void
}

; CHECK: structure_of_6: {{.*}} rows 1, refusal ''
define void @structure_of_6(ptr %item, ptr %p) {
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %s = getelementptr [6 x i32], ptr %p, i64 %x
  %p0 = getelementptr i32, ptr %s, i64 0
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %s, i64 1
  %v1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr %s, i64 2
  %v2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %s, i64 3
  %v3 = load i32, ptr %p3
  %p4 = getelementptr i32, ptr %s, i64 4
  %v4 = load i32, ptr %p4
  %p5 = getelementptr i32, ptr %s, i64 5
  %v5 = load i32, ptr %p5
  store i32 %v1, ptr %p0
  store i32 %v2, ptr %p1
  store i32 %v3, ptr %p2
  store i32 %v4, ptr %p3
  store i32 %v5, ptr %p4
  store i32 %v0, ptr %p5
  ret void
}

; CHECK: structure_of_4: {{.*}} rows 0, refusal ''
define void @structure_of_4(ptr %item, ptr %p) {
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %s = getelementptr [4 x i32], ptr %p, i64 %x
  %p0 = getelementptr i32, ptr %s, i64 0
  %v0 = load i32, ptr %p0
  %p1 = getelementptr i32, ptr %s, i64 1
  %v1 = load i32, ptr %p1
  %p2 = getelementptr i32, ptr %s, i64 2
  %v2 = load i32, ptr %p2
  %p3 = getelementptr i32, ptr %s, i64 3
  %v3 = load i32, ptr %p3
  store i32 %v1, ptr %p0
  store i32 %v2, ptr %p1
  store i32 %v3, ptr %p2
  store i32 %v0, ptr %p3
  ret void
}

; CHECK: one_word_of_16: {{.*}} rows 0, refusal ''
define void @one_word_of_16(ptr %item, ptr %p) {
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %s = getelementptr [16 x i32], ptr %p, i64 %x
  %p0 = getelementptr i32, ptr %s, i64 0
  %v0 = load i32, ptr %p0
  store i32 %v0, ptr %p0
  ret void
}

; A row that is walked again for each of %n others stays in the cache.
; CHECK: again: {{.*}} rows 0, refusal ''
define void @again(ptr %item, ptr %p, ptr %q, i64 %n, ptr %out) {
entry:
  %idp = getelementptr i8, ptr %item, i64 28
  %id = load i32, ptr %idp
  %x = sext i32 %id to i64
  %first = mul nsw i64 %x, %n
  br label %outer
outer:
  %j = phi i64 [ 0, %entry ], [ %nextJ, %latch ]
  br label %loop
loop:
  %k = phi i64 [ 0, %outer ], [ %next, %loop ]
  %sum = phi float [ 0.0, %outer ], [ %total, %loop ]
  %at = add nsw i64 %first, %k
  %vp = getelementptr float, ptr %p, i64 %at
  %v = load float, ptr %vp
  %total = fadd float %sum, %v
  %next = add nsw i64 %k, 1
  %end = icmp eq i64 %next, %n
  br i1 %end, label %latch, label %loop
latch:
  %row = mul nsw i64 %j, %n
  %place = getelementptr float, ptr %out, i64 %x
  %there = getelementptr float, ptr %place, i64 %row
  store float %total, ptr %there
  %nextJ = add nsw i64 %j, 1
  %endJ = icmp eq i64 %nextJ, %n
  br i1 %endJ, label %exit, label %outer
exit:
  ret void
}
