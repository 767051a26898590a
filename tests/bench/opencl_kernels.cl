// SPDX-License-Identifier: MIT
// The kernels of opencl.hip for OpenCL itself.
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
kernel void empty() {}
kernel void copy(global double *c, global const double *a) {
  size_t i = get_global_id(0);
  c[i] = a[i];
}
kernel void triad(global double *a, global const double *b, global const double *c, double scalar) {
  size_t i = get_global_id(0);
  a[i] = b[i] + scalar * c[i];
}
