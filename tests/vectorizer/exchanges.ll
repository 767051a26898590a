; Pairs of accesses by which lanes of a warp may exchange values without a barrier. What is not in such a pair is each lane's own.
; RUN: %vectorize print-exchanges %s | %check

declare void @hiplz_cpu_barrier(ptr) convergent

; A lane writes what its neighbour has yet to read.
; CHECK: overwrite: lanes in step
; CHECK-NEXT: %v = load {{.*}} .. store i32 %v, ptr %next
define void @overwrite(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %own
  %next = getelementptr i32, ptr %own, i64 1
  store i32 %v, ptr %next
  ret void
}

; A neighbour 32 words away is in another warp.
; CHECK: far: lanes on their own
define void @far(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %own
  %next = getelementptr i32, ptr %own, i64 32
  store i32 %v, ptr %next
  ret void
}

; Several lanes have one counter.
; CHECK: counters: lanes in step
; CHECK-NEXT: atomicrmw {{.*}} .. %v = load
define void @counters(ptr %item, ptr %data, ptr %out) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %low = and i32 %x, 3
  %i = zext i32 %low to i64
  %counter = getelementptr i32, ptr %data, i64 %i
  %old = atomicrmw add ptr %counter, i32 1 monotonic
  %v = load i32, ptr %counter
  %wide = zext i32 %x to i64
  %own = getelementptr i32, ptr %out, i64 %wide
  store i32 %v, ptr %own
  ret void
}

; Each its own, in place, in a loop over the grid: no round comes to what another lane has had in one before.
; CHECK: grid: lanes on their own
define void @grid(ptr %item, ptr %data, i32 %n) {
entry:
  %launch = load ptr, ptr %item, !invariant.load !0
  %sp = getelementptr i8, ptr %launch, i64 20
  %size = load i32, ptr %sp, !invariant.load !0
  %cp = getelementptr i8, ptr %launch, i64 32
  %count = load i32, ptr %cp, !invariant.load !0
  %step = mul i32 %count, %size
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  br label %loop
loop:
  %k = phi i32 [ %x, %entry ], [ %next, %loop ]
  %i = zext i32 %k to i64
  %own = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %own
  %w = add i32 %v, 1
  store i32 %w, ptr %own
  %next = add i32 %k, %step
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; Lanes that go through memory word by word come to each other's.
; CHECK: walk: lanes in step
define void @walk(ptr %item, ptr %data, i32 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  br label %loop
loop:
  %k = phi i32 [ %x, %entry ], [ %next, %loop ]
  %i = zext i32 %k to i64
  %own = getelementptr i32, ptr %data, i64 %i
  %v = load i32, ptr %own
  %w = add i32 %v, 1
  store i32 %w, ptr %own
  %next = add i32 %k, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The steps of a tree: lanes below the width read what lanes from there on have.
; CHECK: tree: lanes on their own
define void @tree(ptr %item, ptr %part, i32 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %part, i64 %i
  br label %loop
loop:
  %width = phi i32 [ %n, %entry ], [ %half, %join ]
  %c = icmp ult i32 %x, %width
  br i1 %c, label %then, label %join
then:
  %o = add i32 %x, %width
  %wide = zext i32 %o to i64
  %other = getelementptr i32, ptr %part, i64 %wide
  %a = load i32, ptr %own
  %b = load i32, ptr %other
  %s = add i32 %a, %b
  store i32 %s, ptr %own
  br label %join
join:
  call void @hiplz_cpu_barrier(ptr %item)
  %half = lshr i32 %width, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %done
done:
  ret void
}

; The same without a barrier, as programs write it for the last 32.
; CHECK: tree_of_warp: lanes in step
define void @tree_of_warp(ptr %item, ptr %part) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %own = getelementptr i32, ptr %part, i64 %i
  %second = getelementptr i32, ptr %own, i64 2
  %first = getelementptr i32, ptr %own, i64 1
  %a = load i32, ptr %own
  %b = load i32, ptr %second
  %s = add i32 %a, %b
  store i32 %s, ptr %own
  %d = load i32, ptr %first
  %t = add i32 %s, %d
  store i32 %t, ptr %own
  ret void
}

; Different parameters are different memory, whatever the index.
; CHECK: parameters: lanes on their own
define void @parameters(ptr %item, ptr %in, ptr %out, ptr %index) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %ip = getelementptr i32, ptr %index, i64 %i
  %k = load i32, ptr %ip
  %wide = zext i32 %k to i64
  %from = getelementptr i32, ptr %in, i64 %wide
  %v = load i32, ptr %from
  %to = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %to
  ret void
}
!0 = !{}
