; The shapes of ids and of what is computed from them. Offsets: launch 0, groupId 16, localId 28, linearId 40.
; RUN: %vectorize print-shapes -rows %s | %check --check-prefixes=ALL,ROWS
; RUN: %vectorize print-shapes %s | %check --check-prefixes=ALL,TABLE

; ALL-LABEL: shapes of ids:
define void @ids(ptr %item, ptr %p, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
; ROWS: strided(1) align(32):{{.*}}%x = load
; TABLE: varying:{{.*}}%x = load
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
; ROWS: uniform:{{.*}}%y = load
; TABLE: varying:{{.*}}%y = load
  %y = load i32, ptr %yp
  %gp = getelementptr inbounds i8, ptr %item, i64 16
; ALL: uniform:{{.*}}%g = load
  %g = load i32, ptr %gp
  %lp = getelementptr inbounds i8, ptr %item, i64 40
; ALL: strided(1) align(32):{{.*}}%linear = load
  %linear = load i32, ptr %lp
; ALL: strided(1) align(32):{{.*}}%lane =
  %lane = and i32 %linear, 31
; ALL: uniform:{{.*}}%warp =
  %warp = lshr i32 %linear, 5
; A bound that no warp straddles, and one that some do.
; ALL: uniform:{{.*}}%first =
  %first = icmp ult i32 %linear, 32
; ALL: varying:{{.*}}%part =
  %part = icmp ult i32 %linear, 33
  %launch = load ptr, ptr %item
  %sp = getelementptr inbounds i8, ptr %launch, i64 20
; ROWS: uniform align(32):{{.*}}%size = load
; TABLE: uniform:{{.*}}%size = load
  %size = load i32, ptr %sp
  %base = mul i32 %g, %size
; ROWS: strided(1) align(32):{{.*}}%i =
  %i = add i32 %base, %x
; No lane can wrap, so the extension keeps the distance.
; ROWS: strided(1) align(32):{{.*}}%wide =
  %wide = sext i32 %i to i64
; ROWS: strided(4):{{.*}}%address =
  %address = getelementptr float, ptr %p, i64 %wide
; Here lanes may wrap, for all that is known.
  %next = add i32 %i, %n
; ROWS: varying:{{.*}}%unsure =
  %unsure = zext i32 %next to i64
; ROWS: strided(-3) align(32):{{.*}}%back =
  %back = mul i32 %i, -3
; ALL: varying:{{.*}}%value =
  %value = load float, ptr %address
; ALL: uniform:{{.*}}%shared =
  %shared = load float, ptr %p
  ret void
}

; An "or" of what has no bits in common adds: local ids are below 1024.
; ALL-LABEL: shapes of alternatives:
define void @alternatives(ptr %item, i32 %n) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %g = load i32, ptr %gp
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %thousands = shl i32 %g, 10
; ALL: strided(1) align(32):{{.*}}%i =
  %i = or i32 %thousands, %linear
; ROWS: strided(1) align(32):{{.*}}%j =
  %j = or i32 %x, %thousands
  %wide = zext i32 %linear to i64
  %fours = shl i64 %wide, 2
; ALL: strided(4) align(128):{{.*}}%k =
  %k = or i64 %fours, 4096
; Bits that may be set already, but the lanes of a warp do not differ in them; and one in which they do.
; ALL: strided(1) align(32):{{.*}}%above =
  %above = or i32 %i, 2048
; ALL: varying:{{.*}}%within =
  %within = or i32 %i, 16
; The same with two ids, and a number of which nothing is known.
  %hundreds = shl i32 %g, 9
; ALL: strided(1) align(32):{{.*}}%meets =
  %meets = or i32 %hundreds, %linear
; ALL: varying:{{.*}}%unsure =
  %unsure = or i32 %n, %linear
  ret void
}

; The phi behind a divergent branch depends on the lane; the phi behind a uniform one does not.
; ALL-LABEL: shapes of joins:
define void @joins(ptr %item, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %c = icmp ult i32 %linear, %n
; ALL: divergent: {{.*}}%c
  br i1 %c, label %then, label %join
; ALL: then: masked
then:
  br label %join
join:
; ALL: varying:{{.*}}%mixed =
  %mixed = phi i32 [ 1, %then ], [ 2, %entry ]
; ALL: uniform align(4):{{.*}}%same =
  %same = phi i32 [ 4, %then ], [ 4, %entry ]
; ALL: uniform:{{.*}}%absent =
  %absent = phi i32 [ %n, %then ], [ undef, %entry ]
  %u = icmp ult i32 %n, 7
; ALL-NOT: divergent: {{.*}}%u
  br i1 %u, label %then2, label %join2
; ALL: then2:
; ALL-NOT: masked
then2:
  br label %join2
join2:
; ALL: uniform:{{.*}}%either =
  %either = phi i32 [ 1, %then2 ], [ 2, %join ]
  ret void
}

; A counter is uniform while a divergent loop runs; what a lane takes out of it is its own.
; ALL-LABEL: shapes of temporal:
define void @temporal(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  br label %loop
loop:
; ALL: uniform:{{.*}}%k =
  %k = phi i32 [ 0, %entry ], [ %k1, %loop ]
  %k1 = add i32 %k, 1
  %c = icmp ult i32 %k1, %linear
; ALL: divergent: {{.*}}%c
  br i1 %c, label %loop, label %exit
exit:
; ALL: varying:{{.*}}%last =
  %last = phi i32 [ %k1, %loop ]
  ret void
}

; Narrow types: lanes of 8 bits that are 8 apart fill all bits, the sign included; 16 apart they wrap.
; ALL-LABEL: shapes of narrow:
define void @narrow(ptr %item) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %eights = shl i32 %linear, 3
  %sixteens = shl i32 %linear, 4
; ALL: strided(8) align(256):{{.*}}%byte =
  %byte = trunc i32 %eights to i8
; ALL: strided(8) align(256):{{.*}}%zero =
  %zero = zext i8 %byte to i32
; ALL: varying:{{.*}}%sign =
  %sign = sext i8 %byte to i32
; ALL: varying:{{.*}}%negative =
  %negative = icmp slt i8 %byte, 0
; ALL: varying:{{.*}}%shifted =
  %shifted = ashr i8 %byte, 7
  %wrapped = trunc i32 %sixteens to i8
; ALL: varying:{{.*}}%lost =
  %lost = zext i8 %wrapped to i32
  ret void
}


; Variables without a value before the loop, which a round may set: the phi depends on undef and itself.
; ALL-LABEL: shapes of set_in_a_round:
define void @set_in_a_round(ptr %item, i32 %n, i32 %key) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
; ALL: strided(1){{.*}}%last = phi
  %last = phi i32 [ undef, %entry ], [ %now, %loop ]
; ALL: varying:{{.*}}%found = phi
  %found = phi i32 [ undef, %entry ], [ %chosen, %loop ]
; ALL: uniform:{{.*}}%sum = phi
  %sum = phi i32 [ undef, %entry ], [ %more, %loop ]
  %here = icmp eq i32 %i, %key
; ALL: strided(1){{.*}}%now =
  %now = select i1 %here, i32 %linear, i32 %last
  %mine = icmp eq i32 %i, %linear
; ALL: varying:{{.*}}%chosen =
  %chosen = select i1 %mine, i32 %i, i32 %found
; ALL: uniform:{{.*}}%more =
  %more = add i32 %sum, %i
  %next = add nuw nsw i32 %i, 1
  %again = icmp ult i32 %next, %n
  br i1 %again, label %loop, label %exit
exit:
  ret void
}
