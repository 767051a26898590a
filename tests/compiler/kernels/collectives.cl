// SPDX-License-Identifier: MIT
// Sub-group and work-group operations, in and out of divergent control flow.
__kernel void ids(__global uint *out) {
  uint i = get_global_linear_id();
  __global uint *o = out + i * 6;
  o[0] = get_sub_group_local_id();
  o[1] = get_sub_group_id();
  o[2] = get_sub_group_size();
  o[3] = get_num_sub_groups();
  o[4] = get_max_sub_group_size();
  o[5] = get_local_linear_id();
}

__kernel void votes(__global const int *in, __global uint *out) {
  uint i = get_global_id(0);
  int p = in[i] > 0;
  __global uint *o = out + i * 12;
  o[0] = sub_group_all(p) != 0;
  o[1] = sub_group_any(p) != 0;
  uint4 ballot = sub_group_ballot(p);
  o[2] = ballot.x;
  o[3] = sub_group_inverse_ballot(ballot) != 0;
  o[4] = sub_group_ballot_bit_extract(ballot, 5) != 0;
  o[5] = sub_group_ballot_bit_count(ballot);
  o[6] = sub_group_ballot_inclusive_scan(ballot);
  o[7] = sub_group_ballot_exclusive_scan(ballot);
  o[8] = sub_group_ballot_find_lsb(ballot);
  o[9] = sub_group_ballot_find_msb(ballot);
  o[10] = sub_group_elect() != 0;
  o[11] = sub_group_non_uniform_all_equal(in[i]) != 0;
}

__kernel void shuffles(__global const int *in, __global int *out, __global double *d, __global float4 *v) {
  uint i = get_global_id(0);
  uint l = get_sub_group_local_id();
  __global int *o = out + i * 8;
  o[0] = sub_group_shuffle(in[i], (l * 7 + 3) & 31);
  o[1] = sub_group_shuffle_xor(in[i], 5);
  o[2] = sub_group_shuffle_up(in[i], 3);
  o[3] = sub_group_shuffle_down(in[i], 4);
  o[4] = sub_group_broadcast(in[i], 2);
  o[5] = sub_group_broadcast_first(in[i]);
  o[6] = sub_group_shuffle((char)in[i], 1);
  o[7] = sub_group_shuffle_xor((short)in[i], 1);
  d[i] = sub_group_shuffle_xor(in[i] + 0.5, 2);
  v[i].x = sub_group_shuffle_xor((float)in[i], 4);
  long big = sub_group_shuffle_xor((long)in[i] << 33, 1);
  v[i].y = big >> 33;
}

#define REDUCTIONS(T, name)                                                                                            \
  __kernel void reduce_##name(__global const T *in, __global T *out) {                                                 \
    uint i = get_global_id(0);                                                                                         \
    __global T *o = out + i * 10;                                                                                      \
    o[0] = sub_group_reduce_add(in[i]);                                                                                \
    o[1] = sub_group_reduce_min(in[i]);                                                                                \
    o[2] = sub_group_reduce_max(in[i]);                                                                                \
    o[3] = sub_group_scan_inclusive_add(in[i]);                                                                        \
    o[4] = sub_group_scan_exclusive_add(in[i]);                                                                        \
    o[5] = sub_group_scan_exclusive_max(in[i]);                                                                        \
    o[6] = sub_group_non_uniform_reduce_mul(in[i]);                                                                    \
    o[7] = sub_group_clustered_reduce_add(in[i], 8);                                                                   \
    o[8] = sub_group_scan_exclusive_min(in[i]);                                                                        \
    o[9] = sub_group_scan_inclusive_max(in[i]);                                                                        \
  }
REDUCTIONS(int, int)
REDUCTIONS(uint, uint)
REDUCTIONS(long, long)
REDUCTIONS(ulong, ulong)
REDUCTIONS(float, float)
REDUCTIONS(double, double)

__kernel void bitwise(__global const uint *in, __global uint *out) {
  uint i = get_global_id(0);
  out[i * 3] = sub_group_non_uniform_reduce_and(in[i]);
  out[i * 3 + 1] = sub_group_non_uniform_reduce_or(in[i]);
  out[i * 3 + 2] = sub_group_non_uniform_reduce_xor(in[i]);
}

// Branches: a ballot sees those who are in the branch, behind it all are together again.
__kernel void divergent(__global uint *out) {
  uint i = get_global_id(0), l = get_sub_group_local_id();
  __global uint *o = out + i * 4;
  if (l < 16)
    o[0] = sub_group_ballot(1).x;
  else // not the same operation, or clang would make one of the two
    o[0] = sub_group_non_uniform_reduce_add(1);
  o[1] = sub_group_ballot(1).x;
  uint rounds = 0, seen = 0;
  for (uint k = 0; k < l % 4; ++k) { // lanes leave the loop at different times
    seen = seen * 0 + popcount(sub_group_ballot(1).x);
    ++rounds;
  }
  o[2] = seen;
  o[3] = sub_group_ballot(rounds == 3).x;
}

uint helper(uint value) { return sub_group_non_uniform_reduce_add(value); }

// The same function called in a branch and behind it: two places.
__kernel void helper_in_branch(__global uint *out) {
  uint i = get_global_id(0), l = get_sub_group_local_id();
  uint a = 0;
  if (l & 1)
    a = helper(1);
  uint b = helper(1);
  out[2 * i] = a;
  out[2 * i + 1] = b;
}

__kernel void early_exit(__global uint *out, uint n) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  out[i] = sub_group_ballot(1).x;
}

__kernel void with_barriers(__global uint *out) {
  __local uint sums[32];
  uint l = get_local_id(0), s = get_sub_group_id();
  uint sum = sub_group_reduce_add(l);
  if (get_sub_group_local_id() == 0)
    sums[s] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (s == 0) {
    uint v = l < get_num_sub_groups() ? sums[l] : 0;
    v = sub_group_reduce_add(v);
    if (l == 0)
      sums[0] = v;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = sums[0];
}

__kernel void exchange_in_place(__global int *data) {
  // No local memory: the order between lanes is the sub-group barrier's.
  uint i = get_global_id(0);
  for (int k = 0; k < 5; ++k) {
    int next = data[(i & ~31u) | ((i + 1) & 31)];
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
    data[i] = next;
    sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

__kernel void work_group(__global const int *in, __global int *out, uint source) {
  uint i = get_global_linear_id();
  __global int *o = out + i * 9;
  o[0] = work_group_all(in[i] > 0) != 0;
  o[1] = work_group_any(in[i] > 0) != 0;
  o[2] = work_group_broadcast(in[i], source);
  o[3] = work_group_reduce_add(in[i]);
  o[4] = work_group_reduce_max(in[i]);
  o[5] = work_group_scan_inclusive_add(in[i]);
  o[6] = work_group_scan_exclusive_add(in[i]);
  o[7] = work_group_scan_exclusive_min(in[i]);
  o[8] = get_local_linear_id();
}

__kernel void broadcast_3d(__global int *out) {
  uint i = get_global_linear_id();
  out[i] = work_group_broadcast((int)get_local_linear_id(), 1, 2, 1);
}

// Of the extension cl_intel_subgroups, whose declarations clang does not have by itself.
float __attribute__((overloadable, convergent)) intel_sub_group_shuffle_down(float low, float high, uint delta);
float __attribute__((overloadable, convergent)) intel_sub_group_shuffle_up(float low, float high, uint delta);
uint __attribute__((overloadable, convergent)) intel_sub_group_block_read(const global uint *from);
uint4 __attribute__((overloadable, convergent)) intel_sub_group_block_read4(const global uint *from);
void __attribute__((overloadable, convergent)) intel_sub_group_block_write4(global uint *to, uint4 value);
ushort2 __attribute__((overloadable, convergent)) intel_sub_group_block_read_us2(const global ushort *from);
void __attribute__((overloadable, convergent)) intel_sub_group_block_write_us2(global ushort *to, ushort2 value);

kernel void intel_shuffles(global float *out) {
  const uint i = get_global_linear_id(), lane = get_sub_group_local_id();
  out[2 * i] = intel_sub_group_shuffle_down((float)lane, 100.0f + lane, 3);
  out[2 * i + 1] = intel_sub_group_shuffle_up((float)lane, 100.0f + lane, 3);
}

kernel void intel_blocks(const global uint *in, global uint *out, const global ushort *shorts, global ushort *outShorts) {
  const uint group = get_sub_group_id();
  intel_sub_group_block_write4(out + 128 * group, intel_sub_group_block_read4(in + 128 * group) * 2 +
                                                      intel_sub_group_block_read(in + 128 * group));
  intel_sub_group_block_write_us2(outShorts + 64 * group, intel_sub_group_block_read_us2(shorts + 64 * group) + (ushort)1);
}
