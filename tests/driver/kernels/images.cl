// SPDX-License-Identifier: MIT
// Images of every type and everything that kernels do with them. Coordinates come from memory; colours go there as they are in
// registers, four words each.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable

// Kernels for one type of image: its name, and of a float4 and an int4 the coordinates that it has.
#define KERNELS(type, floats, ints)                                                                                    \
  kernel void sample_##type(read_only type##_t image, sampler_t s, global const float4 *at, global uint4 *to) {        \
    size_t id = get_global_id(0);                                                                                      \
    to[id] = as_uint4(read_imagef(image, s, at[id].floats));                                                           \
  }                                                                                                                    \
  kernel void sample_int_##type(read_only type##_t image, sampler_t s, global const float4 *at, global uint4 *to) {    \
    size_t id = get_global_id(0);                                                                                      \
    to[id] = read_imageui(image, s, at[id].floats);                                                                    \
  }                                                                                                                    \
  kernel void sample_at_ints_##type(read_only type##_t image, sampler_t s, global const float4 *at,                    \
                                    global uint4 *to) {                                                                \
    size_t id = get_global_id(0);                                                                                      \
    to[id] = as_uint4(read_imagef(image, s, convert_int4(at[id]).ints));                                               \
  }                                                                                                                    \
  PLAIN_KERNELS(type, ints)
#define PLAIN_KERNELS(type, ints)                                                                                      \
  kernel void read_##type(read_only type##_t image, global const float4 *at, global uint4 *to) {                       \
    size_t id = get_global_id(0);                                                                                      \
    to[id] = as_uint4(read_imagef(image, convert_int4(at[id]).ints));                                                  \
  }                                                                                                                    \
  kernel void read_int_##type(read_only type##_t image, global const float4 *at, global uint4 *to) {                   \
    size_t id = get_global_id(0);                                                                                      \
    to[id] = as_uint4(read_imagei(image, convert_int4(at[id]).ints));                                                  \
  }                                                                                                                    \
  kernel void write_##type(write_only type##_t image, global const float4 *at, global const uint4 *from) {             \
    size_t id = get_global_id(0);                                                                                      \
    write_imagef(image, convert_int4(at[id]).ints, as_float4(from[id]));                                               \
  }                                                                                                                    \
  kernel void write_int_##type(write_only type##_t image, global const float4 *at, global const uint4 *from) {         \
    size_t id = get_global_id(0);                                                                                      \
    write_imageui(image, convert_int4(at[id]).ints, from[id]);                                                         \
  }                                                                                                                    \
  kernel void double_##type(read_write type##_t image, global const float4 *at) {                                      \
    size_t id = get_global_id(0);                                                                                      \
    int4 position = convert_int4(at[id]);                                                                              \
    write_imagei(image, position.ints, 2 * read_imagei(image, position.ints));                                         \
  }
KERNELS(image1d, x, x)
KERNELS(image1d_array, xy, xy)
KERNELS(image2d, xy, xy)
KERNELS(image2d_array, xyzw, xyzw)
KERNELS(image3d, xyzw, xyzw)
PLAIN_KERNELS(image1d_buffer, x)

// Samplers that the program brings along.
constant sampler_t edge = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t repeat = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_NEAREST;

float4 sampleWith(read_only image2d_t image, sampler_t s, float2 at) { return read_imagef(image, s, at); }

#define CONSTANT_KERNEL(name, which)                                                                                   \
  kernel void constant_##name(read_only image2d_t image, global const float4 *at, global uint4 *to) {                  \
    size_t id = get_global_id(0);                                                                                      \
    const sampler_t mirror = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_LINEAR;             \
    to[id] = as_uint4(which);                                                                                          \
  }
CONSTANT_KERNEL(edge, sampleWith(image, edge, at[id].xy))
CONSTANT_KERNEL(border, read_imagef(image, border, at[id].xy))
CONSTANT_KERNEL(repeat, sampleWith(image, repeat, at[id].xy))
CONSTANT_KERNEL(mirror, sampleWith(image, mirror, at[id].xy))

kernel void halfs(read_only image2d_t image, write_only image2d_t copy, sampler_t s, global const float4 *at,
                  global half4 *to) {
  size_t id = get_global_id(0);
  half4 color = read_imageh(image, s, at[id].xy);
  to[id] = color;
  write_imageh(copy, convert_int2(at[id].xy), color);
}

// Work-items of a group read different numbers of texels, and some none.
kernel void diverge(read_only image2d_t image, sampler_t s, global uint4 *to) {
  size_t id = get_global_id(0);
  float4 sum = 0;
  for (size_t x = 0; x < id % 5; ++x)
    sum += read_imagef(image, s, (float2)(x + 0.5f, id % 3 + 0.5f));
  if (id % 7 != 3)
    to[id] = as_uint4(sum);
}

kernel void describe(read_only image1d_t a, read_only image1d_array_t b, read_only image2d_t c,
                     read_only image2d_array_t d, read_only image3d_t e, read_only image1d_buffer_t f,
                     global int *to) {
  to[0] = get_image_width(a);
  to[1] = get_image_width(b);
  to[2] = (int)get_image_array_size(b);
  to[3] = get_image_width(c);
  to[4] = get_image_height(c);
  to[5] = get_image_dim(c).x;
  to[6] = get_image_dim(c).y;
  to[7] = get_image_width(d);
  to[8] = get_image_height(d);
  to[9] = (int)get_image_array_size(d);
  to[10] = get_image_dim(d).y;
  to[11] = get_image_width(e);
  to[12] = get_image_height(e);
  to[13] = get_image_depth(e);
  to[14] = get_image_dim(e).z;
  to[15] = get_image_width(f);
}

kernel void tellFormat(read_only image2d_t image, global int *to) {
  to[0] = get_image_channel_data_type(image);
  to[1] = get_image_channel_order(image);
}

kernel void depth(read_only image2d_depth_t image, write_only image2d_depth_t copy, sampler_t s, global const float4 *at,
                  global float *to) {
  size_t id = get_global_id(0);
  to[id] = read_imagef(image, s, at[id].xy);
  write_imagef(copy, convert_int2(at[id].xy), 2 * read_imagef(image, convert_int2(at[id].xy)));
}

// The names of types say nothing: both are images.
typedef read_only image2d_t Picture;
kernel void renamed(Picture image, local float4 *beside, global uint4 *to) {
  beside[0] = read_imagef(image, (int2)(1, 0));
  to[0] = as_uint4(beside[0]);
}
