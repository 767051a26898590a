// SPDX-License-Identifier: MIT
// Ids, parameters of all kinds, local memory, barriers, variables, functions.
__kernel void vecadd(__global const float *a, __global const float *b, __global float *c, int n) {
  int i = get_global_id(0);
  if (i < n)
    c[i] = a[i] + b[i];
}

__kernel void ids(__global ulong *out) {
  size_t linear = get_global_linear_id();
  __global ulong *o = out + linear * 20;
  for (uint d = 0; d < 3; ++d) {
    o[d] = get_global_id(d);
    o[3 + d] = get_local_id(d);
    o[6 + d] = get_group_id(d);
    o[9 + d] = get_local_size(d);
    o[12 + d] = get_num_groups(d);
    o[15 + d] = get_global_size(d);
  }
  o[18] = get_local_linear_id();
  o[19] = get_work_dim();
}

// The index that programs compute in 32 bits, which wraps in large launches.
__kernel void wrapping_ids(__global long *out, uint first_group) {
  uint i = (uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0);
  __global long *o = out + 2 * (((uint)get_group_id(0) - first_group) * (uint)get_local_size(0) + (uint)get_local_id(0));
  o[0] = (int)i;
  o[1] = i;
}

// The same where work-items have a loop.
__kernel void wrapping_ids_in_loop(__global long *out, uint first_group, int rounds) {
  uint i = (uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0);
  __global long *o = out + 2 * (((uint)get_group_id(0) - first_group) * (uint)get_local_size(0) + (uint)get_local_id(0));
  long both = 0;
  for (int k = 0; k < rounds; ++k)
    both += (long)(int)(i + k);
  o[0] = both;
  o[1] = i;
}

__kernel void odd_dimensions(__global ulong *out, uint d) {
  out[0] = get_global_id(d);
  out[2] = get_global_offset(0);
}

struct Small {
  char a;
  double b;
  int c[3];
};

__kernel void arguments(char c, short s, int i, long l, float f, double d, float3 f3, int4 i4, struct Small by_value,
                        __global double *out, __local int *first, __local double *second, uchar last) {
  by_value.c[1] += 1; // a private copy
  first[0] = i;
  second[0] = d;
  out[0] = c;
  out[1] = s;
  out[2] = first[0];
  out[3] = l;
  out[4] = f;
  out[5] = second[0];
  out[6] = f3.x + 10 * f3.y + 100 * f3.z;
  out[7] = i4.x + 10 * i4.y + 100 * i4.z + 1000 * i4.w;
  out[8] = by_value.a;
  out[9] = by_value.b;
  out[10] = by_value.c[0] + 10 * by_value.c[1] + 100 * by_value.c[2];
  out[11] = last;
}

__kernel void reverse(__global int *data) {
  __local int tile[256];
  size_t l = get_local_id(0), n = get_local_size(0);
  size_t base = get_group_id(0) * n;
  tile[l] = data[base + l];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[base + l] = tile[n - 1 - l];
}

__kernel void reduce(__global const int *in, __global int *out, __local int *scratch) {
  uint l = get_local_id(0);
  scratch[l] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    if (l < step)
      scratch[l] += scratch[l + step];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (l == 0)
    out[get_group_id(0)] = scratch[0];
}

// Work-items above n leave before the barrier.
__kernel void early_exit(__global int *data, int n) {
  __local int tile[1024];
  int l = get_local_id(0);
  if (l >= n)
    return;
  tile[l] = data[l];
  barrier(CLK_LOCAL_MEM_FENCE);
  data[l] = tile[n - 1 - l];
}

// The two halves of the work-group meet at different barriers.
__kernel void split_barrier(__global int *data) {
  __local int tile[64];
  int l = get_local_id(0);
  tile[l] = l;
  if (l < 20) {
    barrier(CLK_LOCAL_MEM_FENCE);
    data[l] = tile[63 - l];
  } else {
    barrier(CLK_LOCAL_MEM_FENCE);
    data[l] = tile[63 - l] + 1000;
  }
}

__constant int table[4] = {3, 1, 4, 1};
__global int counter = 42;
__global int *__constant where = &counter;

__kernel void variables(__global int *out) {
  out[0] = table[get_global_id(0) & 3];
  out[1] = counter;
  out[2] = *where;
  counter += 1;
}

__attribute__((noinline)) int factorial(int n) { return n < 2 ? 1 : n * factorial(n - 1); }

__kernel void recursion(__global int *out) {
  int i = get_global_id(0);
  out[i] = factorial(i % 10);
}

// An array that stays in memory: each work-item needs its own.
__kernel void private_array(__global int *out, int shift) {
  int values[16];
  int i = get_global_id(0);
  for (int k = 0; k < 16; ++k)
    values[(k + shift) & 15] = i * k;
  int sum = 0;
  for (int k = 0; k < 16; ++k)
    sum += values[(i + k * 3) & 15] * k;
  out[i] = sum;
}

__kernel __attribute__((reqd_work_group_size(8, 4, 2))) void required(__global int *out) {
  out[get_global_linear_id()] = 1;
}

__kernel void generic_pointers(__global int *g, __local int *l, int which) {
  int p = 5;
  int *pointer = which == 0 ? (int *)g : which == 1 ? (int *)l : &p;
  *pointer = 7;
  g[1] = p;
  g[2] = l[0];
  g[3] = to_local(pointer) != 0;
}

typedef struct {
  float x, y, z, w;
} Quad;
__kernel void structs(__global Quad *q, Quad by) {
  int i = get_global_id(0);
  q[i].x += by.x;
  q[i].w *= by.w;
}

// Two kernels' local variables may share memory; one kernel's may not.
__kernel void locals_one(__global int *out) {
  __local int a[4];
  __local double b[3];
  a[0] = 1;
  b[0] = 2;
  a[3] = 3;
  b[2] = 4;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[0] = a[0] + 10 * (int)b[0] + 100 * a[3] + 1000 * (int)b[2];
}
__kernel void locals_two(__global int *out) {
  __local char c[60000];
  c[get_local_id(0)] = get_local_id(0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_local_id(0)] = c[get_local_size(0) - 1 - get_local_id(0)];
}

__kernel void async_copy(__global const float *in, __global float *out) {
  __local float tile[64];
  event_t event = async_work_group_copy(tile, in + get_group_id(0) * 64, 64, 0);
  wait_group_events(1, &event);
  tile[get_local_id(0)] *= 2;
  barrier(CLK_LOCAL_MEM_FENCE);
  event = async_work_group_copy(out + get_group_id(0) * 64, tile, 64, 0);
  wait_group_events(1, &event);
}

__kernel void divide(__global int *data) { data[0] = data[1] / data[2]; }

__kernel void vectors(__global float *f, __global half *h) {
  float3 v = vload3(1, f);
  vstore3(v * 2, 2, f);
  f[9] = vload_half(0, h);
  vstore_half(f[10], 1, h);
  vstore_half_rtz(f[10], 2, h);
  float4 s = shuffle((float4)(1, 2, 3, 4), (uint4)(3, 2, 1, 0));
  f[12] = s.x;
  f[13] = s.y;
  f[14] = s.z;
  f[15] = s.w;
}

__kernel void triad(__global double *a, __global const double *b, __global const double *c, double s) {
  size_t i = get_global_id(0);
  a[i] = b[i] + s * c[i];
}

// The arithmetic of HIP kernels: 32-bit ids.
__kernel void saxpy32(__global float *y, __global const float *x, float a, uint n) {
  uint i = (uint)get_group_id(0) * (uint)get_local_size(0) + (uint)get_local_id(0);
  if (i < n)
    y[i] = a * x[i] + y[i];
}

__kernel void large_private(__global int *out) {
  int own[4096];
  int l = get_local_id(0), i = get_global_id(0);
  for (int k = 0; k < 4096; ++k)
    own[(k + l) & 4095] = k;
  out[i] = own[4095] + i;
}
