; Locations that the translator does not know are dropped, the others stay.
; RUN: %passes=hiplz-debug-info %s | FileCheck %s
; RUN: sed 's/emissionKind: FullDebug/emissionKind: DebugDirectivesOnly/' %s > %t.ll
; RUN: %passes=hiplz-debug-info %t.ll | FileCheck %s --check-prefix=LINES
; CHECK: {{@llvm.dbg.value\(metadata|#dbg_value\(}}{{ ?}}i32 %x, {{.*}}!DIExpression()
; CHECK-NOT: DW_OP_LLVM_convert
; CHECK: ret i32 %x, !dbg
; LINES-NOT: {{!dbg|DILocation|DICompileUnit}}
define i32 @f(i32 %x) !dbg !3 {
  call void @llvm.dbg.value(metadata i32 %x, metadata !6, metadata !DIExpression()), !dbg !8
  call void @llvm.dbg.value(metadata i32 %x, metadata !6, metadata !DIExpression(DW_OP_LLVM_convert, 32, DW_ATE_signed, DW_OP_LLVM_convert, 64, DW_ATE_signed, DW_OP_stack_value)), !dbg !8
  ret i32 %x, !dbg !8
}
declare void @llvm.dbg.value(metadata, metadata, metadata)
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "app.hip", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = distinct !DISubprogram(name: "f", scope: !1, file: !1, line: 1, type: !4, unit: !0, spFlags: DISPFlagDefinition)
!4 = !DISubroutineType(types: !5)
!5 = !{!7}
!6 = !DILocalVariable(name: "x", arg: 1, scope: !3, file: !1, line: 1, type: !7)
!7 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!8 = !DILocation(line: 2, column: 3, scope: !3)
