// SPDX-License-Identifier: MIT
// 500 kernels, like the instances of a template.
#define KERNEL(n)                                                                                                      \
  __kernel void k##n(__global int *out) { out[get_global_id(0)] += n; }
#define KERNELS(n)                                                                                                     \
  KERNEL(n##0) KERNEL(n##1) KERNEL(n##2) KERNEL(n##3) KERNEL(n##4) KERNEL(n##5) KERNEL(n##6) KERNEL(n##7)              \
  KERNEL(n##8) KERNEL(n##9)
#define HUNDRED(n)                                                                                                     \
  KERNELS(n##0) KERNELS(n##1) KERNELS(n##2) KERNELS(n##3) KERNELS(n##4) KERNELS(n##5) KERNELS(n##6) KERNELS(n##7)      \
  KERNELS(n##8) KERNELS(n##9)
HUNDRED(1)
HUNDRED(2)
HUNDRED(3)
HUNDRED(4)
HUNDRED(5)
