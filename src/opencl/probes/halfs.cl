// SPDX-License-Identifier: MIT
// Arithmetic in half precision.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
kernel void probe(global ulong *out, ulong number) {
  half x = (half)(float)number;
  out[0] = as_ushort((half)(x * x));
  out[1] = (ulong)(uint)(x + (half)0.75f);
}
