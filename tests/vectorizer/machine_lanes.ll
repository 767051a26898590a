; Masks of a wave of machine code that are the same become one value, and selections and masks go whose other lanes nobody reads.
; RUN: %opt %machine_plugin -passes=hiplz-lane-masks %s | %check --check-prefix=MASKS
; RUN: %opt %machine_plugin -passes=hiplz-unused-lanes %s | %check

; EXEC behind `if` is what it was in front of it: (exec & condition) | (exec & ~condition), whatever the condition is.
; MASKS-LABEL: @branch(
; MASKS: store i32 %exec, ptr %p
define void @branch(i32 %live, i32 %exec0, i32 %condition, ptr %p) {
  %exec = and i32 %live, %exec0
  %then = and i32 %exec, %condition
  %else = xor i32 %then, %exec
  %both = or i32 %else, %then
  store i32 %both, ptr %p
  %lanes = bitcast i32 %both to <32 x i1>
  store <32 x i1> %lanes, ptr %p
  ret void
}

; A mask that has lanes of its own is not part of it.
; MASKS-LABEL: @otherLanes(
; MASKS: store i32 %both, ptr %p
define void @otherLanes(i32 %live, i32 %exec0, i32 %condition, i32 %more, ptr %p) {
  %exec = and i32 %live, %exec0
  %then = and i32 %exec, %condition
  %else = xor i32 %more, %exec
  %both = or i32 %else, %then
  store i32 %both, ptr %p
  %lanes = bitcast i32 %both to <32 x i1>
  store <32 x i1> %lanes, ptr %p
  ret void
}

; Lanes leave a loop one after the other; behind it all of them go on.
; MASKS-LABEL: @loop(
; MASKS: behind:
; MASKS: store i32 %exec, ptr %p
define void @loop(i32 %live, i32 %exec0, ptr %conditions, ptr %p) {
entry:
  %exec = and i32 %live, %exec0
  br label %round
round:
  %running = phi i32 [ %exec, %entry ], [ %rest, %round ]
  %left = phi i32 [ 0, %entry ], [ %gone, %round ]
  %condition = load volatile i32, ptr %conditions
  %leaving = and i32 %running, %condition
  %gone = or i32 %left, %leaving
  %not = xor i32 %gone, -1
  %rest = and i32 %running, %not
  %none = icmp eq i32 %rest, 0
  br i1 %none, label %behind, label %round
behind:
  %all = or i32 %rest, %gone
  store i32 %all, ptr %p
  %lanes = bitcast i32 %all to <32 x i1>
  store <32 x i1> %lanes, ptr %p
  ret void
}

; A store through the lanes of a mask reads no others: neither the old value of the register nor the lanes that the carry's mask leaves out.
; CHECK-LABEL: @carry(
; CHECK: %carries = icmp ult <32 x i32> %sum, %a
; CHECK-NOT: and <32 x i1>
; CHECK: %carry = zext <32 x i1> %carries to <32 x i32>
; CHECK-NOT: select
; CHECK: call void @amdgcn.store.32(<32 x i64> %places, i32 %exec, <32 x i32> %high)
define void @carry(i32 %live, i32 %exec0, <32 x i32> %a, <32 x i32> %b, <32 x i32> %old, <32 x i64> %places) {
  %exec = and i32 %live, %exec0
  %lanes = bitcast i32 %exec to <32 x i1>
  %sum = add <32 x i32> %a, %b
  %carries = icmp ult <32 x i32> %sum, %a
  %vcc = and <32 x i1> %carries, %lanes
  %carry = zext <32 x i1> %vcc to <32 x i32>
  %high = add <32 x i32> %b, %carry
  %new = select <32 x i1> %lanes, <32 x i32> %high, <32 x i32> %old
  call void @amdgcn.store.32(<32 x i64> %places, i32 %exec, <32 x i32> %new)
  ret void
}

; Where a scalar register holds the mask, or a wider set of lanes is read, it stays cut to them.
; CHECK-LABEL: @kept(
; CHECK: %vcc = and <32 x i1> %carries, %lanes
; CHECK: store i32 %bits, ptr %p
; CHECK: %wide = and <32 x i1> %others, %lanes
; CHECK: zext <32 x i1> %wide to <32 x i32>
; CHECK: %kept = select <32 x i1> %lanes, <32 x i32> %b, <32 x i32> %old
define void @kept(i32 %live, i32 %exec0, <32 x i32> %a, <32 x i32> %b, <32 x i32> %old, <32 x i64> %places, ptr %p) {
  %exec = and i32 %live, %exec0
  %lanes = bitcast i32 %exec to <32 x i1>
  %carries = icmp ult <32 x i32> %b, %a
  %vcc = and <32 x i1> %carries, %lanes
  %bits = bitcast <32 x i1> %vcc to i32
  store i32 %bits, ptr %p
  %others = icmp ugt <32 x i32> %b, %a
  %wide = and <32 x i1> %others, %lanes
  %more = zext <32 x i1> %wide to <32 x i32>
  call void @amdgcn.store.32(<32 x i64> %places, i32 %live, <32 x i32> %more)
  %kept = select <32 x i1> %lanes, <32 x i32> %b, <32 x i32> %old
  call void @amdgcn.store.32(<32 x i64> %places, i32 %live, <32 x i32> %kept)
  ret void
}

declare void @amdgcn.store.32(<32 x i64>, i32, <32 x i32>)
