// SPDX-License-Identifier: MIT
// The CPU device has no images.
__kernel void draw(write_only image2d_t image) { write_imagef(image, (int2)(0, 0), (float4)(0)); }
