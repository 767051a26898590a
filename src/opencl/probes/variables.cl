// SPDX-License-Identifier: MIT
// A program-scope variable, one for both kernels, whose address the host gets.
global ulong value = 5;
kernel void probe(global ulong *out, ulong number) {
  out[0] = value;
  out[1] = (ulong)&value;
  value = number;
}
kernel void again(global ulong *out, ulong number) {
  out[0] = value + number;
  out[1] = (ulong)&value;
}
