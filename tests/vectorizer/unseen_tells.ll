; Ids that are told for messages about faults, where nothing can fault before the next ones are told. Parameters: LaunchState, WorkerState,
; whose local memory is at 0 and whose localId at 28, 32 and 36. Each function returns in the end, where the last ids are left.
; RUN: %vectorize unseen-tells %s | %check

declare void @outside()
declare void @llvm.prefetch.p0(ptr, i32, i32, i32)
declare <4 x float> @llvm.masked.load.v4f32.p0(ptr, i32, <4 x i1>, <4 x float>)

; Values that go through shared memory stay in registers then.
; CHECK-LABEL: define void @steps(
; CHECK: load float, ptr %local
; CHECK-NOT: load float, ptr %local
; CHECK: store volatile i32 3, ptr %x
; CHECK: store float %c, ptr %out
; CHECK: ret void
define void @steps(ptr %launch, ptr %worker, ptr %out) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  %z = getelementptr i8, ptr %worker, i64 36
  %local = load ptr, ptr %worker
  %last = getelementptr i8, ptr %local, i64 1020
  store volatile i32 1, ptr %x
  store volatile i32 1, ptr %z
  %a = load float, ptr %local
  %b = fadd float %a, 1.0
  store float %b, ptr %local
  store volatile i32 2, ptr %x
  call void @llvm.prefetch.p0(ptr %out, i32 0, i32 3, i32 1)
  %a2 = load float, ptr %local
  %c = fmul float %a2, 3.0
  store float %c, ptr %last
  store volatile i32 3, ptr %x
  store float %c, ptr %out
  store volatile i32 2, ptr %z
  ret void
}

; CHECK-LABEL: define void @partly_outside(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @partly_outside(ptr %launch, ptr %worker) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  %local = load ptr, ptr %worker
  %last = getelementptr i8, ptr %local, i64 1020
  store volatile i32 1, ptr %x
  store i64 0, ptr %last
  store volatile i32 2, ptr %x
  ret void
}

; CHECK-LABEL: define void @in_front(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @in_front(ptr %launch, ptr %worker) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  %local = load ptr, ptr %worker
  %place = getelementptr i8, ptr %local, i64 -4
  store volatile i32 1, ptr %x
  store i32 0, ptr %place
  store volatile i32 2, ptr %x
  ret void
}

; CHECK-LABEL: define void @anywhere(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @anywhere(ptr %launch, ptr %worker, i64 %i) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  %local = load ptr, ptr %worker
  %place = getelementptr float, ptr %local, i64 %i
  store volatile i32 1, ptr %x
  store float 0.0, ptr %place
  store volatile i32 2, ptr %x
  ret void
}

; Another pointer of the worker's.
; CHECK-LABEL: define void @elsewhere(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @elsewhere(ptr %launch, ptr %worker) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  %field = getelementptr i8, ptr %worker, i64 8
  %fibers = load ptr, ptr %field
  store volatile i32 1, ptr %x
  store float 0.0, ptr %fibers
  store volatile i32 2, ptr %x
  ret void
}

; CHECK-LABEL: define void @calls(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @calls(ptr %launch, ptr %worker) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  store volatile i32 1, ptr %x
  call void @outside()
  store volatile i32 2, ptr %x
  ret void
}

; CHECK-LABEL: define void @masks(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @masks(ptr %launch, ptr %worker, ptr %in, <4 x i1> %mask, ptr %out) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  store volatile i32 1, ptr %x
  %v = call <4 x float> @llvm.masked.load.v4f32.p0(ptr %in, i32 4, <4 x i1> %mask, <4 x float> zeroinitializer)
  store volatile i32 2, ptr %x
  store <4 x float> %v, ptr %out
  ret void
}

; A division may fault; one by seven does not.
; CHECK-LABEL: define void @divides(
; CHECK-NOT: store volatile i32 1
; CHECK: store volatile i32 2
; CHECK: store volatile i32 3
define void @divides(ptr %launch, ptr %worker, i32 %n, i32 %d, ptr %out) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  store volatile i32 1, ptr %x
  %a = sdiv i32 %n, 7
  store volatile i32 2, ptr %x
  %b = sdiv i32 %a, %d
  store volatile i32 3, ptr %x
  store i32 %b, ptr %out
  ret void
}

; One of two ways looks at the first, and nobody at the second.
; CHECK-LABEL: define void @ways(
; CHECK: store volatile i32 1
; CHECK-NOT: store volatile i32 2
; CHECK: store volatile i32 3
define void @ways(ptr %launch, ptr %worker, ptr %out, i1 %c) #0 {
  %x = getelementptr i8, ptr %worker, i64 28
  %y = getelementptr i8, ptr %worker, i64 32
  store volatile i32 1, ptr %x
  br i1 %c, label %left, label %right
left:
  store i32 0, ptr %out
  br label %end
right:
  br label %end
end:
  store volatile i32 2, ptr %x
  store volatile i32 7, ptr %y
  store volatile i32 3, ptr %x
  ret void
}

; The next round tells before it looks; behind the loop nobody does.
; CHECK-LABEL: define void @rounds(
; CHECK: loop:
; CHECK: store volatile i32 %i, ptr %x
; CHECK: store i32 %i, ptr %out
; CHECK-NOT: store volatile i32 1
; CHECK: br i1
define void @rounds(ptr %launch, ptr %worker, ptr %out, i32 %n) #0 {
entry:
  %x = getelementptr i8, ptr %worker, i64 28
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  store volatile i32 %i, ptr %x
  store i32 %i, ptr %out
  store volatile i32 1, ptr %x
  %next = add i32 %i, 1
  %c = icmp slt i32 %next, %n
  br i1 %c, label %loop, label %done
done:
  store volatile i32 2, ptr %x
  ret void
}

; The work-group's ids stay, and all ids where nothing is known of shared memory.
; CHECK-LABEL: define void @of_group(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @of_group(ptr %launch, ptr %worker) #0 {
  %x = getelementptr i8, ptr %worker, i64 16
  store volatile i32 1, ptr %x
  store volatile i32 2, ptr %x
  ret void
}

; CHECK-LABEL: define void @unknown(
; CHECK: store volatile i32 1
; CHECK: store volatile i32 2
define void @unknown(ptr %launch, ptr %worker) {
  %x = getelementptr i8, ptr %worker, i64 28
  store volatile i32 1, ptr %x
  store volatile i32 2, ptr %x
  ret void
}

attributes #0 = { "hiplz-static-local-bytes"="1024" }
