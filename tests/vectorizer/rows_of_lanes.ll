; Several short rows in a warp: x is a constant of the lanes, y is the same within a row, and what lies side by side in each row is
; read and written row by row, as far as that is known for lanes that are not there. Offsets: groupId 16, localId 28 and 32.
; RUN: %vectorize print-shapes -layout=folded -row-lanes=8 -width=16 %s | %check --check-prefix=SHAPES
; RUN: %vectorize vectorize -layout=folded -row-lanes=8 -width=16 %s | %check

; SHAPES-LABEL: shapes of copy:
; CHECK-LABEL: define internal void @warp16.copy(ptr
define void @copy(ptr %item, ptr %in, ptr %out, i32 %width) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
; SHAPES: varying rows(1) align(4294967296):{{.*}}%x = load
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
; SHAPES: varying rows(0):{{.*}}%y = load
  %y = load i32, ptr %yp
; Nothing is promised for lanes that are not there.
; SHAPES: varying rows(0):{{.*}}%row = mul
; CHECK: mul <16 x i32>
  %row = mul nsw i32 %y, %width
; SHAPES: varying rows(1):{{.*}}%i = add
  %i = add nsw i32 %row, %x
  %wide = sext i32 %i to i64
  %a = getelementptr inbounds float, ptr %in, i64 %wide
; CHECK: shufflevector <16 x i1> %live, <16 x i1> poison, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %{{.*}}, i32 4
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %{{.*}}, i32 4
; CHECK-NOT: masked.gather
  %v = load float, ptr %a
  %b = getelementptr inbounds float, ptr %out, i64 %wide
; CHECK: call void @llvm.masked.store.v8i32.p0
; CHECK: call void @llvm.masked.store.v8i32.p0
; CHECK-NOT: masked.scatter
  store float %v, ptr %b
  ret void
}

; Memory and masks say nothing of a row: a lane that is not there has read nothing.
; SHAPES-LABEL: shapes of unknown:
; CHECK-LABEL: define internal void @warp16.unknown(ptr
define void @unknown(ptr %item, ptr %in, ptr %out, i64 %d) {
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %wide = zext i32 %y to i64
  %yd = getelementptr i64, ptr %in, i64 %wide
; SHAPES: varying:{{.*}}%begin = load
; One number for a row, from memory that any thread may read if the row has none.
; CHECK: [[ANY:%.*]] = icmp ne i8 {{.*}}, 0
; CHECK: [[FIRST:%.*]] = select i1 [[ANY]], ptr %{{.*}}, ptr @hiplz.nowhere
; CHECK: load i64, ptr [[FIRST]]
; CHECK: select i1 %{{.*}}, ptr %{{.*}}, ptr @hiplz.nowhere
; CHECK: load i64
; CHECK-NOT: masked.gather
  %begin = load i64, ptr %yd
; SHAPES: varying:{{.*}}%quotient = udiv
; SHAPES: varying:{{.*}}%frozen = freeze
  %quotient = udiv i64 %wide, 3
  %frozen = freeze i64 %wide
  %wx = zext i32 %x to i64
  %i = add i64 %begin, %wx
  %a = getelementptr float, ptr %out, i64 %i
; CHECK: call void @llvm.masked.scatter
  store float 1.0, ptr %a
  ret void
}

; The numbers that checks make of addresses lie in rows as well: what is known of the memory is read row by row.
; SHAPES-LABEL: shapes of looks_at_rows:
; CHECK-LABEL: define internal void @warp16.looks_at_rows(ptr
define void @looks_at_rows(ptr %item, ptr %in, ptr %known, ptr %out, i64 %begin, i64 %width) "hiplz-looks-at-rows" {
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %wx = zext i32 %x to i64
  %wy = zext i32 %y to i64
  %row = mul i64 %wy, %width
  %i = add i64 %row, %wx
  %a = getelementptr float, ptr %in, i64 %i
; SHAPES: varying rows(4):{{.*}}%number = ptrtoint
  %number = ptrtoint ptr %a to i64
  %offset = sub i64 %number, %begin
  %tag = getelementptr i8, ptr %known, i64 %offset
; CHECK-NOT: masked.gather
; CHECK: call <8 x i32> @llvm.masked.load.v8i32.p0(ptr %{{.*}}, i32 4
; CHECK-NOT: masked.gather
  %v = load i32, ptr %tag
  %b = getelementptr i32, ptr %out, i64 %i
  store i32 %v, ptr %b
  ret void
}
; SHAPES-LABEL: shapes of numbers:
define void @numbers(ptr %item, ptr %in, i64 %width, ptr %out) {
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %wy = zext i32 %y to i64
  %a = getelementptr float, ptr %in, i64 %wy
; SHAPES: varying:{{.*}}%number = ptrtoint
  %number = ptrtoint ptr %a to i64
  store i64 %number, ptr %out
  ret void
}
