// SPDX-License-Identifier: MIT
// Atomic operations on 64 bits.
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void probe(global ulong *out, ulong number) {
  global atomic_ulong *sum = (global atomic_ulong *)out;
  atomic_fetch_add_explicit(sum, number, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(sum + 1, number << 40, memory_order_relaxed, memory_scope_device);
}
