; Types that SPIR-V does not have become words of their size where values are only passed on.
; RUN: %passes=hiplz-legal-addresses,hiplz-legal-integers,hiplz-legal-types %s | FileCheck %s

target datalayout = "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"
%struct.Rgb = type { i24 }
%struct.Cell = type { %struct.Cell addrspace(4)*, i24, i48 }
%struct.Row = type { i32, [0 x i64] }
%struct.Holder = type { %struct.Holder addrspace(4)*, %struct.Cell addrspace(4)*, i32 }
%struct.Plain = type { i32, %struct.Plain addrspace(4)* }

; CHECK-DAG: %struct.Holder = type { %struct.Holder addrspace(4)*, { [3 x i64] } addrspace(4)*, i32 }
; CHECK-DAG: %struct.Plain = type { i32, %struct.Plain addrspace(4)* }
; CHECK-DAG: @zero = addrspace(1) externally_initialized global { [3 x i32] } zeroinitializer, align 4
@zero = addrspace(1) externally_initialized global [3 x %struct.Rgb] zeroinitializer, align 4
; CHECK-DAG: @value = internal addrspace(1) constant { [1 x i32] } { [1 x i32] [i32 66051] }
@value = internal addrspace(1) constant %struct.Rgb { i24 66051 }
; CHECK-DAG: @place = addrspace(1) global i8 addrspace(1)* getelementptr (i8, i8 addrspace(1)* bitcast ({ [3 x i32] } addrspace(1)* @zero to i8 addrspace(1)*), i64 8)
@place = addrspace(1) global i8 addrspace(1)* bitcast (%struct.Rgb addrspace(1)* getelementptr ([3 x %struct.Rgb], [3 x %struct.Rgb] addrspace(1)* @zero, i64 0, i64 2) to i8 addrspace(1)*)

; CHECK-NOT: i24
; CHECK-NOT: i48
; CHECK-NOT: [0 x

; A parameter by value keeps its size.
; CHECK: define spir_kernel void @byValue({ [1 x i32] }* byval({ [1 x i32] }) %c, { [3 x i64] } addrspace(1)* %out)
define spir_kernel void @byValue(%struct.Rgb* byval(%struct.Rgb) %c, %struct.Cell addrspace(1)* %out) {
  %from = getelementptr %struct.Rgb, %struct.Rgb* %c, i32 0, i32 0
  %v = load i24, i24* %from, align 4
  %to = getelementptr %struct.Cell, %struct.Cell addrspace(1)* %out, i64 1, i32 1
  store i24 %v, i24 addrspace(1)* %to, align 8
  ret void
}

; CHECK: define internal { [3 x i64] } addrspace(4)* @next({ [3 x i64] } addrspace(4)* %c)
; CHECK: load { [3 x i64] } addrspace(4)*, { [3 x i64] } addrspace(4)* addrspace(4)*
define internal %struct.Cell addrspace(4)* @next(%struct.Cell addrspace(4)* %c) {
  %place = getelementptr %struct.Cell, %struct.Cell addrspace(4)* %c, i32 0, i32 0
  %next = load %struct.Cell addrspace(4)*, %struct.Cell addrspace(4)* addrspace(4)* %place, align 8
  ret %struct.Cell addrspace(4)* %next
}

; CHECK: define i1 @uses(%struct.Holder addrspace(4)* %h)
; CHECK: call { [3 x i64] } addrspace(4)* @next(
; CHECK: icmp eq
; CHECK-SAME: addrspacecast
define i1 @uses(%struct.Holder addrspace(4)* %h) {
  %place = getelementptr %struct.Holder, %struct.Holder addrspace(4)* %h, i32 0, i32 1
  %c = load %struct.Cell addrspace(4)*, %struct.Cell addrspace(4)* addrspace(4)* %place, align 8
  %n = call %struct.Cell addrspace(4)* @next(%struct.Cell addrspace(4)* %c)
  %rgb = bitcast %struct.Cell addrspace(4)* %n to %struct.Rgb addrspace(4)*
  %r = icmp eq %struct.Rgb addrspace(4)* %rgb, addrspacecast (%struct.Rgb addrspace(1)* getelementptr ([3 x %struct.Rgb], [3 x %struct.Rgb] addrspace(1)* @zero, i64 0, i64 1) to %struct.Rgb addrspace(4)*)
  ret i1 %r
}

; A pointer to an array without a bound.
; CHECK: define i32 @row({ [1 x i64] } addrspace(1)* %r)
define i32 @row(%struct.Row addrspace(1)* %r) {
  %place = getelementptr %struct.Row, %struct.Row addrspace(1)* %r, i64 0, i32 0
  %n = load i32, i32 addrspace(1)* %place, align 8
  ret i32 %n
}

define %struct.Plain addrspace(4)* @plain(%struct.Plain addrspace(4)* %p) {
  %next = getelementptr %struct.Plain, %struct.Plain addrspace(4)* %p, i64 1
  ret %struct.Plain addrspace(4)* %next
}
