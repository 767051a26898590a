; Kernels whose loops walk along a row of memory for each work-item are faster one work-item after the other; those with words side by
; side, with a word for all, with arithmetic or private arrays are not.
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

; CHECK: word_for_all: {{.*}} rows 0, refusal ''
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
  %wp = getelementptr float, ptr %q, i64 %n
  %w = load float, ptr %wp
  store float %w, ptr %wp
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
