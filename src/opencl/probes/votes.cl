// SPDX-License-Identifier: MIT
// Votes in sub-groups of 32 work-items, of which not all take part.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(32))) kernel void probe(global ulong *out, ulong number) {
  ulong item = get_local_linear_id();
  ulong any = 2, all = 2;
  if (item % 2) {
    any = sub_group_non_uniform_any(item == number) != 0;
    all = sub_group_non_uniform_all(item != number) != 0;
  }
  out[2 * item] = any;
  out[2 * item + 1] = all;
}
