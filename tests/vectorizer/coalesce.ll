; Two accesses of a work-item to neighbouring words become one, and one word of the gather or scatter.
; RUN: %vectorize coalesce -rows -width=8 %s | %check
; RUN: %vectorize vectorize -rows -width=8 %s | %check --check-prefix=WARP

; CHECK-LABEL: define void @complex(
; CHECK: load <2 x float>, ptr %a0, align 8
; CHECK: extractelement <2 x float> {{.*}}, i64 0
; CHECK: extractelement <2 x float> {{.*}}, i64 1
; CHECK-NOT: load float
; CHECK: insertelement <2 x float> poison, float %sum, i64 1
; CHECK: insertelement <2 x float> {{.*}}, float %difference, i64 0
; CHECK: store <2 x float> {{.*}}, align 8
; CHECK-NOT: store float
; WARP-LABEL: define internal void @warp8.complex(
; WARP: call <8 x i64> @llvm.masked.gather.v8i64
; WARP: bitcast <8 x i64> {{.*}} to <16 x float>
; WARP: bitcast <16 x float> {{.*}} to <8 x i64>
; WARP: call void @llvm.masked.scatter.v8i64
define void @complex(ptr %item, ptr %p, ptr %q) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %ip = getelementptr i64, ptr %q, i64 %i
  %k = load i64, ptr %ip
  %a0 = getelementptr [2 x float], ptr %p, i64 %k
  %re = load float, ptr %a0, align 8
  %a1 = getelementptr [2 x float], ptr %p, i64 %k, i64 1
  %im = load float, ptr %a1, align 4
  %sum = fadd float %re, %im
  %difference = fsub float %re, %im
  store float %sum, ptr %a1, align 4
  store float %difference, ptr %a0, align 8
  ret void
}

; Not across a store, which might write the second word, and not if an access between them might see the first store too late.
; CHECK-LABEL: define void @between(
; CHECK-NOT: <2 x i32>
; CHECK: ret void
define void @between(ptr %item, ptr %p, ptr %q) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %ip = getelementptr i64, ptr %q, i64 %i
  %k = load i64, ptr %ip
  %a0 = getelementptr [2 x i32], ptr %p, i64 %k
  %a1 = getelementptr i8, ptr %a0, i64 4
  %x = load i32, ptr %a0
  store i64 1, ptr %ip
  %y = load i32, ptr %a1
  store i32 %y, ptr %a0
  %z = load i64, ptr %ip
  %t = trunc i64 %z to i32
  %s = add i32 %t, %x
  store i32 %s, ptr %a1
  ret void
}

; Neighbouring lanes need no words, nor do accesses of one address, nor is a volatile access joined.
; CHECK-LABEL: define void @others(
; CHECK-NOT: <2 x float>
; CHECK: ret void
define void @others(ptr %item, ptr %p, ptr %q) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %a0 = getelementptr float, ptr %p, i64 %i
  %v0 = load float, ptr %a0
  %a1 = getelementptr i8, ptr %a0, i64 4
  %v1 = load float, ptr %a1
  %q1 = getelementptr i8, ptr %q, i64 4
  %v2 = load float, ptr %q
  %v3 = load float, ptr %q1
  %k = fptosi float %v0 to i64
  %b0 = getelementptr float, ptr %p, i64 %k
  %b1 = getelementptr i8, ptr %b0, i64 4
  %v4 = load float, ptr %b0
  %v5 = load volatile float, ptr %b1
  %s1 = fadd float %v1, %v2
  %s2 = fadd float %v3, %v4
  %s3 = fadd float %s1, %s2
  %s4 = fadd float %s3, %v5
  store float %s4, ptr %a0
  ret void
}

; Two halfwords side by side are a word, also where all lanes' words are side by side: a halfword has no access under a mask.
; CHECK-LABEL: define void @halfs(
; CHECK: store <2 x half>
; CHECK-NOT: store half
; WARP-LABEL: define internal void @warp8.halfs(
; WARP: [[WORDS:%.*]] = call <8 x i32> @llvm.masked.load.v8i32
; WARP: bitcast <8 x i32> [[WORDS]] to <16 x half>
; WARP: shufflevector <16 x i16>
; WARP-NOT: shufflevector <{{[0-9]+}} x half>
; WARP: call void @llvm.masked.store.v8i32
define void @halfs(ptr %item, ptr %p, ptr %q, i32 %n) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %c = icmp slt i32 %linear, %n
  br i1 %c, label %then, label %end
then:
  %i = zext i32 %linear to i64
  %a = getelementptr <2 x half>, ptr %q, i64 %i
  %both = load <2 x half>, ptr %a, align 4
  %x = extractelement <2 x half> %both, i64 0
  %y = extractelement <2 x half> %both, i64 1
  %s = fadd half %x, %y
  %d = fsub half %x, %y
  %o = getelementptr <2 x half>, ptr %p, i64 %i
  store half %s, ptr %o, align 4
  %o1 = getelementptr i8, ptr %o, i64 2
  store half %d, ptr %o1, align 2
  br label %end
end:
  ret void
}

; The four bytes of a uchar4 are a word, and so are those that are written; lanes that are neighbours have a vector of words.
; CHECK-LABEL: define void @bytes(
; CHECK: [[WORD:%.*]] = load i32, ptr %a0, align 4
; CHECK-NOT: load i8
; CHECK-NOT: load i16
; CHECK-NOT: store i8
; CHECK-NOT: store i16
; CHECK: store i32 {{.*}}, align 4
; CHECK: ret void
; WARP-LABEL: define internal void @warp8.bytes(
; WARP: load <8 x i32>, ptr
; WARP: store <8 x i32>
; WARP-NOT: gather
; WARP: ret void
define void @bytes(ptr %item, ptr %p, ptr %q) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %a0 = getelementptr [4 x i8], ptr %p, i64 %i
  %v0 = load i8, ptr %a0, align 4
  %a1 = getelementptr [4 x i8], ptr %p, i64 %i, i64 1
  %v1 = load i8, ptr %a1, align 1
  %a2 = getelementptr [4 x i8], ptr %p, i64 %i, i64 2
  %v2 = load i8, ptr %a2, align 2
  %a3 = getelementptr [4 x i8], ptr %p, i64 %i, i64 3
  %v3 = load i8, ptr %a3, align 1
  %b0 = getelementptr [4 x i8], ptr %q, i64 %i
  store i8 %v3, ptr %b0, align 4
  %b1 = getelementptr [4 x i8], ptr %q, i64 %i, i64 1
  store i8 %v2, ptr %b1, align 1
  %b3 = getelementptr [4 x i8], ptr %q, i64 %i, i64 3
  store i8 %v0, ptr %b3, align 1
  %b2 = getelementptr [4 x i8], ptr %q, i64 %i, i64 2
  store i8 %v1, ptr %b2, align 2
  ret void
}

; Bytes that may lie in two words stay by themselves.
; CHECK-LABEL: define void @unaligned(
; CHECK: load i8
; CHECK: load i8
; CHECK: ret void
define void @unaligned(ptr %item, ptr %p, ptr %q) {
entry:
  %xp = getelementptr inbounds i8, ptr %item, i64 28
  %x = load i32, ptr %xp
  %i = zext i32 %x to i64
  %a0 = getelementptr [2 x i8], ptr %p, i64 %i
  %v0 = load i8, ptr %a0, align 1
  %a1 = getelementptr [2 x i8], ptr %p, i64 %i, i64 1
  %v1 = load i8, ptr %a1, align 1
  %sum = add i8 %v0, %v1
  %to = getelementptr i8, ptr %q, i64 %i
  store i8 %sum, ptr %to
  ret void
}

; Words that may be the other word of another lane's pair: all lanes store the first ones first. Loads have no order.
; CHECK-LABEL: define void @overlapping(
; CHECK: load <2 x i32>
; CHECK-NOT: store <2 x i32>
; CHECK: ret void
define void @overlapping(ptr %item, ptr %p, ptr %q) {
entry:
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %ip = getelementptr i64, ptr %q, i64 %i
  %k = load i64, ptr %ip
  %a0 = getelementptr i32, ptr %p, i64 %k
  %a1 = getelementptr i32, ptr %a0, i64 1
  %x = load i32, ptr %a0, align 4
  %y = load i32, ptr %a1, align 4
  store i32 %y, ptr %a0, align 4
  store i32 %x, ptr %a1, align 4
  ret void
}
