// SPDX-License-Identifier: MIT
// Kernels of bench_level_zero: reading and writing memory, and arithmetic without memory, for each type and width of vectors.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define READ(name, type, sum)                                                                                          \
  kernel void read_##name(const global type *from, global float *out, uint step) {                                     \
    const size_t i = get_global_id(0);                                                                                 \
    type total = 0;                                                                                                    \
    for (uint part = 0; part < 16; ++part)                                                                             \
      total += from[i + part * (size_t)step];                                                                          \
    out[i] = sum;                                                                                                      \
  }
READ(float1, float, total)
READ(float2, float2, total.x + total.y)
READ(float4, float4, total.x + total.y + total.z + total.w)
READ(float8, float8, dot(total.lo, total.hi))
READ(float16, float16, dot(total.lo.lo, total.lo.hi) + dot(total.hi.lo, total.hi.hi))

// Two values that depend on each other, 16 multiplications and additions a round, as benchmarks of peak rates do it.
#define FOUR(x, y)                                                                                                     \
  x = mad(y, x, y);                                                                                                    \
  y = mad(x, y, x);                                                                                                    \
  x = mad(y, x, y);                                                                                                    \
  y = mad(x, y, x);
#define INT_FOUR(x, y)                                                                                                 \
  x = y * x + y;                                                                                                       \
  y = x * y + x;                                                                                                       \
  x = y * x + y;                                                                                                       \
  y = x * y + x;
#define COMPUTE(name, type, scalar, step, last)                                                                        \
  kernel void compute_##name(global scalar *out, scalar seed, int rounds) {                                            \
    type x = (type)seed, y = (type)(scalar)get_local_id(0);                                                            \
    for (int round = 0; round < rounds; ++round) {                                                                     \
      step(x, y) step(x, y) step(x, y) step(x, y)                                                                      \
    }                                                                                                                  \
    y += x;                                                                                                            \
    out[get_global_id(0)] = last;                                                                                      \
  }
#define WIDTHS(scalar, step)                                                                                           \
  COMPUTE(scalar##1, scalar, scalar, step, y)                                                                          \
  COMPUTE(scalar##2, scalar##2, scalar, step, y.x + y.y)                                                               \
  COMPUTE(scalar##4, scalar##4, scalar, step, y.x + y.y + y.z + y.w)                                                   \
  COMPUTE(scalar##8, scalar##8, scalar, step, y.s0 + y.s1 + y.s2 + y.s3 + y.s4 + y.s5 + y.s6 + y.s7)                   \
  COMPUTE(scalar##16, scalar##16, scalar, step,                                                                        \
          y.s0 + y.s1 + y.s2 + y.s3 + y.s4 + y.s5 + y.s6 + y.s7 + y.s8 + y.s9 + y.sa + y.sb + y.sc + y.sd + y.se + y.sf)
WIDTHS(int, INT_FOUR)
WIDTHS(float, FOUR)
WIDTHS(double, FOUR)
WIDTHS(half, FOUR)

kernel void nothing(void) {}
kernel void increment(global int *value) { ++*value; }
kernel void copy(const global uint4 *from, global uint4 *to) { to[get_global_id(0)] = from[get_global_id(0)]; }

// One texel for each work-item; `out` has one number for each.
kernel void image_read(read_only image2d_t image, global float *out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[at.y * get_global_size(0) + at.x] = read_imagef(image, at).x;
}
kernel void image_sample(read_only image2d_t image, sampler_t sampler, global float *out) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  out[at.y * get_global_size(0) + at.x] = read_imagef(image, sampler, convert_float2(at) + 0.25f).x;
}
kernel void image_write(write_only image2d_t image, global const float *from) {
  const int2 at = (int2)(get_global_id(0), get_global_id(1));
  const float value = from[at.y * get_global_size(0) + at.x];
  write_imagef(image, at, (float4)(value, 1, 0.5f, value));
}
