; Texture references are variables without a qualifier: the annotation of the member that the host writes tells which they
; are. Static ones become visible to the host; other variables, and other annotations, are left alone.
; RUN: %passes=hiplz-prepare %s | FileCheck %s
; RUN: %passes=hiplz-prepare,hiplz-lower-intrinsics %s | FileCheck %s --check-prefix=LOWERED

%struct.texture = type { i32, i8 addrspace(4)* }

; CHECK-DAG: @open = hidden addrspace(1) externally_initialized global %struct.texture undef
; CHECK-DAG: @_ZL6hidden = {{.*}}addrspace(1) externally_initialized global %struct.texture undef
; CHECK-DAG: @other = internal addrspace(1) global %struct.texture undef
@open = hidden addrspace(1) externally_initialized global %struct.texture undef
@_ZL6hidden = internal addrspace(1) global %struct.texture undef
@other = internal addrspace(1) global %struct.texture undef
@.str = private unnamed_addr addrspace(1) constant [14 x i8] c"hiplz.texture\00", section "llvm.metadata"
@.str.1 = private unnamed_addr addrspace(1) constant [8 x i8] c"another\00", section "llvm.metadata"

; LOWERED-LABEL: define spir_kernel void @read(
; LOWERED-NOT: llvm.ptr.annotation
define spir_kernel void @read(i8 addrspace(4)* addrspace(1)* %out) {
  %open = call i8 addrspace(4)* @llvm.ptr.annotation.p4i8(i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (i8 addrspace(4)* addrspace(1)* getelementptr inbounds (%struct.texture, %struct.texture addrspace(1)* @open, i64 0, i32 1) to i8 addrspace(1)*) to i8 addrspace(4)*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([14 x i8], [14 x i8] addrspace(1)* @.str, i32 0, i32 0) to i8*), i8* null, i32 1, i8* null)
  %hidden = call i8 addrspace(4)* @llvm.ptr.annotation.p4i8(i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (i8 addrspace(4)* addrspace(1)* getelementptr inbounds (%struct.texture, %struct.texture addrspace(1)* @_ZL6hidden, i64 0, i32 1) to i8 addrspace(1)*) to i8 addrspace(4)*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([14 x i8], [14 x i8] addrspace(1)* @.str, i32 0, i32 0) to i8*), i8* null, i32 1, i8* null)
  %other = call i8 addrspace(4)* @llvm.ptr.annotation.p4i8(i8 addrspace(4)* addrspacecast (i8 addrspace(1)* bitcast (i8 addrspace(4)* addrspace(1)* getelementptr inbounds (%struct.texture, %struct.texture addrspace(1)* @other, i64 0, i32 1) to i8 addrspace(1)*) to i8 addrspace(4)*), i8* addrspacecast (i8 addrspace(1)* getelementptr inbounds ([8 x i8], [8 x i8] addrspace(1)* @.str.1, i32 0, i32 0) to i8*), i8* null, i32 1, i8* null)
  store volatile i8 addrspace(4)* %open, i8 addrspace(4)* addrspace(1)* %out
  store volatile i8 addrspace(4)* %hidden, i8 addrspace(4)* addrspace(1)* %out
  store volatile i8 addrspace(4)* %other, i8 addrspace(4)* addrspace(1)* %out
  ret void
}
declare i8 addrspace(4)* @llvm.ptr.annotation.p4i8(i8 addrspace(4)*, i8*, i8*, i32, i8*)
