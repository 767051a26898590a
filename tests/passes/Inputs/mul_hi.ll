; The OpenCL function that products of more than 64 bits use, for the machine that runs the test.
define spir_func i64 @_Z6mul_himm(i64 %a, i64 %b) {
  %x = zext i64 %a to i128
  %y = zext i64 %b to i128
  %p = mul i128 %x, %y
  %h = lshr i128 %p, 64
  %r = trunc i128 %h to i64
  ret i64 %r
}
