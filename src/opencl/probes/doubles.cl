// SPDX-License-Identifier: MIT
// Arithmetic in double precision.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void probe(global ulong *out, ulong number) {
  double x = (double)number;
  out[0] = as_ulong(x / 3.0);
  out[1] = (ulong)(x * x);
}
