; The shadow of initcheck is at the low bits of an address, behind a fixed place. Its addresses have the stride of the memory's, so that
; accesses to it are no gathers.
; RUN: %vectorize print-shapes -rows %s | %check

; CHECK-LABEL: shapes of load:
define void @load(ptr %item, ptr %p) {
  %lp = getelementptr inbounds i8, ptr %item, i64 40
  %linear = load i32, ptr %lp
  %i = zext i32 %linear to i64
  %address = getelementptr inbounds i32, ptr %p, i64 %i
  %bits = ptrtoint ptr %address to i64
; CHECK: strided(4){{.*}}%low =
  %low = and i64 %bits, 17592186044415
; CHECK: strided(4){{.*}}%place =
  %place = or i64 %low, 70368744177664
; CHECK: strided(4){{.*}}%shadow =
  %shadow = inttoptr i64 %place to ptr
  %value = load i32, ptr %shadow
  ret void
}
