; A managed variable becomes a pointer that the runtime fills, with its initial value beside it; every use, also in constant
; expressions, reads the pointer. Launch bounds become SPIR-V's limit of a block. Annotations of another kind mean nothing.
; RUN: %passes=hiplz-prepare,hiplz-managed-variables %s | FileCheck %s

; CHECK-DAG: @x.managed = addrspace(1) externally_initialized global [2 x i32] [i32 5, i32 6]{{.*}} #[[MANAGED:[0-9]+]]
; CHECK-DAG: @x = addrspace(1) externally_initialized global [2 x i32] addrspace(1)* null
; CHECK-DAG: @hidden = addrspace(1) externally_initialized global i32 addrspace(1)* null
; CHECK-DAG: @unused = addrspace(1) externally_initialized global i32 addrspace(1)* null
; CHECK-DAG: @other = addrspace(1) global i32 1
@x = addrspace(1) global [2 x i32] [i32 5, i32 6]
@hidden = internal addrspace(1) global i32 0
@unused = addrspace(1) global i32 0
@other = addrspace(1) global i32 1
@.managed = private unnamed_addr constant [14 x i8] c"hiplz.managed\00", section "llvm.metadata"
@.bounds = private unnamed_addr constant [20 x i8] c"hiplz.launch_bounds\00", section "llvm.metadata"
@.another = private unnamed_addr constant [8 x i8] c"another\00", section "llvm.metadata"
@.args = private unnamed_addr constant { i32, i32 } { i32 64, i32 2 }, section "llvm.metadata"
@.wide = private unnamed_addr constant { i64 } { i64 32 }, section "llvm.metadata"
@.none = private unnamed_addr constant { i32 } zeroinitializer, section "llvm.metadata"
@llvm.global.annotations = appending global [8 x { i8*, i8*, i8*, i32, i8* }] [
  { i8*, i8*, i8*, i32, i8* } { i8* addrspacecast (i8 addrspace(1)* bitcast ([2 x i32] addrspace(1)* @x to i8 addrspace(1)*) to i8*), i8* getelementptr inbounds ([14 x i8], [14 x i8]* @.managed, i32 0, i32 0), i8* null, i32 1, i8* null },
  { i8*, i8*, i8*, i32, i8* } { i8* addrspacecast (i8 addrspace(1)* bitcast (i32 addrspace(1)* @hidden to i8 addrspace(1)*) to i8*), i8* getelementptr inbounds ([14 x i8], [14 x i8]* @.managed, i32 0, i32 0), i8* null, i32 1, i8* null },
  { i8*, i8*, i8*, i32, i8* } { i8* addrspacecast (i8 addrspace(1)* bitcast (i32 addrspace(1)* @unused to i8 addrspace(1)*) to i8*), i8* getelementptr inbounds ([14 x i8], [14 x i8]* @.managed, i32 0, i32 0), i8* null, i32 1, i8* null },
  { i8*, i8*, i8*, i32, i8* } { i8* addrspacecast (i8 addrspace(1)* bitcast (i32 addrspace(1)* @other to i8 addrspace(1)*) to i8*), i8* getelementptr inbounds ([8 x i8], [8 x i8]* @.another, i32 0, i32 0), i8* null, i32 1, i8* null },
  { i8*, i8*, i8*, i32, i8* } { i8* bitcast (void (i32 addrspace(1)*)* @kernel to i8*), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.bounds, i32 0, i32 0), i8* null, i32 1, i8* bitcast ({ i32, i32 }* @.args to i8*) },
  { i8*, i8*, i8*, i32, i8* } { i8* bitcast (void ()* @twice to i8*), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.bounds, i32 0, i32 0), i8* null, i32 1, i8* bitcast ({ i64 }* @.wide to i8*) },
  { i8*, i8*, i8*, i32, i8* } { i8* bitcast (void ()* @twice to i8*), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.bounds, i32 0, i32 0), i8* null, i32 1, i8* bitcast ({ i32, i32 }* @.args to i8*) },
  { i8*, i8*, i8*, i32, i8* } { i8* bitcast (void ()* @zero to i8*), i8* getelementptr inbounds ([20 x i8], [20 x i8]* @.bounds, i32 0, i32 0), i8* null, i32 1, i8* bitcast ({ i32 }* @.none to i8*) }], section "llvm.metadata"

; CHECK-LABEL: define spir_kernel void @kernel(
; CHECK-SAME: !max_work_group_size ![[BOUND64:[0-9]+]]
; CHECK-DAG: %[[HIDDEN:.*]] = load i32 addrspace(1)*, i32 addrspace(1)* addrspace(1)* @hidden
; CHECK-DAG: %[[X:.*]] = load [2 x i32] addrspace(1)*, [2 x i32] addrspace(1)* addrspace(1)* @x
; CHECK: getelementptr inbounds [2 x i32], [2 x i32] addrspace(1)* %[[X]], i64 0, i64 1
; CHECK: load i32, i32 addrspace(1)* %[[HIDDEN]]
define spir_kernel void @kernel(i32 addrspace(1)* %out) {
  %second = load i32, i32 addrspace(1)* getelementptr inbounds ([2 x i32], [2 x i32] addrspace(1)* @x, i64 0, i64 1)
  %hidden = load i32, i32 addrspace(1)* @hidden
  %sum = add i32 %second, %hidden
  store i32 %sum, i32 addrspace(1)* %out
  ret void
}
; CHECK: define spir_kernel void @twice() !max_work_group_size ![[BOUND32:[0-9]+]]
define spir_kernel void @twice() {
  ret void
}
; CHECK: define spir_kernel void @zero() {
define spir_kernel void @zero() {
  ret void
}
; CHECK-DAG: attributes #[[MANAGED]] = { "hiplz.managed" }
; CHECK-DAG: ![[BOUND64]] = !{i32 64, i32 64, i32 64}
; CHECK-DAG: ![[BOUND32]] = !{i32 32, i32 32, i32 32}
