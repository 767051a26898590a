// SPDX-License-Identifier: MIT
// Atomics of all widths, with old and new functions, and memory orders.
__kernel void counters(__global int *i, __global uint *u, __global long *l) {
  int g = get_global_id(0);
  atomic_add(&i[0], g);
  atomic_sub(&i[1], g);
  atomic_min(&i[2], g - 100);
  atomic_max(&i[3], g - 100);
  atomic_inc(&i[4]);
  atomic_dec(&i[5]);
  atomic_and(&u[0], ~(1u << (g & 31)));
  atomic_or(&u[1], 1u << (g & 31));
  atomic_xor(&u[2], 1u << (g & 31));
  atomic_min(&u[3], (uint)(g - 100));
  atomic_max(&u[4], (uint)(g - 100));
  atom_add(&l[0], (long)g << 32);
  atom_min(&l[1], (long)-g);
  atom_max(&l[2], (long)g << 40);
}

__kernel void exchange(__global int *i, __global float *f, __global int *old) {
  old[get_global_id(0)] = atomic_xchg(i, (int)get_global_id(0) + 1);
  atomic_xchg(f, 2.5f);
}

// Addition of floats by compare-and-exchange.
__kernel void float_add(volatile __global uint *sum) {
  uint old, next;
  do {
    old = *sum;
    next = as_uint(as_float(old) + 1.0f);
  } while (atomic_cmpxchg(sum, old, next) != old);
}

__kernel void orders(__global atomic_int *a, __global int *out) {
  atomic_store_explicit(a, 5, memory_order_release, memory_scope_device);
  out[0] = atomic_load_explicit(a, memory_order_acquire, memory_scope_device);
  out[1] = atomic_fetch_add_explicit(a, 2, memory_order_relaxed, memory_scope_device);
  int expected = 7;
  out[2] = atomic_compare_exchange_strong_explicit(a, &expected, 9, memory_order_acq_rel, memory_order_acquire,
                                                   memory_scope_device);
  out[3] = atomic_compare_exchange_strong(a, &expected, 11);
  out[4] = expected;
  atomic_work_item_fence(CLK_GLOBAL_MEM_FENCE, memory_order_seq_cst, memory_scope_device);
  out[5] = atomic_exchange(a, 1);
  out[6] = atomic_load(a);
}

__kernel void flags(__global atomic_flag *flag, __global int *out) {
  out[0] = atomic_flag_test_and_set(flag);
  out[1] = atomic_flag_test_and_set(flag);
  atomic_flag_clear(flag);
  out[2] = atomic_flag_test_and_set(flag);
}

__kernel void histogram(__global const uchar *in, __global uint *out, uint n) {
  __local uint bins[256];
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
    bins[b] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    atomic_inc(&bins[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint b = get_local_id(0); b < 256; b += get_local_size(0))
    atomic_add(&out[b], bins[b]);
}
