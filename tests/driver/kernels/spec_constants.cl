// SPDX-License-Identifier: MIT
// Specialisation constants of every type. The translator makes them of these calls.
#define CONSTANT(type) type __attribute__((overloadable)) __spirv_SpecConstant(int, type)
CONSTANT(char);
CONSTANT(short);
CONSTANT(int);
CONSTANT(long);
CONSTANT(float);
CONSTANT(double);

kernel void tell(global double *values) {
  values[0] = __spirv_SpecConstant(1, (char)1);
  values[1] = __spirv_SpecConstant(2, (short)2);
  values[2] = __spirv_SpecConstant(3, 3);
  values[3] = __spirv_SpecConstant(40, 4l);
  values[4] = __spirv_SpecConstant(5, 5.5f);
  values[5] = __spirv_SpecConstant(6, 6.5);
}
