; Kernels that compute with numbers of 32 bits gain from two registers for each, and so do those that multiply rows and columns. Others
; that access memory, compute with doubles or keep much alive do not.
; RUN: %vectorize print-traits %s | %check

declare float @llvm.fma.f32(float, float, float)
declare float @outside(float)

; Sixteen operations for an access.
; CHECK: computes: {{.*}} wide 1,
define void @computes(ptr %item, ptr %p, float %x, i32 %n) {
entry:
  %lane.p = getelementptr i8, ptr %item, i64 28
  %lane = load i32, ptr %lane.p
  %start = sitofp i32 %lane to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi float [ %start, %entry ], [ %a2, %loop ]
  %a1 = call float @llvm.fma.f32(float %a, float %x, float %x)
  %a2 = call float @llvm.fma.f32(float %a1, float %x, float %x)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr float, ptr %p, i32 %lane
  store float %a2, ptr %to
  ret void
}

; Loads of one place by all lanes do not count.
; CHECK: uniform_loads: {{.*}} wide 1,
define void @uniform_loads(ptr %item, ptr %p, i32 %n) {
entry:
  %lane.p = getelementptr i8, ptr %item, i64 28
  %lane = load i32, ptr %lane.p
  %start = sitofp i32 %lane to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi float [ %start, %entry ], [ %a2, %loop ]
  %from = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %from
  %a1 = call float @llvm.fma.f32(float %a, float %x, float %x)
  %a2 = call float @llvm.fma.f32(float %a1, float %x, float %x)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr float, ptr %p, i32 %lane
  store float %a2, ptr %to
  ret void
}

; CHECK: loads: {{.*}} wide 0,
define void @loads(ptr %item, ptr %p, i32 %n) {
entry:
  %lane.p = getelementptr i8, ptr %item, i64 28
  %lane = load i32, ptr %lane.p
  br label %loop
loop:
  %i = phi i32 [ %lane, %entry ], [ %next, %loop ]
  %a = phi float [ 0.0, %entry ], [ %a2, %loop ]
  %from = getelementptr float, ptr %p, i32 %i
  %x = load float, ptr %from
  %a1 = call float @llvm.fma.f32(float %a, float %x, float %x)
  %a2 = call float @llvm.fma.f32(float %a1, float %x, float %x)
  %next = add i32 %i, 256
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  store float %a2, ptr %p
  ret void
}

; CHECK: doubles: {{.*}} wide 0,
define void @doubles(ptr %item, ptr %p, double %x, i32 %n) {
entry:
  %lane.p = getelementptr i8, ptr %item, i64 28
  %lane = load i32, ptr %lane.p
  %start = sitofp i32 %lane to double
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a = phi double [ %start, %entry ], [ %a2, %loop ]
  %a1 = fmul double %a, %x
  %a2 = fadd double %a1, %x
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr double, ptr %p, i32 %lane
  store double %a2, ptr %to
  ret void
}

; A call that stays one is a call for each lane.
; CHECK: calls: {{.*}} wide 0,
define void @calls(ptr %item, ptr %p) {
  %lane.p = getelementptr i8, ptr %item, i64 28
  %lane = load i32, ptr %lane.p
  %x = sitofp i32 %lane to float
  %x1 = fmul float %x, %x
  %x2 = fmul float %x1, %x1
  %y = call float @outside(float %x2)
  %to = getelementptr float, ptr %p, i32 %lane
  store float %y, ptr %to
  ret void
}

; Thirteen numbers from round to round would take 26 of 32 registers.
; CHECK: crowded: {{.*}} wide 0,
define void @crowded(ptr %item, ptr %p, float %x, i32 %n) {
entry:
  %lane.p = getelementptr i8, ptr %item, i64 28
  %lane = load i32, ptr %lane.p
  %start = sitofp i32 %lane to float
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %a0 = phi float [ %start, %entry ], [ %b0, %loop ]
  %a1 = phi float [ %start, %entry ], [ %b1, %loop ]
  %a2 = phi float [ %start, %entry ], [ %b2, %loop ]
  %a3 = phi float [ %start, %entry ], [ %b3, %loop ]
  %a4 = phi float [ %start, %entry ], [ %b4, %loop ]
  %a5 = phi float [ %start, %entry ], [ %b5, %loop ]
  %a6 = phi float [ %start, %entry ], [ %b6, %loop ]
  %a7 = phi float [ %start, %entry ], [ %b7, %loop ]
  %a8 = phi float [ %start, %entry ], [ %b8, %loop ]
  %a9 = phi float [ %start, %entry ], [ %b9, %loop ]
  %a10 = phi float [ %start, %entry ], [ %b10, %loop ]
  %a11 = phi float [ %start, %entry ], [ %b11, %loop ]
  %a12 = phi float [ %start, %entry ], [ %b12, %loop ]
  %b0 = call float @llvm.fma.f32(float %a0, float %x, float %a1)
  %b1 = call float @llvm.fma.f32(float %a1, float %x, float %a2)
  %b2 = call float @llvm.fma.f32(float %a2, float %x, float %a3)
  %b3 = call float @llvm.fma.f32(float %a3, float %x, float %a4)
  %b4 = call float @llvm.fma.f32(float %a4, float %x, float %a5)
  %b5 = call float @llvm.fma.f32(float %a5, float %x, float %a6)
  %b6 = call float @llvm.fma.f32(float %a6, float %x, float %a7)
  %b7 = call float @llvm.fma.f32(float %a7, float %x, float %a8)
  %b8 = call float @llvm.fma.f32(float %a8, float %x, float %a9)
  %b9 = call float @llvm.fma.f32(float %a9, float %x, float %a10)
  %b10 = call float @llvm.fma.f32(float %a10, float %x, float %a11)
  %b11 = call float @llvm.fma.f32(float %a11, float %x, float %a12)
  %b12 = call float @llvm.fma.f32(float %a12, float %x, float %a0)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  %to = getelementptr float, ptr %p, i32 %lane
  store float %b0, ptr %to
  ret void
}

; Products of rows and columns: one word for all x, and words side by side for all y.
; CHECK: product: {{.*}} wide 0, columns 1,
define void @product(ptr %item, ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %column = zext i32 %x to i64
  %line = zext i32 %y to i64
  %row = mul i64 %line, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi double [ 0.0, %entry ], [ %sum2, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr double, ptr %a, i64 %ia
  %va = load double, ptr %pa
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %column
  %pb = getelementptr double, ptr %b, i64 %ib
  %vb = load double, ptr %pb
  %both = fmul double %va, %vb
  %sum2 = fadd double %sum, %both
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %ic = add i64 %row, %column
  %pc = getelementptr double, ptr %c, i64 %ic
  store double %sum2, ptr %pc
  ret void
}

; Sums of columns have no rows.
; CHECK: column_sums: {{.*}} columns 0,
define void @column_sums(ptr %item, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %column = zext i32 %x to i64
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum2, %loop ]
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %column
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %sum2 = fadd float %sum, %vb
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %pc = getelementptr float, ptr %c, i64 %column
  store float %sum2, ptr %pc
  ret void
}

; Each row has words side by side of its own.
; CHECK: window: {{.*}} columns 0,
define void @window(ptr %item, ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %column = zext i32 %x to i64
  %line = zext i32 %y to i64
  %row = mul i64 %line, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum2, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %ib = add i64 %ia, %column
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %both = fmul float %va, %vb
  %sum2 = fadd float %sum, %both
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %pc = getelementptr float, ptr %c, i64 %row
  store float %sum2, ptr %pc
  ret void
}

; Words that are not side by side, words of 16 bits, and what the loop writes.
; CHECK: apart: {{.*}} columns 0,
define void @apart(ptr %item, ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %x0 = zext i32 %x to i64
  %column = mul i64 %x0, 2
  %line = zext i32 %y to i64
  %row = mul i64 %line, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum2, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %column
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %both = fmul float %va, %vb
  %sum2 = fadd float %sum, %both
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %pc = getelementptr float, ptr %c, i64 %row
  store float %sum2, ptr %pc
  ret void
}

; CHECK: halfs: {{.*}} columns 0,
define void @halfs(ptr %item, ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %column = zext i32 %x to i64
  %line = zext i32 %y to i64
  %row = mul i64 %line, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi half [ 0.0, %entry ], [ %sum2, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr half, ptr %a, i64 %ia
  %va = load half, ptr %pa
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %column
  %pb = getelementptr half, ptr %b, i64 %ib
  %vb = load half, ptr %pb
  %both = fmul half %va, %vb
  %sum2 = fadd half %sum, %both
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %pc = getelementptr half, ptr %c, i64 %row
  store half %sum2, ptr %pc
  ret void
}

; CHECK: writes: {{.*}} columns 0,
define void @writes(ptr %item, ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %column = zext i32 %x to i64
  %line = zext i32 %y to i64
  %row = mul i64 %line, %n
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %column
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %both = fmul float %va, %vb
  %pc = getelementptr float, ptr %c, i64 %ib
  store float %both, ptr %pc
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; With a barrier such loops are those of tiles, which are unrolled and have much alive.
; CHECK: waits: barrier 1, {{.*}} columns 0,
declare void @hiplz_cpu_barrier(ptr)
define void @waits(ptr %item, ptr %a, ptr %b, ptr %c, i64 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %column = zext i32 %x to i64
  %line = zext i32 %y to i64
  %row = mul i64 %line, %n
  call void @hiplz_cpu_barrier(ptr %item)
  br label %loop
loop:
  %k = phi i64 [ 0, %entry ], [ %next, %loop ]
  %sum = phi float [ 0.0, %entry ], [ %sum2, %loop ]
  %ia = add i64 %row, %k
  %pa = getelementptr float, ptr %a, i64 %ia
  %va = load float, ptr %pa
  %kn = mul i64 %k, %n
  %ib = add i64 %kn, %column
  %pb = getelementptr float, ptr %b, i64 %ib
  %vb = load float, ptr %pb
  %both = fmul float %va, %vb
  %sum2 = fadd float %sum, %both
  %next = add i64 %k, 1
  %more = icmp slt i64 %next, %n
  br i1 %more, label %loop, label %end
end:
  %pc = getelementptr float, ptr %c, i64 %row
  store float %sum2, ptr %pc
  ret void
}
