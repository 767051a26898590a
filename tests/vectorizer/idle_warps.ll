; Regions in which warps with larger x have nothing to do say so by adding 64 (kNoWarpFollows) to what they return.
; RUN: %vectorize split-barriers -width=8 %s | %opt -passes=instcombine,simplifycfg -o - | %check

declare void @hiplz_cpu_warp_barrier(ptr)

; The bound is known when the kernel runs: the warp that stays out says it, and the one that comes in if it is the last.
; CHECK-LABEL: define internal i32 @scalar.region0(
; CHECK: %work = icmp ult i32 %x, %n
; CHECK: then:
; CHECK: %[[NEXT:.*]] = add i32 %x, 8
; CHECK: %[[OTHERS:.*]] = icmp ult i32 %[[NEXT]], %n
; CHECK: store i32 1
; CHECK: select i1 %[[OTHERS]], i32 1, i32 65
; CHECK: join:
; CHECK: phi i32 [ %{{.*}}, %then ], [ 65, %{{.*}} ]
define void @scalar(ptr %warp, ptr %out, i32 %n) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %work = icmp ult i32 %x, %n
  br i1 %work, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  ret void
}

; A bound within the first warp: no other one follows in any case. So it is for the thread zero alone.
; CHECK-LABEL: define internal i32 @few.region0(
; CHECK: store i32 1
; CHECK: ret i32 65
; CHECK-LABEL: define internal i32 @few.region1(
; CHECK: store i32 2
; CHECK: ret i32 127
define void @few(ptr %warp, ptr %out) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %splat = insertelement <8 x i32> poison, i32 %x, i64 0
  %every = shufflevector <8 x i32> %splat, <8 x i32> poison, <8 x i32> zeroinitializer
  %lanes = add <8 x i32> %every, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %c = icmp slt <8 x i32> %lanes, <i32 5, i32 5, i32 5, i32 5, i32 5, i32 5, i32 5, i32 5>
  %bits = bitcast <8 x i1> %c to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  %zero = icmp eq <8 x i32> %lanes, zeroinitializer
  %bits2 = bitcast <8 x i1> %zero to i8
  %any2 = icmp ne i8 %bits2, 0
  br i1 %any2, label %last, label %end
last:
  store i32 2, ptr %out
  br label %end
end:
  ret void
}

; Nothing is said where something is done outside of the branch,
; CHECK-LABEL: define internal i32 @outside.region0(
; CHECK-NOT: 65
; CHECK: ret i32 1
define void @outside(ptr %warp, ptr %out, i32 %n) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %work = icmp ult i32 %x, %n
  br i1 %work, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  store i32 2, ptr %out
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  ret void
}

; where the warp keeps a value of its own for the next region,
; CHECK-LABEL: define internal i32 @kept.region0(
; CHECK-NOT: 65
; CHECK: ret i32 1
define void @kept(ptr %warp, ptr %out, i32 %n) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %work = icmp ult i32 %x, %n
  br i1 %work, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  %value = phi i32 [ 1, %then ], [ 2, %0 ]
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  store i32 %value, ptr %out
  ret void
}

; where the bound is another one in each warp, and where it keeps warps with small x out.
; CHECK-LABEL: define internal i32 @memory.region0(
; CHECK-NOT: 65
; CHECK: ret i32 1
define void @memory(ptr %warp, ptr %out) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %n = load i32, ptr %out
  %work = icmp ult i32 %x, %n
  br i1 %work, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  ret void
}
; CHECK-LABEL: define internal i32 @above.region0(
; CHECK-NOT: 65
; CHECK: ret i32 1
define void @above(ptr %warp, ptr %out, i32 %n) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %work = icmp uge i32 %x, %n
  br i1 %work, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  ret void
}

; A limit that is computed in front of the barrier, and compared there: behind it, it is kept.
; CHECK-LABEL: define internal i32 @crossing.region0(
; CHECK: %limit = sdiv i32 %a, %b
; CHECK: store i32 %limit, ptr %{{.*}}
; CHECK-LABEL: define internal i32 @crossing.region1(
; CHECK: %[[LIMIT:.*]] = load i32, ptr %shared
; CHECK: add i32 %{{.*}}, 8
; CHECK: icmp slt i32 %{{.*}}, %[[LIMIT]]
define void @crossing(ptr %warp, ptr %out, i32 %a, i32 %b) {
  %field = getelementptr i8, ptr %warp, i64 28
  %x = load i32, ptr %field
  %splat = insertelement <8 x i32> poison, i32 %x, i64 0
  %every = shufflevector <8 x i32> %splat, <8 x i32> poison, <8 x i32> zeroinitializer
  %lanes = add <8 x i32> %every, <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7>
  %limit = sdiv i32 %a, %b
  %limits = insertelement <8 x i32> poison, i32 %limit, i64 0
  %bound = shufflevector <8 x i32> %limits, <8 x i32> poison, <8 x i32> zeroinitializer
  %c = icmp slt <8 x i32> %lanes, %bound
  %bits = bitcast <8 x i1> %c to i8
  %any = icmp ne i8 %bits, 0
  br i1 %any, label %then, label %join
then:
  store i32 1, ptr %out
  br label %join
join:
  call void @hiplz_cpu_warp_barrier(ptr %warp)
  br i1 %any, label %again, label %end
again:
  store i32 2, ptr %out
  br label %end
end:
  ret void
}
