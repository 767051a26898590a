// SPDX-License-Identifier: MIT
// A kernel in OpenCL C; the Makefile makes SPIR-V of it.
kernel void scale(global float *data, float factor) { data[get_global_id(0)] *= factor; }
