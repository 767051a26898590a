// SPDX-License-Identifier: MIT
// Kernels of the SYCL tests that do not need a SYCL compiler.
kernel void add(global float *data, float value) { data[get_global_id(0)] += value; }

kernel void addBuffers(global const float *a, global const float *b, global float *sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}
