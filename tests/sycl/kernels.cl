// SPDX-License-Identifier: MIT
// Kernels of the SYCL tests that do not need a SYCL compiler.
kernel void add(global float *data, float value) { data[get_global_id(0)] += value; }

kernel void addBuffers(global const float *a, global const float *b, global float *sum) {
  size_t i = get_global_id(0);
  sum[i] = a[i] + b[i];
}

// Each texel becomes the mean of the four whose corner it begins at.
kernel void blur(read_only image2d_t from, write_only image2d_t to, sampler_t with) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  write_imagef(to, at, read_imagef(from, with, convert_float2(at)));
}
