; Loops of machine code whose lanes cannot go one after the other, or had better not, stay as they are (machine_walks.ll).
; RUN: %opt %machine_plugin -passes=hiplz-lane-walks,dce %s | %check

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)
declare i32 @llvm.cttz.i32(i32, i1)
declare void @use(<32 x i32>)

; Lanes might read what others have stored.
; CHECK-LABEL: @stores(
; CHECK-NOT: walk
; CHECK: ret void
define void @stores(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  call void @amdgcn.store.32(<32 x i64> %at, i32 %lanes, <32 x i32> %sum)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; Somebody may wait for the word.
; CHECK-LABEL: @volatile(
; CHECK-NOT: walk
; CHECK: ret void
define void @volatile(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0, ptr %p) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %flag = load volatile i32, ptr %p
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; The sum goes on in lanes that have left.
; CHECK-LABEL: @changesLanesThatHaveLeft(
; CHECK-NOT: walk
; CHECK: ret void
define void @changesLanesThatHaveLeft(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = add <32 x i32> %sum, %word
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; The selection is one of other lanes.
; CHECK-LABEL: @changesOthersBySelection(
; CHECK-NOT: walk
; CHECK: ret void
define void @changesOthersBySelection(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0, <32 x i1> %some) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %some, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; In lanes that have left it is the count of the last round.
; CHECK-LABEL: @usesWhatIsNotKept(
; CHECK-NOT: walk
; CHECK: ret void
define void @usesWhatIsNotKept(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %less)
  ret void
}

; In lanes that have left it is the new sum, in those of the last round the one before.
; CHECK-LABEL: @usesTheRoundBefore(
; CHECK-NOT: walk
; CHECK: ret void
define void @usesTheRoundBefore(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %sum)
  ret void
}

; The last lanes are not known to one.
; CHECK-LABEL: @usesLanes(
; CHECK-NOT: walk
; CHECK: ret void
define void @usesLanes(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0, ptr %p) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  store i32 %lanes, ptr %p
  ret void
}

; A number that depends on who is there.
; CHECK-LABEL: @looksAtOthers(
; CHECK-NOT: walk
; CHECK: ret void
define void @looksAtOthers(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %first = call i32 @llvm.cttz.i32(i32 %lanes, i1 true)
  %of.first = extractelement <32 x i32> %word, i32 %first
  %o = insertelement <32 x i32> poison, i32 %of.first, i32 0
  %os = shufflevector <32 x i32> %o, <32 x i32> poison, <32 x i32> zeroinitializer
  %added = add <32 x i32> %sum, %os
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; Lanes come back that had left.
; CHECK-LABEL: @returnsLanes(
; CHECK-NOT: walk
; CHECK: ret void
define void @returnsLanes(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = xor i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; The next word is in another cache line.
; CHECK-LABEL: @leapsFar(
; CHECK-NOT: walk
; CHECK: ret void
define void @leapsFar(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %lanes)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64, i32 64>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; The word is read for lanes that have left, too.
; CHECK-LABEL: @readsOtherLanes(
; CHECK-NOT: walk
; CHECK: ret void
define void @readsOtherLanes(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ 0, %entry ], [ %all.gone, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %lanes to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %exec)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %ends = icmp eq <32 x i32> %new.count, zeroinitializer
  %ending = and <32 x i1> %ends, %mask
  %bits = bitcast <32 x i1> %ending to i32
  %all.gone = or i32 %bits, %gone
  %others = xor i32 %all.gone, -1
  %rest = and i32 %lanes, %others
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; The number of rounds is not that of one lane.
; CHECK-LABEL: @usesRounds(
; CHECK-NOT: walk
; CHECK: ret void
define void @usesRounds(i32 %live, i32 %exec, i32 %n, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0, ptr %p) {
entry:
  br label %loop
loop:
  %round = phi i32 [ 0, %entry ], [ %next, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %exec to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %exec)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %next = add i32 %round, 1
  %none = icmp eq i32 %next, %n
  br i1 %none, label %done, label %loop
done:
  store i32 %next, ptr %p
  ret void
}

; Neighbours read neighbouring words.
; CHECK-LABEL: @sideBySide(
; CHECK-NOT: walk
; CHECK: ret void
define void @sideBySide(i32 %live, i32 %exec, i32 %n, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %round = phi i32 [ 0, %entry ], [ %next, %loop ]
  %low = phi <32 x i32> [ <i32 0, i32 4, i32 8, i32 12, i32 16, i32 20, i32 24, i32 28, i32 32, i32 36, i32 40, i32 44, i32 48, i32 52, i32 56, i32 60, i32 64, i32 68, i32 72, i32 76, i32 80, i32 84, i32 88, i32 92, i32 96, i32 100, i32 104, i32 108, i32 112, i32 116, i32 120, i32 124>, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ zeroinitializer, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 -1 to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 -1)
  %added = add <32 x i32> %sum, %word
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %new.high = add <32 x i32> %high, zeroinitializer
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %next = add i32 %round, 1
  %none = icmp eq i32 %next, %n
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %new.sum)
  ret void
}

; The sum becomes the count in lanes that are not there.
; CHECK-LABEL: @othersGoRound(
; CHECK-NOT: walk
; CHECK: ret void
define void @othersGoRound(i32 %live, i32 %exec, i32 %n, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
entry:
  br label %loop
loop:
  %round = phi i32 [ 0, %entry ], [ %next, %loop ]
  %low = phi <32 x i32> [ %low0, %entry ], [ %new.low, %loop ]
  %high = phi <32 x i32> [ %high0, %entry ], [ %new.high, %loop ]
  %count = phi <32 x i32> [ %count0, %entry ], [ %new.count, %loop ]
  %sum = phi <32 x i32> [ %sum0, %entry ], [ %new.sum, %loop ]
  %mask = bitcast i32 %exec to <32 x i1>
  %a = zext <32 x i32> %low to <32 x i64>
  %b = zext <32 x i32> %high to <32 x i64>
  %c = shl <32 x i64> %b, <i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32, i64 32>
  %at = or <32 x i64> %a, %c
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %exec)
  %added = add <32 x i32> %sum, %word
  %other = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %sum
  %new.sum = select <32 x i1> %mask, <32 x i32> %added, <32 x i32> %count
  %low.4 = add <32 x i32> %low, <i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4, i32 4>
  %carry = icmp ult <32 x i32> %low.4, %low
  %carries = zext <32 x i1> %carry to <32 x i32>
  %high.4 = add <32 x i32> %high, %carries
  %new.low = select <32 x i1> %mask, <32 x i32> %low.4, <32 x i32> %low
  %new.high = select <32 x i1> %mask, <32 x i32> %high.4, <32 x i32> %high
  %less = add <32 x i32> %count, <i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1, i32 -1>
  %new.count = select <32 x i1> %mask, <32 x i32> %less, <32 x i32> %count
  %next = add i32 %round, 1
  %none = icmp eq i32 %next, %n
  br i1 %none, label %done, label %loop
done:
  call void @use(<32 x i32> %other)
  ret void
}
