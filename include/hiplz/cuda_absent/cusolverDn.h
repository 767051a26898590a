// SPDX-License-Identifier: MIT
// Stands in front of a header of NVIDIA that may lie in a folder of the system and does not fit the headers here.
#error "cusolverDn.h: cuSOLVER is not part of HIPLZ; docs/cuda.md lists what is not supported. A header of your own goes into a folder for -I"
