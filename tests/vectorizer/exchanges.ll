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

; Of two writes by different lanes the later one stays.
; CHECK: later: lanes in step
; CHECK-NEXT: store i32 1, {{.*}} .. store i32 2
define void @later(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  store i32 1, ptr %data
  %third = icmp eq i32 %x, 3
  br i1 %third, label %set, label %end
set:
  store i32 2, ptr %data
  br label %end
end:
  ret void
}

; One sets what others add to; two that add are the same in any order.
; CHECK: setAndAdd: lanes in step
define void @setAndAdd(ptr %item, ptr %data) {
  %a = atomicrmw xchg ptr %data, i32 100 monotonic
  %b = atomicrmw add ptr %data, i32 1 monotonic
  ret void
}
; CHECK: addTwice: lanes on their own
define void @addTwice(ptr %item, ptr %data) {
  %a = atomicrmw sub ptr %data, i32 100 monotonic
  %b = atomicrmw add ptr %data, i32 1 monotonic
  ret void
}

; Two lanes, each alone: not the same one.
; CHECK: twoLanes: lanes in step
define void @twoLanes(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %first = icmp eq i32 %x, 20
  br i1 %first, label %write, label %next
write:
  store i32 2, ptr %data
  br label %next
next:
  %second = icmp eq i32 %x, 0
  br i1 %second, label %read, label %end
read:
  %v = load i32, ptr %data
  %other = getelementptr i32, ptr %data, i64 99
  store i32 %v, ptr %other
  br label %end
end:
  ret void
}

; Rows of a block that are shorter than a warp: lanes of one row, and those of others.
; CHECK: inRow: lanes in step
define void @inRow(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %row = zext i32 %y to i64
  %place = getelementptr i32, ptr %data, i64 %row
  %is = icmp eq i32 %x, 3
  br i1 %is, label %write, label %end
write:
  store i32 %y, ptr %place
  br label %end
end:
  %v = load i32, ptr %place
  %other = getelementptr i32, ptr %data, i64 9999
  store atomic i32 %v, ptr %other monotonic, align 4
  ret void
}
; CHECK: paddedRows: lanes in step
define void @paddedRows(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %column = zext i32 %x to i64
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %row = zext i32 %y to i64
  %own = getelementptr [65 x i32], ptr %data, i64 %row, i64 %column
  store i32 %x, ptr %own
  %below = getelementptr i8, ptr %own, i64 260
  %v = load i32, ptr %below
  %out = getelementptr i8, ptr %own, i64 99999900
  store i32 %v, ptr %out
  ret void
}
; CHECK: rowsOfOwn: lanes on their own
define void @rowsOfOwn(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %column = zext i32 %x to i64
  %yp = getelementptr i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %row = zext i32 %y to i64
  %own = getelementptr [65 x i32], ptr %data, i64 %row, i64 %column
  store i32 %x, ptr %own
  %v = load i32, ptr %own
  %more = add i32 %v, %y
  store i32 %more, ptr %own
  ret void
}

; A counter that lanes take out of a loop in different rounds is no place that they have in common.
; CHECK: counterOfLane: lanes in step
define void @counterOfLane(ptr %item, ptr %data) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  %bits = and i32 %x, 7
  %more = icmp ult i32 %next, %bits
  br i1 %more, label %loop, label %end
end:
  %wide = zext i32 %i to i64
  %own = getelementptr i32, ptr %data, i64 %wide
  store i32 %x, ptr %own
  %neighbour = getelementptr i32, ptr %own, i64 1
  %v = load i32, ptr %neighbour
  %out = getelementptr i32, ptr %data, i64 9999
  store atomic i32 %v, ptr %out monotonic, align 4
  ret void
}

; CHECK: quotients: lanes on their own
; Each lane its own, by quotient and remainder of the id: (x / 8) * 64 + x % 8.
define void @quotients(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %row = sdiv i32 %x, 8
  %column = srem i32 %x, 8
  %wideRow = sext i32 %row to i64
  %wideColumn = sext i32 %column to i64
  %own = getelementptr [64 x i32], ptr %data, i64 %wideRow, i64 %wideColumn
  store i32 %x, ptr %own
  %v = load i32, ptr %own
  %far = getelementptr i8, ptr %own, i64 2048
  store i32 %v, ptr %far
  ret void
}

; CHECK: sharedQuotient: lanes in step
; CHECK-NEXT: store i32 1, {{.*}} .. store i32 2
define void @sharedQuotient(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %row = lshr i32 %x, 2
  %i = zext i32 %row to i64
  %own = getelementptr i32, ptr %data, i64 %i
  store i32 1, ptr %own
  %above = getelementptr i8, ptr %own, i64 24
  store i32 2, ptr %above
  ret void
}

; Quotients that differ in what is divided.
; CHECK: otherQuotient: lanes in step
define void @otherQuotient(ptr %item, ptr %data) {
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %a = lshr i32 %x, 1
  %i = zext i32 %a to i64
  %own = getelementptr i32, ptr %data, i64 %i
  store i32 %x, ptr %own
  %y = add i32 %x, 1
  %b = lshr i32 %y, 1
  %j = zext i32 %b to i64
  %other = getelementptr i32, ptr %data, i64 %j
  %v = load i32, ptr %other
  %far = getelementptr i32, ptr %data, i64 999999
  store atomic i32 %v, ptr %far monotonic, align 4
  ret void
}

; An index that is computed in both branches is the same in both.
; CHECK: merged: lanes on their own
define void @merged(ptr %item, ptr %data, i32 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %left, label %right
left:
  %a = shl i32 %x, 1
  br label %join
right:
  %b = mul i32 %x, 2
  br label %join
join:
  %i = phi i32 [ %a, %left ], [ %b, %right ]
  %wide = sext i32 %i to i64
  %first = getelementptr i32, ptr %data, i64 %wide
  store i32 %x, ptr %first
  %second = getelementptr i32, ptr %first, i64 1
  store i32 %n, ptr %second
  ret void
}
; CHECK: notMerged: lanes in step
define void @notMerged(ptr %item, ptr %data, i32 %n) {
entry:
  %xp = getelementptr i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %c = icmp sgt i32 %n, 0
  br i1 %c, label %left, label %right
left:
  %a = shl i32 %x, 1
  br label %join
right:
  %b = mul i32 %x, 3
  br label %join
join:
  %i = phi i32 [ %a, %left ], [ %b, %right ]
  %wide = sext i32 %i to i64
  %first = getelementptr i32, ptr %data, i64 %wide
  store i32 %x, ptr %first
  %second = getelementptr i32, ptr %first, i64 1
  store i32 %n, ptr %second
  ret void
}
