// SPDX-License-Identifier: MIT
// Kernels of the driver tests. OpenCL C, because the driver must not depend on how HIPLZ compiles.

global int exported = 5;

kernel void add_one(global int *data, uint count) {
  size_t index = get_global_id(0);
  if (index < count)
    data[index] += 1;
}

kernel void saxpy(float a, global const float *x, global float *y) {
  size_t index = get_global_id(0);
  y[index] = a * x[index] + y[index];
}

typedef struct {
  char tag;
  double factor;
  int offsets[3];
} Parameters;

kernel void by_value(Parameters parameters, char small, long large, global double *out) {
  out[0] = parameters.tag;
  out[1] = parameters.factor;
  out[2] = parameters.offsets[0] + parameters.offsets[1] * 10 + parameters.offsets[2] * 100;
  out[3] = small;
  out[4] = large;
}

// Each work-item leaves its coordinates where its linear id says.
kernel void coordinates(global uint *out) {
  size_t x = get_global_id(0) - get_global_offset(0), y = get_global_id(1) - get_global_offset(1),
         z = get_global_id(2) - get_global_offset(2);
  size_t linear = (z * get_global_size(1) + y) * get_global_size(0) + x;
  global uint *mine = out + linear * 4;
  mine[0] = get_global_id(0);
  mine[1] = get_global_id(1);
  mine[2] = get_global_id(2);
  mine[3] = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);
}

kernel void reverse(global int *data, local int *a, local int *b) {
  uint index = get_local_id(0), size = get_local_size(0);
  a[index] = data[get_global_id(0)];
  b[index] = 1000;
  barrier(CLK_LOCAL_MEM_FENCE);
  data[get_global_id(0)] = a[size - 1 - index] + b[(index + 7) % size];
}

kernel void static_local(global int *data) {
  local int sums[256];
  uint index = get_local_id(0);
  sums[index] = data[get_global_id(0)];
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (index < step)
      sums[index] += sums[index + step];
  }
  if (index == 0)
    data[get_global_id(0)] = sums[0];
}

kernel void count(global int *counter) { atomic_inc(counter); }

kernel void pointer_kinds(global int *data, local int *shared) {
  int mine[] = {data[0], 1}, *pointers[] = {(int *)data, shared, mine + (data[0] & 1)};
  const int i = get_local_id(0);
  int *pointer = pointers[i];
  barrier(CLK_GLOBAL_MEM_FENCE);
  data[i] = (to_global(pointer) != 0) | (to_local(pointer) != 0) << 1 | (to_private(pointer) != 0) << 2;
}

kernel void bump_global(global int *out) { *out = exported++; }

kernel __attribute__((reqd_work_group_size(8, 4, 1))) void required(global int *out) {
  if (get_local_id(0) == 7 && get_local_id(1) == 3)
    out[get_group_id(0)] = 1;
}

// Takes about two nanoseconds a round. A compiler cannot know the result, nor compute two rounds as one.
kernel void busy(global uint *out, uint rounds) {
  uint value = get_global_id(0);
  for (uint round = 0; round < rounds; ++round)
    value = (value ^ value >> 15) * 1664525u + 1013904223u;
  out[get_global_id(0)] = value;
}

// Ends when the host, or another kernel, has written to the flag.
kernel void wait_for_flag(volatile global int *flag, global int *out) {
  while (atomic_or(flag, 0) == 0)
    ;
  out[0] = 1;
}

// The first work-group waits for any other, for that many turns, and notes whether one has come.
kernel void wait_for_company(volatile global int *others, int turns, global int *came) {
  if (get_group_id(0) != 0) {
    atomic_inc(others);
    return;
  }
  for (int turn = 0; turn < turns && atomic_or(others, 0) == 0; ++turn)
    ;
  *came = atomic_or(others, 0) != 0;
}

// All work-groups meet twice: possible only if all of them run at the same time.
kernel void meet(volatile global int *arrived, int groups, global int *out) {
  if (get_local_id(0) == 0) {
    atomic_inc(arrived);
    while (atomic_or(arrived, 0) < groups)
      ;
    out[get_group_id(0)] = 1;
  }
}

kernel void store_at(global int *base, long index, int value) {
  if (get_global_id(0) == 3)
    base[index] = value;
}

kernel void divide(global int *out, int divisor) { out[get_global_id(0)] = 100 / divisor; }

kernel void overrun_local(local int *data, long index, global int *out) {
  data[index] = 1;
  out[0] = data[index];
}

// A fault in a kernel whose work-items run on fibers, in the middle of its barriers.
kernel void store_between_barriers(global int *base, long index) {
  local int shared_value;
  if (get_local_id(0) == 0)
    shared_value = 7;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 5)
    base[index] = shared_value;
  barrier(CLK_LOCAL_MEM_FENCE);
  base[get_local_id(0)] = shared_value;
}

// A barrier of all work-groups: barrier_words[0] counts arrivals, barrier_words[1] counts barriers. The prefetch of no elements
// is the driver's hint that a work-item waits for memory to change.
void grid_barrier(global atomic_uint *words, bool hint) {
  barrier(CLK_GLOBAL_MEM_FENCE);
  if (get_local_linear_id() == 0) {
    uint seen = atomic_load_explicit(words + 1, memory_order_relaxed, memory_scope_device);
    uint groups = get_num_groups(0) * get_num_groups(1) * get_num_groups(2);
    if (atomic_fetch_add_explicit(words, 1, memory_order_acq_rel, memory_scope_device) + 1 == groups) {
      atomic_store_explicit(words, 0, memory_order_relaxed, memory_scope_device);
      atomic_store_explicit(words + 1, seen + 1, memory_order_release, memory_scope_device);
    } else {
      while (atomic_load_explicit(words + 1, memory_order_acquire, memory_scope_device) == seen)
        if (hint)
          prefetch((global char *)words, 0);
    }
  }
  barrier(CLK_GLOBAL_MEM_FENCE);
}

// In each round every group writes its number of the round, and all work-items see what all groups have written.
kernel void grid_rounds(global atomic_uint *words, global uint *values, global uint *wrong, uint rounds,
                        local uint *scratch) {
  uint group = get_group_id(0), groups = get_num_groups(0);
  for (uint round = 1; round <= rounds; ++round) {
    if (get_local_id(0) == 0)
      values[group] = round * (group + 1);
    scratch[get_local_id(0)] = round + group;
    grid_barrier(words, true);
    for (uint other = 0; other < groups; ++other)
      if (values[other] != round * (other + 1))
        atomic_inc(wrong);
    // Local memory is the group's own, although other groups have run on this thread meanwhile.
    if (scratch[get_local_size(0) - 1 - get_local_id(0)] != round + group)
      atomic_inc(wrong);
    grid_barrier(words, true);
  }
}

kernel void grid_fault(global atomic_uint *words, global uint *nowhere) {
  if (get_group_id(0) == 1)
    *nowhere = 1;
  grid_barrier(words, true);
}

// Waits until another kernel has written, and says so.
kernel void wait_then_set(global atomic_uint *flag, global atomic_uint *next) {
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0) {
    while (atomic_load_explicit(flag, memory_order_acquire, memory_scope_device) == 0)
      prefetch((global char *)flag, 0);
    atomic_store_explicit(next, 1, memory_order_release, memory_scope_device);
  }
}

// Work-items of one group hand a token on from the last one to the first one.
kernel void token_ring(global atomic_uint *token, global uint *order) {
  uint id = get_local_id(0), size = get_local_size(0);
  while (atomic_load_explicit(token, memory_order_acquire, memory_scope_work_group) != size - 1 - id)
    prefetch((global char *)token, 0);
  order[size - 1 - id] = id;
  atomic_fetch_add_explicit(token, 1, memory_order_release, memory_scope_work_group);
}

// One work-item, named by its global ids, stores out of reach of any allocation.
#define FAULTY_INDEX(x, y, wild) (get_global_id(0) == x && get_global_id(1) == y ? wild : get_global_id(0))

kernel void fault_in_vectors(global int *data, uint x, uint y, long wild) {
  data[FAULTY_INDEX(x, y, wild)] = get_global_id(0);
}

kernel void fault_in_place(global int *data, uint x, uint y, long wild) {
  long index = FAULTY_INDEX(x, y, wild);
  data[index] = data[index] * 2 + 1;
}

kernel void fault_in_loop(global int *data, uint x, uint y, long wild) {
  long index = FAULTY_INDEX(x, y, wild);
  for (int i = 0; i < (int)(get_global_id(0) & 7) + 2; ++i)
    atomic_add((volatile global int *)data + index, i);
}

kernel void fault_after_barrier(global int *data, uint x, uint y, long wild) {
  local int ids[64];
  ids[get_local_id(0)] = get_global_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  data[FAULTY_INDEX(x, y, wild)] = ids[63 - get_local_id(0)];
}

kernel void divide_by_data(global int *data, uint x, uint y, long wild) {
  int divisor = data[get_global_id(0)] + (get_global_id(1) == y ? 0 : 1);
  data[wild] = 100 / divisor;
}

// More private memory than the threads of a program may have left. Tells where it lies.
kernel void large_private(global long *out, int n) {
  volatile int values[100 * 1024];
  for (int i = 0; i < 64; ++i)
    values[i] = n + i;
  int sum = 0;
  for (int i = 0; i < 64; ++i)
    sum += values[i];
  out[0] = sum;
  out[1] = (long)&values[0];
}

// Each work-item that begins before another kernel has written to `told` counts, and takes some ten microseconds even if
// sixteen of them share a warp.
kernel void until_told(volatile global int *told, global int *untold, global uint *out) {
  if (atomic_or(told, 0) != 0)
    return;
  uint value = get_global_id(0);
  for (uint round = 0; round < 5000; ++round)
    value = (value ^ value >> 15) * 1664525u + 1013904223u;
  *out = value;
  atomic_inc(untold);
}

// The how manieth launch this is.
kernel void note_order(global int *counter, global int *out) { *out = atomic_inc(counter) + 1; }

// Vectors of one work-item, backwards: loaded, taken apart, put together and stored.
#define BACKWARDS(type)                                                                                                \
  kernel void backwards8_##type(global type##8 *data) {                                                                \
    data[get_global_id(0)] = data[get_global_id(0)].s76543210;                                                         \
  }                                                                                                                    \
  kernel void backwards16_##type(global type##16 *data, uint count) {                                                  \
    if (get_global_id(0) < count)                                                                                      \
      data[get_global_id(0)] = data[get_global_id(0)].sfedcba9876543210;                                               \
  }                                                                                                                    \
  kernel void backwardsAll16_##type(global type##16 *data) {                                                           \
    data[get_global_id(0)] = data[get_global_id(0)].sfedcba9876543210;                                                 \
  }
BACKWARDS(uchar)
BACKWARDS(ushort)
BACKWARDS(uint)
BACKWARDS(ulong)
// As vectors of other elements on the way.
kernel void bytesBackwards(global ulong *data) {
  data[get_global_id(0)] = as_ulong(as_uchar8(data[get_global_id(0)]).s76543210);
}
