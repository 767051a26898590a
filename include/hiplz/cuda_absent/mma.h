// SPDX-License-Identifier: MIT
// Stands in front of a header of NVIDIA that may lie in a folder of the system and does not fit the headers here.
#error "nvcuda::wmma (tensor cores) is not part of HIPLZ (docs/cuda.md); put a header of your own into a folder for -I"
