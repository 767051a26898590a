; opt loads the passes, with options in the attributes of a body.
; RUN: %opt %plugin -passes='hiplz-canonicalize,hiplz-print-shapes' -disable-output %s | %check
; RUN: %opt %plugin -passes=hiplz-vectorize %s -o - | %check --check-prefix=WARP

; CHECK: strided(1) align(16):{{.*}}%x = load
; WARP: define internal void @warp16.copy(
; WARP: load <16 x float>
; WARP: store <16 x float>
define void @copy(ptr %item, ptr %to, ptr %from) "hiplz-warp-width"="16" "hiplz-lane-layout"="rows" {
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %wide = zext i32 %x to i64
  %source = getelementptr float, ptr %from, i64 %wide
  %value = load float, ptr %source
  %target = getelementptr float, ptr %to, i64 %wide
  store float %value, ptr %target
  ret void
}
