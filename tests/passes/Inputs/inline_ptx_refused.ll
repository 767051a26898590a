define i64 @__hiplz_ptx_shared_address(i32 %low) {
  ret i64 0
}
define void @refused(i32 %x, float %f) {
  %1 = call float asm "mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {$0}, {$1}, {$1}, {$0};", "=f,r"(i32 %x)
  %2 = call i64 asm sideeffect "mov.u64 $0, %globaltimer;", "=l"()
  %3 = call i32 asm "addc.u32 $0, $1, $1;", "=r,r"(i32 %x)
  call void asm sideeffect "again: bra again;", ""()
  call void asm sideeffect "bar.sync 1, 64;", ""()
  %4 = call float asm "add.rz.f32 $0, $1, $1;", "=f,f"(float %f)
  ret void
}
