// SPDX-License-Identifier: MIT
// Half-precision functions that return a second result through a pointer, and neighbours of halfs.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void pointers(global const half *in, global half *out) {
  int id = get_global_id(0);
  half x = in[id], second;
  int whole;
  global half *row = out + 12 * id;
  row[0] = modf(x, &second);
  row[1] = second;
  row[2] = fract(x, &second);
  row[3] = second;
  row[4] = sincos(x, &second);
  row[5] = second;
  row[6] = frexp(x, &whole);
  row[7] = whole;
  half2 pair = (half2)(x, -x), seconds;
  pair = modf(pair, &seconds);
  row[8] = pair.y;
  row[9] = seconds.y;
  row[10] = modf(x, row + 11); // global memory
}

kernel void neighbours(global const half *x, global const half *y, global ushort *out) {
  int id = get_global_id(0);
  out[id] = as_ushort(nextafter(x[id], y[id]));
}
