// SPDX-License-Identifier: MIT
#define KERNEL(name) __kernel void name
#define GLOBAL __global
#define SHARED __local
#define RESTRICT restrict
#define LOCAL_X ((int)get_local_id(0))
#define LOCAL_Y ((int)get_local_id(1))
#define GROUP_X ((int)get_group_id(0))
#define GROUP_Y ((int)get_group_id(1))
#define GLOBAL_X ((int)get_global_id(0))
#define GLOBAL_Y ((int)get_global_id(1))
#define GLOBAL_SIZE_X ((int)get_global_size(0))
// __syncthreads orders both kinds of memory.
#define BARRIER barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE)
#define ADD_SHARED atomic_add
#define ADD_GLOBAL atomic_add
#define UNROLL _Pragma("unroll")
#define VECTOR4 float4
#define WIDE unsigned long
#define SQRT sqrt
#define RSQRT rsqrt
#define EXP exp
#define LOG log
#define ERFC erfc
#define SIN sin
#define COS cos
#define POW pow
#define FMA fma

#include "kernels.h"
