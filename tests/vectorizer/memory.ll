; Accesses by the shape of the address.
; RUN: %vectorize vectorize -rows -width=8 %s | %check

; CHECK-LABEL: define internal void @warp8.accesses(
define void @accesses(ptr %item, ptr %p, ptr %q, i64 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
; Uniform: one load, spread.
; CHECK: load float, ptr %1
  %u = load float, ptr %p
; Neighbours: one vector.
  %a1 = getelementptr float, ptr %p, i64 %i
; CHECK: load <8 x float>, ptr
  %v1 = load float, ptr %a1
; Backwards.
  %r = sub i64 %n, %i
  %a2 = getelementptr float, ptr %p, i64 %r
; CHECK: load <8 x float>, ptr
; CHECK: shufflevector <8 x float> {{.*}} <i32 7, i32 6, i32 5, i32 4, i32 3, i32 2, i32 1, i32 0>
  %v2 = load float, ptr %a2
; Anywhere.
  %j32 = fptosi float %v1 to i64
  %a3 = getelementptr float, ptr %p, i64 %j32
; CHECK: call <8 x float> @llvm.masked.gather.v8f32.v8p0(
  %v3 = load float, ptr %a3
; Bytes are cut out of words.
  %a4 = getelementptr i8, ptr %p, i64 %j32
; CHECK: call <8 x i32> @llvm.masked.gather.v8i32.v8p0(
; CHECK: lshr <8 x i32>
  %v4 = load i8, ptr %a4
; A boolean takes a byte.
  %a5 = getelementptr i8, ptr %p, i64 %i
; CHECK: load <8 x i8>
; CHECK: trunc <8 x i8> {{.*}} to <8 x i1>
  %v5 = load i1, ptr %a5
  %s1 = fadd float %u, %v1
  %s2 = fadd float %v2, %v3
  %s3 = fadd float %s1, %s2
  %s4 = select i1 %v5, float %s3, float %u
; To one address the last lane writes.
; CHECK: [[LANE:%.*]] = extractelement <8 x float> {{.*}}, i32 7
; CHECK: store float [[LANE]], ptr %2
  store float %s4, ptr %q
  %a6 = getelementptr i8, ptr %q, i64 %j32
; CHECK: lane:
; CHECK: store i8
; CHECK: !llvm.loop
  store i8 %v4, ptr %a6
  ret void
}

; Where the last of some lanes writes what these have loaded, the others need not load it.
; CHECK-LABEL: define internal void @warp8.lastOfSome(
; CHECK: [[ZEROS:%.*]] = call i8 @llvm.ctlz.i8
; CHECK: [[LAST:%.*]] = sub i32 7,
; CHECK: [[WIDE:%.*]] = zext i32 [[LAST]] to i64
; CHECK: [[PLACE:%.*]] = getelementptr float, ptr {{.*}}, i64 [[WIDE]]
; CHECK: [[VALUE:%.*]] = load float, ptr [[PLACE]]
; CHECK: store float [[VALUE]], ptr %2
define void @lastOfSome(ptr %item, ptr %p, ptr %q, i64 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %c = icmp ult i64 %i, %n
  br i1 %c, label %then, label %end
then:
  %a = getelementptr float, ptr %p, i64 %i
  %v = load float, ptr %a
  store float %v, ptr %q
  br label %end
end:
  ret void
}

; Vectors of one work-item lie side by side: one wide load, taken apart.
; CHECK-LABEL: define internal void @warp8.float4(
define void @float4(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %a = getelementptr <4 x float>, ptr %p, i64 %i
; CHECK: load <32 x float>
; CHECK: shufflevector <32 x float> {{.*}} <i32 0, i32 4, i32 8, i32 12,
  %v = load <4 x float>, ptr %a
  %w = fadd <4 x float> %v, %v
; CHECK-COUNT-4: fadd <8 x float>
; CHECK: store <32 x float>
  store <4 x float> %w, ptr %a
  ret void
}

; Long ones are transposed in steps of two vectors of lanes: 8 * log2(8) shuffles each way, not 8 * 7.
; CHECK-LABEL: define internal void @warp8.float8(
define void @float8(ptr %item, ptr %p) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %a = getelementptr <8 x float>, ptr %p, i64 %i
; CHECK: load <64 x float>
; CHECK-COUNT-4: shufflevector <8 x float> {{.*}} <i32 0, i32 2, i32 4, i32 6, i32 8, i32 10, i32 12, i32 14>
; CHECK: shufflevector <8 x float> {{.*}} <i32 1, i32 3, i32 5, i32 7, i32 9, i32 11, i32 13, i32 15>
  %v = load <8 x float>, ptr %a
  %w = fadd <8 x float> %v, %v
; CHECK-COUNT-8: fadd <8 x float>
; CHECK: shufflevector <8 x float> {{.*}} <i32 0, i32 8, i32 1, i32 9, i32 2, i32 10, i32 3, i32 11>
; CHECK: shufflevector <8 x float> {{.*}} <i32 4, i32 12, i32 5, i32 13, i32 6, i32 14, i32 7, i32 15>
; CHECK: store <64 x float>
  store <8 x float> %w, ptr %a
  ret void
}

; Elements two places apart: two vectors, of which the second ends with the last lane's element.
; CHECK-LABEL: define internal void @warp8.twoApart(
; CHECK: %[[FIRST:.*]] = load <8 x float>, ptr %{{.*}}, align 4
; CHECK: %[[SOME:.*]] = shufflevector <8 x float> poison, <8 x float> %[[FIRST]], <8 x i32> <i32 8, i32 10, i32 12, i32 14, i32 4, i32 5, i32 6, i32 7>
; CHECK: getelementptr float, ptr %{{.*}}, i64 7
; CHECK: %[[SECOND:.*]] = load <8 x float>, ptr %{{.*}}, align 4
; CHECK: shufflevector <8 x float> %[[SOME]], <8 x float> %[[SECOND]], <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 9, i32 11, i32 13, i32 15>
; CHECK-NOT: gather
; Stores touch nothing that lies between.
; CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}, <8 x i1> <i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false>)
; CHECK: call void @llvm.masked.store.v8i32.p0({{.*}}, <8 x i1> <i1 false, i1 true, i1 false, i1 true, i1 false, i1 true, i1 false, i1 true>)
; CHECK-NOT: scatter
; CHECK: ret void
define void @twoApart(ptr %item, ptr %p, ptr %q) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr {float, float}, ptr %p, i32 %linear
  %v = load float, ptr %a
  %b = getelementptr {float, float}, ptr %q, i32 %linear
  store float %v, ptr %b
  ret void
}

; Under a mask only the elements of its lanes are loaded; four places apart that is four vectors.
; CHECK-LABEL: define internal void @warp8.fourApart(
; CHECK: then:
; CHECK-COUNT-4: call <8 x i32> @llvm.masked.load.v8i32.p0(
; CHECK-NOT: gather
; CHECK: ret void
define void @fourApart(ptr %item, ptr %p, ptr %q, i32 %n) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %c = icmp ult i32 %linear, %n
  br i1 %c, label %then, label %join
then:
  %a = getelementptr {i32, i32, i32, i32}, ptr %p, i32 %linear
  %v = load i32, ptr %a
  %b = getelementptr i32, ptr %q, i32 %linear
  store i32 %v, ptr %b
  br label %join
join:
  ret void
}

; Five places apart, or bytes under a mask: gathered.
; CHECK-LABEL: define internal void @warp8.fiveApart(
; CHECK: call <8 x i32> @llvm.masked.gather
define void @fiveApart(ptr %item, ptr %p, ptr %q) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %a = getelementptr [5 x i32], ptr %p, i32 %linear
  %v = load i32, ptr %a
  %b = getelementptr i32, ptr %q, i32 %linear
  store i32 %v, ptr %b
  ret void
}
