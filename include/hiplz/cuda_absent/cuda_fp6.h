// SPDX-License-Identifier: MIT
// Stands in front of a header of NVIDIA that may lie in a folder of the system and does not fit the headers here.
#error "cuda_fp6.h: __nv_fp4 and __nv_fp6 is not part of HIPLZ; docs/cuda.md lists what is not supported. A header of your own goes into a folder for -I"
