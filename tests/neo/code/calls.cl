// SPDX-License-Identifier: MIT
// The kernels of calls.hip with switches.
#define KEY(n) (n)
#define CASE(n)                                                                                                        \
  case KEY(n): x = x * ((n) + 0.5f) + (n); break;
#define FOUR(n) CASE(n) CASE(n + 1) CASE(n + 2) CASE(n + 3)
#define SIXTEEN(n) FOUR(n) FOUR(n + 4) FOUR(n + 8) FOUR(n + 12)
#define TABLE(count, cases)                                                                                            \
  __kernel void table_##count(__global const int *restrict which, __global const float *restrict in,                   \
                              __global float *restrict out, int n) {                                                   \
    int i = get_global_id(0);                                                                                          \
    float x = in[i];                                                                                                   \
    for (int k = 0; k < n; ++k)                                                                                        \
      switch (which[k * 256 + i] & count - 1) { cases }                                                                \
    out[i] = x;                                                                                                        \
  }
TABLE(2, CASE(0) CASE(1))
TABLE(16, SIXTEEN(0))
TABLE(64, SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48))

// Functions have numbers all over the place.
#undef KEY
#define KEY(n) (((n) + 1) * 2654435761u)
#define POINTERS(count, cases)                                                                                         \
  __kernel void pointers_##count(__global const ulong *restrict functions, __global const float *restrict in,          \
                                 __global float *restrict out, int n) {                                                \
    int i = get_global_id(0);                                                                                          \
    float x = in[i];                                                                                                   \
    for (int k = 0; k < n; ++k)                                                                                        \
      switch ((uint)functions[k * 256 + i]) { cases }                                                                   \
    out[i] = x;                                                                                                        \
  }
POINTERS(2, CASE(0) CASE(1))
POINTERS(16, SIXTEEN(0))
POINTERS(64, SIXTEEN(0) SIXTEEN(16) SIXTEEN(32) SIXTEEN(48))

struct Shape {
  long kind;
  float size;
};

__kernel void make_shapes(__global const ulong *shapes, __global const float *in) {
  int i = get_global_id(0);
  __global struct Shape *shape = (__global struct Shape *)shapes[i];
  shape->kind = i & 1 ? 16 : 32;
  shape->size = in[i];
}
__kernel void virtual_calls(__global const ulong *shapes, __global float *restrict out, int n) {
  int i = get_global_id(0);
  float x = 0;
  for (int k = 0; k < n; ++k) {
    __global const struct Shape *shape = (__global const struct Shape *)shapes[k * 256 + i];
    switch (shape->kind) {
    case 16: x += shape->size * shape->size * x; break;
    case 32: x += 3.14159f * shape->size * shape->size + x; break;
    }
  }
  out[i] = x;
}
