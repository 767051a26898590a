// SPDX-License-Identifier: MIT
// Every instruction on images, for modules that are damaged (what images do is a test of the driver).
constant sampler_t constantSampler = CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;

__kernel void draw(read_only image2d_t from, write_only image3d_t to, read_write image1d_array_t both, sampler_t with,
                   __global int *sizes) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 color = read_imagef(from, with, convert_float2(at)) + read_imagef(from, constantSampler, convert_float2(at));
  write_imagef(to, (int4)(at, 0, 0), color + read_imagef(from, at));
  write_imagei(both, at, read_imagei(both, at) + read_imagei(from, with, at));
  sizes[0] = get_image_width(from) + get_image_depth(to) + (int)get_image_array_size(both);
  sizes[1] = get_image_channel_order(from) + get_image_channel_data_type(to);
}
