; Copies of a value in the arms of a branch become one before it, and the phi behind them is that value: where an arm has a constant,
; it is the one that its branch implies.
; RUN: %vectorize hoist-common -rows -width=8 %s | %check

; CHECK-LABEL: define void @limit(
; CHECK: [[LAST:%.*]] = add i32 %n, -1
; CHECK: [[INSIDE:%.*]] = icmp slt i32 %x, [[LAST]]
; CHECK: br i1 %first, label %left, label %others
; CHECK: left:
; CHECK-NEXT: store i32 1
; CHECK-NEXT: br label %join
; CHECK: others:
; CHECK-NEXT: [[EDGE:%.*]] = icmp eq i32 %x, 31
; CHECK-NEXT: [[BOTH:%.*]] = select i1 [[EDGE]], i1 [[INSIDE]], i1 false
; CHECK: join:
; CHECK-NOT: phi
; CHECK: select i1 [[INSIDE]], i32 [[LAST]], i32 0
define void @limit(ptr %item, ptr %p, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %lp
  %first = icmp eq i32 %x, 0
  br i1 %first, label %left, label %others

left:
  store i32 1, ptr %p
  %lastLeft = add nsw i32 %n, -1
  %insideLeft = icmp slt i32 %x, %lastLeft
  br label %join

others:
  %edge = icmp eq i32 %x, 31
  %lastOthers = add nuw i32 %n, -1
  %insideOthers = icmp slt i32 %x, %lastOthers
  %both = select i1 %edge, i1 %insideOthers, i1 false
  br i1 %both, label %right, label %join

right:
  store i32 2, ptr %p
  br label %join

join:
  %inside = phi i1 [ %insideLeft, %left ], [ %insideOthers, %others ], [ true, %right ]
  %last = phi i32 [ %lastLeft, %left ], [ %lastOthers, %others ], [ %lastOthers, %right ]
  %r = select i1 %inside, i32 %last, i32 0
  store i32 %r, ptr %p
  ret void
}

; A constant that no branch implies, one that the branch contradicts, and values that differ.
; CHECK-LABEL: define void @different(
; CHECK: join:
; CHECK-NEXT: phi i1 [ %c, %entry ], [ true, %arm ]
; CHECK-NEXT: phi i1 [ %c, %entry ], [ false, %arm ]
; CHECK-NEXT: phi i32 [ %a, %entry ], [ %b, %arm ]
; CHECK-NEXT: phi i1 [ %c, %entry ], [ undef, %arm ]
define void @different(ptr %item, ptr %p, i32 %n) {
entry:
  %c = icmp slt i32 %n, 9
  %d = icmp slt i32 %n, 12
  %a = add i32 %n, 1
  br i1 %d, label %arm, label %join

arm:
  %b = add i32 %n, 2
  br label %join

join:
  %one = phi i1 [ %c, %entry ], [ true, %arm ]
  %two = phi i1 [ %c, %entry ], [ false, %arm ]
  %three = phi i32 [ %a, %entry ], [ %b, %arm ]
  %four = phi i1 [ %c, %entry ], [ undef, %arm ]
  %s = select i1 %one, i32 %three, i32 7
  %t = select i1 %two, i32 %s, i32 8
  %u = select i1 %four, i32 %t, i32 9
  store i32 %u, ptr %p
  ret void
}

; Loads and divisions stay where they are: one may see another value, the other may not be executed at all.
; CHECK-LABEL: define void @stay(
; CHECK: left:
; CHECK-NEXT: load i32
; CHECK-NEXT: sdiv i32
; CHECK: right:
; CHECK-NEXT: load i32
; CHECK-NEXT: sdiv i32
; CHECK: join:
; CHECK-NEXT: phi i32
; CHECK-NEXT: phi i32
define void @stay(ptr %item, ptr %p, i32 %n, i1 %c) {
entry:
  br i1 %c, label %left, label %right

left:
  %l = load i32, ptr %p
  %ld = sdiv i32 5, %n
  br label %join

right:
  %r = load i32, ptr %p
  %rd = sdiv i32 5, %n
  br label %join

join:
  %v = phi i32 [ %l, %left ], [ %r, %right ]
  %d = phi i32 [ %ld, %left ], [ %rd, %right ]
  %s = add i32 %v, %d
  store i32 %s, ptr %p
  ret void
}
