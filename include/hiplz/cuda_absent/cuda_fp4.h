// SPDX-License-Identifier: MIT
// Stands in front of a header of NVIDIA that may lie in a folder of the system and does not fit the headers here.
#error "__nv_fp4 and __nv_fp6 is not part of HIPLZ (docs/cuda.md); put a header of your own into a folder for -I"
