; Whatever the layout of the lanes, blockIdx.x * blockDim.x + threadIdx.x ascends from lane to lane where the caller promises that it
; does not wrap, and memory is accessed side by side. Offsets: groupId 16, localId 28, live 44, firstGlobalX 60, tables of local ids
; from 64 on, groupX 576.
; RUN: %vectorize vectorize -layout=line -global-ids -width=8 %s | %check --check-prefixes=ALL,ONE-ROW
; RUN: %vectorize vectorize -layout=singles -global-ids -width=8 %s | %check --check-prefixes=ALL,SINGLES
; RUN: %vectorize vectorize -layout=blocks -global-ids -width=8 %s | %check --check-prefixes=ALL,BLOCKS
; RUN: %vectorize vectorize -layout=line -width=8 %s | %check --check-prefix=WRAPS
; RUN: %vectorize vectorize -layout=blocks -width=8 %s | %check --check-prefix=WRAPS

; ALL-LABEL: define internal void @warp8.global(ptr
; WRAPS-LABEL: define internal void @warp8.global(ptr
define void @global(ptr %item, ptr %in, ptr %out, i32 %n) {
entry:
  %gp = getelementptr inbounds i8, ptr %item, i64 16
  %g = load i32, ptr %gp
  %launch = load ptr, ptr %item
  %sp = getelementptr inbounds i8, ptr %launch, i64 20
  %size = load i32, ptr %sp
  %base = mul i32 %size, %g
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
; ALL: [[FIELD:%.*]] = getelementptr inbounds i8, ptr %0, i64 60
; ALL-NEXT: [[FIRST:%.*]] = load i32, ptr [[FIELD]]
  %i = add i32 %base, %x
  %c = icmp slt i32 %i, %n
  br i1 %c, label %then, label %join
then:
; ALL: %wide = sext i32 [[FIRST]] to i64
; ALL: call <8 x i32> @llvm.masked.load
; WRAPS: call <8 x float> @llvm.masked.gather
  %wide = sext i32 %i to i64
  %a = getelementptr float, ptr %in, i64 %wide
  %v = load float, ptr %a
; ALL: call void @llvm.masked.store
; WRAPS: call void @llvm.masked.scatter
  %b = getelementptr float, ptr %out, i64 %wide
  store float %v, ptr %b
  br label %join
join:
  ret void
}

; The number of the work-group: uniform in one row, ascending where each lane is a work-group, from a table otherwise.
; ALL-LABEL: define internal void @warp8.group(ptr
define void @group(ptr %item, ptr %out) {
  %gp = getelementptr inbounds i8, ptr %item, i64 16
; ONE-ROW: getelementptr inbounds i8, ptr %0, i64 16
; SINGLES: getelementptr inbounds i8, ptr %0, i64 16
; BLOCKS: [[GROUP:%.*]] = getelementptr inbounds i8, ptr %0, i64 576
; BLOCKS-NEXT: load <8 x i32>, ptr [[GROUP]]
  %g = load i32, ptr %gp
  %wide = zext i32 %g to i64
  %a = getelementptr i32, ptr %out, i64 %wide
; ONE-ROW: store i32 1
; SINGLES: call void @llvm.masked.store
; BLOCKS: call void @llvm.masked.scatter
  store i32 1, ptr %a
  ret void
}

; The other ids of the work-item: constants in one row and in groups of one.
; ALL-LABEL: define internal void @warp8.local(ptr
define void @local(ptr %item, ptr %out) {
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %yp = getelementptr inbounds i8, ptr %item, i64 32
  %y = load i32, ptr %yp
  %wide = zext i32 %x to i64
  %a = getelementptr i32, ptr %out, i64 %wide
; ONE-ROW: call void @llvm.masked.store.v8i32.p0(<8 x i32> zeroinitializer
; SINGLES: store i32 0, ptr
; BLOCKS: call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> zeroinitializer
  store i32 %y, ptr %a
  ret void
}

; A function that is called for one lane gets a work-item of its own.
declare void @outside(ptr)
; ALL-LABEL: define internal void @warp8.calls(ptr
define void @calls(ptr %item) {
; SINGLES: add i32 {{.*}}, %lane
; BLOCKS: getelementptr inbounds i8, ptr %0, i64 576
; ALL: call void @outside(ptr
  call void @outside(ptr %item)
  ret void
}
