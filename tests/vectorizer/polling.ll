; Loops that wait for what others write. Lanes in step wait for each other behind such a loop, so the one waited for must not be
; one of them. Offsets in the work-item: groupId 16, linearId 40.
; RUN: %vectorize vectorize -rows -width=32 %s | %check
; RUN: %vectorize print-traits %s | %check --check-prefix=TRAITS

declare void @hiplz_cpu_yield(ptr) convergent
declare void @hiplz_cpu_barrier(ptr) convergent
declare void @writes(ptr)

; TRAITS: uniform: barrier 0, yields 1, whole warps 1, wide 0, columns 0, rows 0, refusal ''
; TRAITS: not_inlined: {{.*}} refusal 'a function that is not inlined waits for other work-items'

; CHECK-DAG: not vectorised: locks: work-items wait in a loop that writes
; CHECK-DAG: not vectorised: counts: work-items wait in a loop that writes
; CHECK-DAG: not vectorised: calls: work-items wait in a loop that writes
; CHECK-DAG: not vectorised: beside: lanes of a warp may wait for those in another branch
; CHECK-DAG: not vectorised: chain: lanes of a warp wait for each other
; CHECK-DAG: not vectorised: tickets: lanes of a warp wait for each other
; CHECK-DAG: not vectorised: other_lane: lanes of a warp wait for each other

; One look for all lanes, which leave together; others run meanwhile.
; CHECK-LABEL: define internal void @warp32.uniform(
; CHECK: wait:
; CHECK-NEXT: %v = load atomic i32, ptr %1 monotonic
; CHECK-NEXT: %empty = icmp eq i32 %v, 0
; CHECK-NEXT: call void @hiplz_cpu_warp_yield(ptr %0)
; CHECK-NEXT: br i1 %empty, label %wait
define void @uniform(ptr %item, ptr %flag) {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %flag monotonic, align 4
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret void
}

; Lanes that are through wait for the rest. What the kernel writes then is where blocks behind look; an update that adds nothing is a
; load.
; CHECK-LABEL: define internal void @warp32.look_back(
; CHECK: %running = phi <32 x i1>
; CHECK: lane:
; CHECK-NOT: atomicrmw add
; CHECK: load atomic i32, ptr %{{.*}} monotonic
; CHECK: call void @hiplz_cpu_warp_yield(ptr %0)
; CHECK: store atomic i32
define void @look_back(ptr %item, ptr %states, i32 %before) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %group = load i32, ptr %gp
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %lane = load i32, ptr %lp
  %earlier = sub i32 %group, %before
  %row = mul i32 %earlier, 256
  %i = add i32 %row, %lane
  %wide = zext i32 %i to i64
  %state = getelementptr i32, ptr %states, i64 %wide
  br label %wait
wait:
  %v = atomicrmw add ptr %state, i32 0 monotonic
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  %own.row = mul i32 %group, 256
  %own = add i32 %own.row, %lane
  %own.wide = zext i32 %own to i64
  %mine = getelementptr i32, ptr %states, i64 %own.wide
  store atomic i32 %v, ptr %mine monotonic, align 4
  ret void
}

; An exchange of a value for itself reads, and is ordered like an exchange.
; CHECK-LABEL: define internal void @warp32.exchange(
; CHECK: fence seq_cst
; CHECK-NEXT: load atomic i32, ptr %1 acquire
; CHECK-NOT: cmpxchg
; CHECK: ret void
define void @exchange(ptr %item, ptr %flag) {
entry:
  br label %wait
wait:
  %pair = cmpxchg ptr %flag, i32 1, i32 1 seq_cst seq_cst
  %set = extractvalue { i32, i1 } %pair, 1
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %set, label %done, label %wait
done:
  ret void
}

; Each lane clears the flag that it has waited for, and a warp sets the flags of the next one. What is volatile is read in each round,
; even where nobody else is said to know the memory.
; CHECK-LABEL: define internal void @warp32.next_warp(
; CHECK: store <32 x i32> zeroinitializer
; CHECK: store <32 x i32> {{<|splat \(}}i32 1
; CHECK: lane:
; CHECK: load atomic volatile i32
; CHECK: call void @hiplz_cpu_warp_yield(
define void @next_warp(ptr %item, ptr noalias %flags) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %lane = load i32, ptr %lp
  %wide = zext i32 %lane to i64
  %flag = getelementptr i32, ptr %flags, i64 %wide
  br label %wait
wait:
  %v = load volatile i32, ptr %flag
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  store i32 0, ptr %flag
  %next = getelementptr i32, ptr %flag, i64 32
  store i32 1, ptr %next
  ret void
}

; Private memory is nobody else's.
; CHECK-LABEL: define internal void @warp32.private(
; CHECK: call void @llvm.masked.store
; CHECK: call void @hiplz_cpu_warp_yield(
define void @private(ptr %item, ptr %flag) {
entry:
  %polls = alloca [2 x i32]
  br label %wait
wait:
  %v = load atomic i32, ptr %flag monotonic, align 4
  %at = getelementptr [2 x i32], ptr %polls, i32 0, i32 %v
  store volatile i32 %v, ptr %at
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret void
}

define void @locks(ptr %item, ptr %lock) {
entry:
  br label %wait
wait:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %taken, label %done, label %wait
done:
  store atomic i32 0, ptr %lock release, align 4
  ret void
}

define void @counts(ptr %item, ptr %flag, ptr %polls) {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %flag monotonic, align 4
  %n = load i32, ptr %polls
  %more = add i32 %n, 1
  store i32 %more, ptr %polls
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret void
}

define void @calls(ptr %item, ptr %flag) {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %flag monotonic, align 4
  call void @writes(ptr %flag)
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret void
}

; One lane writes what the others wait for.
define void @beside(ptr %item, ptr %flag) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %lane = load i32, ptr %lp
  %one = icmp eq i32 %lane, 5
  br i1 %one, label %write, label %wait
write:
  store volatile i32 1, ptr %flag
  br label %done
wait:
  %v = load volatile i32, ptr %flag
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret void
}

; All lanes of a warp go the same way there.
; CHECK-LABEL: define internal void @warp32.beside_uniform(
; CHECK: call void @hiplz_cpu_warp_yield(
define void @beside_uniform(ptr %item, ptr %flag) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %lane = load i32, ptr %lp
  %warp = lshr i32 %lane, 5
  %one = icmp eq i32 %warp, 5
  br i1 %one, label %write, label %wait
write:
  store volatile i32 1, ptr %flag
  br label %done
wait:
  %v = load volatile i32, ptr %flag
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret void
}

; Each work-item waits for the one before it.
define void @chain(ptr %item, ptr %flags) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %lane = load i32, ptr %lp
  %before = add i32 %lane, -1
  %before.wide = sext i32 %before to i64
  %other = getelementptr i32, ptr %flags, i64 %before.wide
  br label %wait
wait:
  %v = load volatile i32, ptr %other
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  %wide = sext i32 %lane to i64
  %own = getelementptr i32, ptr %flags, i64 %wide
  store volatile i32 1, ptr %own
  ret void
}

; Each lane has a turn.
define void @tickets(ptr %item, ptr %turn) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %lane = load i32, ptr %lp
  br label %wait
wait:
  %v = load atomic i32, ptr %turn monotonic, align 4
  %others = icmp ne i32 %v, %lane
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %others, label %wait, label %done
done:
  %next = add i32 %v, 1
  store atomic i32 %next, ptr %turn release, align 4
  ret void
}

define internal i32 @waiting(ptr %item, ptr %flag) noinline {
entry:
  br label %wait
wait:
  %v = load atomic i32, ptr %flag monotonic, align 4
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %done
done:
  ret i32 %v
}
define void @not_inlined(ptr %item, ptr %flag) {
  %v = call i32 @waiting(ptr %item, ptr %flag)
  ret void
}

; One lane alone may do as it likes: the barrier of a grid, where it is the last to arrive or waits for the last, and a lock.
; CHECK-LABEL: define internal void @warp32.meets(
; CHECK: call void @hiplz_cpu_warp_yield(
define void @meets(ptr %item, ptr %generation, ptr %arrived, i32 %count, ptr %lock) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %both = or i32 %x, %y
  %first = icmp eq i32 %both, 0
  br i1 %first, label %arrive, label %join
arrive:
  %seen = load atomic i32, ptr %generation monotonic, align 4
  %n = atomicrmw add ptr %arrived, i32 1 acq_rel
  %last = icmp eq i32 %n, %count
  br i1 %last, label %release, label %wait
release:
  %g = atomicrmw add ptr %generation, i32 1 acq_rel
  br label %join
wait:
  %v = load atomic i32, ptr %generation acquire, align 4
  %same = icmp eq i32 %v, %seen
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %same, label %wait, label %join
join:
  call void @hiplz_cpu_barrier(ptr %item)
  %second = icmp ne i32 %x, 1
  br i1 %second, label %done, label %take
take:
  %pair = cmpxchg ptr %lock, i32 0, i32 1 acquire monotonic
  %taken = extractvalue { i32, i1 } %pair, 1
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %taken, label %give, label %take
give:
  store atomic i32 0, ptr %lock release, align 4
  br label %done
done:
  ret void
}

; Nor may it wait for another one, which comes to write only when it has gone on.
; CHECK-NOT: @warp32.other_lane(
define void @other_lane(ptr %item, ptr %flag) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %first = icmp eq i32 %x, 0
  br i1 %first, label %wait, label %next
wait:
  %v = load volatile i32, ptr %flag
  %empty = icmp eq i32 %v, 0
  call void @hiplz_cpu_yield(ptr %item)
  br i1 %empty, label %wait, label %next
next:
  %second = icmp eq i32 %x, 1
  br i1 %second, label %write, label %done
write:
  store volatile i32 1, ptr %flag
  br label %done
done:
  ret void
}
