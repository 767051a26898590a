; The number of blocks times their size is the global size, in the widths that kernels ask for it.
; RUN: %passes=hiplz-grid-size %s | FileCheck %s

declare spir_func i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32)
declare spir_func i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32)
declare spir_func i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32)

; CHECK-LABEL: @narrow(
; CHECK: call spir_func i64 @_Z25__spirv_BuiltInGlobalSizei(i32 0)
; CHECK-NOT: mul
; CHECK: ret i32
define i32 @narrow() {
  %count = call spir_func i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32 0)
  %size = call spir_func i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32 0)
  %a = trunc i64 %count to i32
  %b = trunc i64 %size to i32
  %product = mul i32 %b, %a
  ret i32 %product
}

; CHECK-LABEL: @wide(
; CHECK: call spir_func i64 @_Z25__spirv_BuiltInGlobalSizei(i32 2)
; CHECK-NEXT: ret i64
define i64 @wide() {
  %count = call spir_func i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32 2)
  %size = call spir_func i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32 2)
  %product = mul i64 %count, %size
  ret i64 %product
}

; CHECK-LABEL: @others(
; CHECK: mul i64 %count, %size
; CHECK: mul i64 %size, %group
define i64 @others() {
  %count = call spir_func i64 @_Z28__spirv_BuiltInNumWorkgroupsi(i32 1)
  %size = call spir_func i64 @_Z28__spirv_BuiltInWorkgroupSizei(i32 0)
  %group = call spir_func i64 @_Z26__spirv_BuiltInWorkgroupIdi(i32 0)
  %mixed = mul i64 %count, %size
  %start = mul i64 %size, %group
  %sum = add i64 %mixed, %start
  ret i64 %sum
}
