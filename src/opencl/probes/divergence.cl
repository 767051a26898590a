// SPDX-License-Identifier: MIT
// Operations of sub-groups of 32 work-items under branches and in loops that not all of them take.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(32))) kernel void probe(global ulong *out, ulong number) {
  ulong item = get_local_linear_id();
  uint lane = get_sub_group_local_id(), sum = 0;
  ulong ballot = number;
  if (item % 3 == 0)
    ballot = sub_group_ballot(item % 2 == 0).x;
  for (uint round = 0; round < lane % 4; ++round)
    sum += popcount(sub_group_ballot(1).x);
  out[2 * item] = ballot;
  out[2 * item + 1] = sum;
}
