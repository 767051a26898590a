// SPDX-License-Identifier: MIT
// A built-in function that the CPU device does not have: output of OpenCL C.
__kernel void talk(int x) { printf("%d", x); }
