; OpenCL functions that products of more than 64 bits and rotations use, for the machine that runs the test.
define spir_func i64 @_Z20__spirv_ocl_u_mul_himm(i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %p = mul i128 %x, %y
  %h = lshr i128 %p, 64
  %r = trunc i128 %h to i64
  ret i64 %r
}

define spir_func i64 @_Z18__spirv_ocl_rotatell(i64 %x, i64 %n) {
  %by = and i64 %n, 63
  %back = sub i64 64, %by
  %rest = and i64 %back, 63
  %high = shl i64 %x, %by
  %low = lshr i64 %x, %rest
  %r = or i64 %high, %low
  ret i64 %r
}

define spir_func i32 @_Z18__spirv_ocl_rotateii(i32 %x, i32 %n) {
  %by = and i32 %n, 31
  %back = sub i32 32, %by
  %rest = and i32 %back, 31
  %high = shl i32 %x, %by
  %low = lshr i32 %x, %rest
  %r = or i32 %high, %low
  ret i32 %r
}
