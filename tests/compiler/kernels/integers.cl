// SPDX-License-Identifier: MIT
// Integer functions for every width and signedness, scalar and vector.
#define FOR_TYPE(T, V, U)                                                                                              \
  __kernel void int_##T(__global const T *a, __global const T *b, __global const T *c, __global T *out) {              \
    uint i = get_global_id(0);                                                                                         \
    __global T *o = out + i * 20;                                                                                      \
    T x = a[i], y = b[i], z = c[i];                                                                                    \
    o[0] = (T)abs(x);                                                                                                  \
    o[1] = (T)abs_diff(x, y);                                                                                          \
    o[2] = add_sat(x, y);                                                                                              \
    o[3] = sub_sat(x, y);                                                                                              \
    o[4] = hadd(x, y);                                                                                                 \
    o[5] = rhadd(x, y);                                                                                                \
    o[6] = clz(x);                                                                                                     \
    o[7] = ctz(x);                                                                                                     \
    o[8] = popcount(x);                                                                                                \
    o[9] = rotate(x, y);                                                                                               \
    o[10] = mul_hi(x, y);                                                                                              \
    o[11] = mad_hi(x, y, z);                                                                                           \
    o[12] = mad_sat(x, y, z);                                                                                          \
    o[13] = min(x, y);                                                                                                 \
    o[14] = max(x, y);                                                                                                 \
    o[15] = bitselect(x, y, z);                                                                                        \
    V v = (V)(x, y, z, x);                                                                                             \
    V w = (V)(y, z, x, z);                                                                                             \
    o[16] = mul_hi(v, w).y;                                                                                            \
    o[17] = add_sat(v, w).z;                                                                                           \
    o[18] = popcount(v).w;                                                                                             \
    o[19] = clamp(x, min(y, z), max(y, z));                                                                            \
  }
FOR_TYPE(char, char4, uchar)
FOR_TYPE(uchar, uchar4, uchar)
FOR_TYPE(short, short4, ushort)
FOR_TYPE(ushort, ushort4, ushort)
FOR_TYPE(int, int4, uint)
FOR_TYPE(uint, uint4, uint)
FOR_TYPE(long, long4, ulong)
FOR_TYPE(ulong, ulong4, ulong)

__kernel void int24(__global const int *a, __global const int *b, __global int *out) {
  uint i = get_global_id(0);
  out[4 * i] = mul24(a[i], b[i]);
  out[4 * i + 1] = mad24(a[i], b[i], 7);
  out[4 * i + 2] = mul24((uint)a[i], (uint)b[i]);
  out[4 * i + 3] = upsample((short)a[i], (ushort)b[i]);
}
