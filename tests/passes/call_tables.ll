; A switch over a number from a constant table becomes a switch over the index.
; RUN: %passes=hiplz-call-tables %s | FileCheck %s
@table = internal addrspace(1) constant [3 x i64] [i64 16, i64 48, i64 32]
@repeated = internal addrspace(1) constant [4 x i64] [i64 32, i64 16, i64 32, i64 7]
@variable = internal addrspace(1) global [2 x i64] [i64 16, i64 32]
@set_by_host = addrspace(1) externally_initialized constant [2 x i64] [i64 16, i64 32]

; 48 is no function's number.
; CHECK-LABEL: @direct(
; CHECK-NOT: load
; CHECK: [[INDEX:%.*]] = trunc i64 %i to i32
; CHECK-NEXT: switch i32 [[INDEX]], label %wild [
; CHECK-NEXT: i32 0, label %one
; CHECK-NEXT: i32 2, label %two
; CHECK-NEXT: ]
define i32 @direct(i64 %i) {
  %at = getelementptr [3 x i64], [3 x i64] addrspace(1)* @table, i64 0, i64 %i
  %number = load i64, i64 addrspace(1)* %at
  %low = trunc i64 %number to i32
  switch i32 %low, label %wild [ i32 16, label %one
                                 i32 32, label %two ]
wild:
  ret i32 0
one:
  ret i32 1
two:
  ret i32 2
}

; A block that is reached twice has an entry for each time.
; CHECK-LABEL: @always(
; CHECK: switch i32 %index, label %wild [
; CHECK-NEXT: i32 0, label %join
; CHECK-NEXT: i32 1, label %one
; CHECK-NEXT: i32 2, label %join
; CHECK-NEXT: ]
; CHECK: phi i32 [ 1, %one ], [ 0, %wild ], [ 2, %entry ], [ 2, %entry ]
define i32 @always(i32 %i) {
entry:
  %index = and i32 %i, 3
  %wide = zext i32 %index to i64
  %at = getelementptr [4 x i8*], [4 x i8*] addrspace(1)* bitcast ([4 x i64] addrspace(1)* @repeated to [4 x i8*] addrspace(1)*), i64 0, i64 %wide
  %pointer = load i8*, i8* addrspace(1)* %at
  %number = ptrtoint i8* %pointer to i64
  switch i64 %number, label %wild [ i64 16, label %one
                                    i64 32, label %join ]
wild:
  br label %join
one:
  br label %join
join:
  %r = phi i32 [ 2, %entry ], [ 1, %one ], [ 0, %wild ]
  ret i32 %r
}

; An index that is always one of the table's needs no default.
; CHECK-LABEL: @never_default(
; CHECK: [[FIRST:%.*]] = icmp eq i32 %index, 0
; CHECK-NEXT: br i1 [[FIRST]], label %one, label %two
; CHECK-NOT: wild:
define i32 @never_default(i32 %i) {
  %index = and i32 %i, 1
  %wide = zext i32 %index to i64
  %at = getelementptr [2 x i64], [2 x i64] addrspace(1)* @pair, i64 0, i64 %wide
  %number = load i64, i64 addrspace(1)* %at
  switch i64 %number, label %wild [ i64 16, label %one
                                    i64 32, label %two ]
wild:
  ret i32 0
one:
  ret i32 1
two:
  ret i32 2
}
@pair = internal addrspace(1) constant [2 x i64] [i64 16, i64 32]

; A table that may change, and one that is read as something else, stay.
; CHECK-LABEL: @changes(
; CHECK: switch i64 %number
; CHECK: switch i64 %other
; CHECK: switch i32 %half
define i32 @changes(i64 %i) {
  %at = getelementptr [2 x i64], [2 x i64] addrspace(1)* @variable, i64 0, i64 %i
  %number = load i64, i64 addrspace(1)* %at
  switch i64 %number, label %next [ i64 16, label %one ]
next:
  %also = getelementptr [2 x i64], [2 x i64] addrspace(1)* @set_by_host, i64 0, i64 %i
  %other = load i64, i64 addrspace(1)* %also
  switch i64 %other, label %last [ i64 16, label %one ]
last:
  %part = getelementptr [6 x i32], [6 x i32] addrspace(1)* bitcast ([3 x i64] addrspace(1)* @table to [6 x i32] addrspace(1)*), i64 0, i64 %i
  %half = load i32, i32 addrspace(1)* %part
  switch i32 %half, label %wild [ i32 16, label %one ]
wild:
  ret i32 0
one:
  ret i32 1
}

; A function with the switch that was not inlined: the table gets a copy, and what nobody needs any more goes.
; CHECK-LABEL: @through_function(
; CHECK: call spir_func i32 @hiplz.call.0.table(float 1.000000e+00, i64 %wide)
define i32 @through_function(i32 %i) {
  %index = and i32 %i, 1
  %wide = zext i32 %index to i64
  %at = getelementptr [2 x i64], [2 x i64] addrspace(1)* @pair, i64 0, i64 %wide
  %number = load i64, i64 addrspace(1)* %at
  %r = call spir_func i32 @hiplz.call.0(float 1.0, i64 %number)
  ret i32 %r
}
; CHECK-LABEL: @through_unknown(
; CHECK: call spir_func i32 @hiplz.call.1(float 1.000000e+00, i64 %number)
define i32 @through_unknown(i64 %number) {
  %r = call spir_func i32 @hiplz.call.1(float 1.0, i64 %number)
  ret i32 %r
}
; CHECK-NOT: @hiplz.call.0(
define internal spir_func i32 @hiplz.call.0(float %x, i64 %number) {
  %low = trunc i64 %number to i32
  switch i32 %low, label %wild [ i32 16, label %one
                                 i32 32, label %two ]
wild:
  call spir_func void @hiplz.wild_call()
  ret i32 0
one:
  ret i32 1
two:
  ret i32 2
}
; CHECK-LABEL: define internal spir_func i32 @hiplz.call.1(
; CHECK: switch i32 %low, label %wild [
define internal spir_func i32 @hiplz.call.1(float %x, i64 %number) {
  %low = trunc i64 %number to i32
  switch i32 %low, label %wild [ i32 16, label %one ]
wild:
  call spir_func void @hiplz.wild_call()
  ret i32 0
one:
  ret i32 1
}
declare spir_func void @hiplz.wild_call()
; CHECK-LABEL: define internal spir_func i32 @hiplz.call.0.table(float %x, i64 %number)
; CHECK: [[INDEX:%.*]] = trunc i64 %number to i32
; CHECK: icmp eq i32 [[INDEX]], 0
; CHECK-NOT: wild
