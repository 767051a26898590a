// SPDX-License-Identifier: MIT
// Kernels of thousands of instructions whose results show in which order they round, and whether products are fused with sums. Each work-item
// divides by another number.
#define STEP(n) \
  a = a * b + (0.37f + (n)); \
  b = b * 0.75f - a * 0.001f; \
  if (a > 100.0f + (n)) \
    a = (a - b) * 0.25f; \
  x += as_int(b) >> (n) % 7;
#define STEPS8(n) STEP(n) STEP(n + 1) STEP(n + 2) STEP(n + 3) STEP(n + 4) STEP(n + 5) STEP(n + 6) STEP(n + 7)
#define STEPS64(n) \
  STEPS8(n) STEPS8(n + 8) STEPS8(n + 16) STEPS8(n + 24) STEPS8(n + 32) STEPS8(n + 40) STEPS8(n + 48) STEPS8(n + 56)
#define STEPS512(n) \
  STEPS64(n) STEPS64(n + 64) STEPS64(n + 128) STEPS64(n + 192) STEPS64(n + 256) STEPS64(n + 320) STEPS64(n + 384) STEPS64(n + 448)

kernel void large(global const float *in, global float *out) {
  const size_t i = get_global_id(0);
  float a = in[i], b = 1;
  int x = 0;
  STEPS512(0)
  out[i] = a + b + x / (int)(i % 5 + 1) % 1000;
}

// Work-items meet, and hand their numbers on.
#define EXCHANGE \
  row[get_local_id(0)] = a; \
  barrier(CLK_LOCAL_MEM_FENCE); \
  a += row[(get_local_id(0) + 5) % get_local_size(0)]; \
  barrier(CLK_LOCAL_MEM_FENCE);

kernel void large_exchanges(global const float *in, global float *out) {
  local float row[64];
  const size_t i = get_global_id(0);
  float a = in[i], b = 1;
  int x = 0;
  STEPS512(0)
  EXCHANGE
  STEPS64(3)
  EXCHANGE
  EXCHANGE
  out[i] = a + b + x / (int)(i % 5 + 1) % 1000;
}
