// SPDX-License-Identifier: MIT
// Atomic operations on floating-point numbers (cl_ext_float_atomics). Each work-item has a number of its own, from 1 on.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

#define RELAXED memory_order_relaxed, memory_scope_device

// `x`: a least number, a largest, one that is exchanged, one that is stored, one that is loaded. `out`: what the exchanges
// and the loads have returned.
#define KERNELS(type)                                                                                                  \
  kernel void global_##type(global atomic_##type *x, global type *out) {                                               \
    const int id = get_global_id(0);                                                                                   \
    const type mine = (type)(id + 1);                                                                                  \
    atomic_fetch_min_explicit(x, mine, RELAXED);                                                                       \
    atomic_fetch_max_explicit(x + 1, mine, RELAXED);                                                                   \
    out[id] = atomic_exchange_explicit(x + 2, mine, RELAXED);                                                          \
    atomic_store_explicit(x + 3, (type)7, RELAXED);                                                                    \
    out[get_global_size(0) + id] = atomic_load_explicit(x + 4, RELAXED);                                               \
  }                                                                                                                    \
  kernel void local_##type(global type *x, global type *out) {                                                         \
    local atomic_##type near[5];                                                                                       \
    const int id = get_local_id(0);                                                                                    \
    const type mine = (type)(id + 1);                                                                                  \
    if (id < 5)                                                                                                        \
      atomic_store_explicit(near + id, x[id], RELAXED);                                                                \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    atomic_fetch_min_explicit(near, mine, RELAXED);                                                                    \
    atomic_fetch_max_explicit(near + 1, mine, RELAXED);                                                                \
    out[id] = atomic_exchange_explicit(near + 2, mine, RELAXED);                                                       \
    atomic_store_explicit(near + 3, (type)7, RELAXED);                                                                 \
    out[get_local_size(0) + id] = atomic_load_explicit(near + 4, RELAXED);                                             \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    if (id < 5)                                                                                                        \
      x[id] = atomic_load_explicit(near + id, RELAXED);                                                                \
  }
KERNELS(half)
KERNELS(float)
KERNELS(double)

#define ADDITION(type)                                                                                                 \
  kernel void add_##type(global atomic_##type *x, global type *out) {                                                  \
    local atomic_##type near;                                                                                          \
    const int id = get_global_id(0);                                                                                   \
    if (id == 0)                                                                                                       \
      atomic_store_explicit(&near, (type)0, RELAXED);                                                                  \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    atomic_fetch_add_explicit(x, (type)(id + 1), RELAXED);                                                             \
    atomic_fetch_add_explicit(&near, (type)(id + 1), RELAXED);                                                         \
    barrier(CLK_LOCAL_MEM_FENCE);                                                                                      \
    out[id] = atomic_load_explicit(&near, RELAXED);                                                                    \
  }
ADDITION(float)
ADDITION(double)
