// SPDX-License-Identifier: MIT
// printf of OpenCL C: every conversion, length and vector.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void conversions(int number, float single, global int *pointer) {
  printf("plain text, 100%%\n");
  printf("%d %i %5d|%-5d|%05d %+d % d\n", number, -number, number, number, number, number, number);
  printf("%u %x %X %o %#x %#o\n", -1, 255, 255, 8, 255, 8);
  printf("%hhd %hd %ld %hhu %hu %lu\n", (char)-1, (short)-2, -3l, (uchar)255, (ushort)65535, 0xfffffffffffffffful);
  printf("%f %.2f %8.3f|%e %g %a %F %E %G\n", single, single, single, single, single, single, single, single, single);
  printf("%c%c %s %.2s %6s|\n", 'o', 'k', "string", "string", "abc");
  printf("%s %f\n", "a half is", (half)0.5h);
  printf("%d\n", pointer != 0);
}

kernel void vectors(int number) {
  printf("%v4d %v2d\n", (int4)(1, -2, 3, number), (int2)(number, number));
  printf("%v4hlx %v3hld\n", (uint4)(1, -1, 3, 4), (int3)(1, 2, 3));
  printf("%v2hhd %v2hhu %v4hd %v2lu\n", (char2)(1, -1), (uchar2)(1, 255), (short4)(1, 2, 3, -4), (ulong2)(5, 6));
  printf("%v2hlf %.1v4hlf %v2lf|%v2hf\n", (float2)(1.5f, 2.5f), (float4)(1, 2, 3, 4), (double2)(3, 4), (half2)(5, 6));
  printf("%v8d %v16hhx\n", (int8)(number), (uchar16)(171));
}

kernel void perItem(global int *values) {
  int id = get_global_id(0);
  if (id % 3 == 0)
    values[id] = printf("item %d has %d\n", id, values[id]);
}

kernel void silent(global int *values) { values[get_global_id(0)] = 7; }
