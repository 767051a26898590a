; Loops of machine code in which each lane walks along a row of its own get a copy for one lane after the other.
; RUN: %opt %machine_plugin -passes=hiplz-lane-walks,instcombine %s | %check

declare <32 x i32> @amdgcn.load.32(<32 x i64>, i32)
declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)
declare i32 @llvm.cttz.i32(i32, i1)
declare void @use(<32 x i32>)

; Lanes leave one by one. The place is one number, without the carry between its halves; the sum of lanes that are not there comes from in front.
; CHECK-LABEL: @rows(
; CHECK: call {{(range\(i32 0, 33\) )?}}i32 @llvm.ctpop.i32(i32 %exec)
; CHECK: br i1 %{{.*}}, label %walk, label %loop
; CHECK: loop:
; CHECK: call <32 x i32> @amdgcn.load.32
; CHECK: walk:
; CHECK: store <32 x i32> %sum0, ptr %{{.*}}
; CHECK: store <32 x i32> %sum0, ptr %[[SUMS:[0-9]*]],
; CHECK: walk.lane:
; CHECK: %waiting = phi i32 [ %exec, %walk ], [ %[[OTHERS:.*]], %walk.done ]
; CHECK: call {{(range\(i32 0, 33\) )?}}i32 @llvm.cttz.i32(i32 %waiting, i1 {{false|true}})
; CHECK: walk.round:
; CHECK: %place = phi ptr [ %{{.*}}, %walk.lane ], [ %[[NEXT:.*]], %walk.round ]
; CHECK: %[[WORD:.*]] = load i32, ptr %place, align 1
; CHECK: %[[SUM:.*]] = add i32 %sum{{.*}}, %[[WORD]]
; CHECK: %[[NEXT]] = getelementptr i8, ptr %place, i64 4
; CHECK: br i1 %{{.*}}, label %walk.done, label %walk.round
; CHECK: walk.done:
; CHECK: %[[OWN:.*]] = getelementptr inbounds {{(nuw )?}}i32, ptr %[[SUMS]],
; CHECK: store i32 %[[SUM]], ptr %[[OWN]]
; CHECK: %[[OTHERS]] = and i32 %waiting, %{{.*}}
; CHECK: br i1 %{{.*}}, label %walk.end, label %walk.lane
; CHECK: %new.sum{{.*}} = phi <32 x i32> [ %new.sum, %loop ], [ %{{.*}}, %walk.end ]
define void @rows(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
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
  call void @use(<32 x i32> %new.sum)
  ret void
}

; Lanes that read nothing have 0.
; CHECK-LABEL: @readsFewerLanes(
; CHECK: walk.round:
; CHECK: %[[PLACE:.*]] = select i1 %{{.*}}, ptr {{%[0-9]+, ptr %place|%place, ptr %[0-9]+}}
; CHECK: load i32, ptr %[[PLACE]], align 1
; CHECK: ret void
define void @readsFewerLanes(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0, i32 %some) {
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
  %few = and i32 %lanes, %some
  %word = call <32 x i32> @amdgcn.load.32(<32 x i64> %at, i32 %few)
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

; The high half is no part of one number.
; CHECK-LABEL: @noCarry(
; CHECK: walk.round:
; CHECK-NOT: phi ptr
; CHECK: walk.done:
; CHECK: ret void
define void @noCarry(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
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
  %carry = icmp ult <32 x i32> %low.4, %count
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

; All lanes leave at once.
; CHECK-LABEL: @together(
; CHECK: walk.round:
; CHECK: %place = phi ptr
; CHECK: icmp eq i32 %{{.*}}, %n
; CHECK: walk.done:
; CHECK: ret void
define void @together(i32 %live, i32 %exec, i32 %n, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0) {
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
  call void @use(<32 x i32> %new.sum)
  ret void
}

; A mask has the bits of each lane, and from in front those of lanes that are not there.
; CHECK-LABEL: @keepsMasks(
; CHECK: walk:
; CHECK: %[[NOT:.*]] = xor i32 %exec, -1
; CHECK: %[[KEPT:.*]] = and i32 {{%[0-9]+, %gone0|%gone0, %[0-9]+}}
; CHECK: walk.lane:
; CHECK: %bits{{.*}} = phi i32 [ %[[KEPT]], %walk ], [ %[[BITS:.*]], %walk.done ]
; CHECK: walk.done:
; CHECK: %[[BITS]] = or i32 %bits{{.*}}, %
; CHECK: %all.gone{{.*}} = phi i32 [ %all.gone, %loop ], [ %[[BITS]], %walk.end ]
define void @keepsMasks(i32 %live, i32 %exec, <32 x i32> %low0, <32 x i32> %high0, <32 x i32> %count0, <32 x i32> %sum0, i32 %gone0, ptr %p) {
entry:
  br label %loop
loop:
  %lanes = phi i32 [ %exec, %entry ], [ %rest, %loop ]
  %gone = phi i32 [ %gone0, %entry ], [ %all.gone, %loop ]
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
  store i32 %all.gone, ptr %p
  ret void
}
