// SPDX-License-Identifier: MIT
// Sub-groups of 32 work-items, with shuffles and ballots. Each work-item tells the size of its sub-group, its place, what it gets from the
// next one, and who takes part of those at even places.
#pragma OPENCL EXTENSION cl_khr_subgroups : enable
__attribute__((intel_reqd_sub_group_size(32))) kernel void probe(global ulong *out, ulong number) {
  uint lane = get_sub_group_local_id();
  ulong item = get_local_linear_id();
  ulong other = sub_group_shuffle(item + number, (lane + 1) % 32);
  uint4 ballot = sub_group_ballot(item % 2 == 0);
  global ulong *mine = out + 4 * item;
  mine[0] = get_sub_group_size();
  mine[1] = lane;
  mine[2] = other;
  mine[3] = ballot.x;
}
