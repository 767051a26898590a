; Functions with lines that call each other become one function, in which each line says where it was inlined. The module is verified.
; RUN: %passes=hiplz-recursion %s | FileCheck %s
; CHECK: define internal spir_func i32 @even.frames
; CHECK: !DILocation(line: 20, {{.*}}inlinedAt:

define internal spir_func i32 @even(i32 %n) !dbg !4 {
  %less = sub i32 %n, 1, !dbg !6
  %r = call spir_func i32 @odd(i32 %less), !dbg !6
  %s = add i32 %r, %n, !dbg !6
  ret i32 %s, !dbg !6
}

define internal spir_func i32 @odd(i32 %n) !dbg !7 {
  %zero = icmp eq i32 %n, 0, !dbg !8
  br i1 %zero, label %done, label %more, !dbg !8
more:
  %r = call spir_func i32 @even(i32 %n), !dbg !8
  %s = mul i32 %r, %n, !dbg !8
  ret i32 %s, !dbg !8
done:
  ret i32 0, !dbg !8
}

define spir_kernel void @kernel(i32 addrspace(1)* %out, i32 %n) !dbg !9 {
  %r = call spir_func i32 @even(i32 %n), !dbg !10
  store i32 %r, i32 addrspace(1)* %out, !dbg !10
  ret void, !dbg !10
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, isOptimized: false, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "a.hip", directory: "/")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !{i32 7, !"Dwarf Version", i32 4}
!4 = distinct !DISubprogram(name: "even", file: !1, line: 10, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!5 = !DISubroutineType(types: !11)
!6 = !DILocation(line: 11, column: 1, scope: !4)
!7 = distinct !DISubprogram(name: "odd", file: !1, line: 19, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 20, column: 1, scope: !7)
!9 = distinct !DISubprogram(name: "kernel", file: !1, line: 30, type: !5, unit: !0, spFlags: DISPFlagDefinition)
!10 = !DILocation(line: 31, column: 1, scope: !9)
!11 = !{}
