// SPDX-License-Identifier: MIT
// Conversions with all roundings, with and without saturation.
#define TO_INT(F, T)                                                                                                   \
  __kernel void F##_to_##T(__global const F *in, __global T *out) {                                                    \
    uint i = get_global_id(0);                                                                                         \
    __global T *o = out + i * 6;                                                                                       \
    o[0] = convert_##T##_sat(in[i]);                                                                                   \
    o[1] = convert_##T##_sat_rte(in[i]);                                                                               \
    o[2] = convert_##T##_sat_rtz(in[i]);                                                                               \
    o[3] = convert_##T##_sat_rtp(in[i]);                                                                               \
    o[4] = convert_##T##_sat_rtn(in[i]);                                                                               \
    o[5] = convert_##T##4_sat_rte((F##4)(in[i])).z;                                                                    \
  }
TO_INT(float, char)
TO_INT(float, uchar) TO_INT(float, short) TO_INT(float, int) TO_INT(float, uint) TO_INT(float, long)
    TO_INT(float, ulong) TO_INT(double, char) TO_INT(double, ushort) TO_INT(double, int) TO_INT(double, uint)
        TO_INT(double, long) TO_INT(double, ulong)

#define TO_FLOAT(I, F)                                                                                                 \
  __kernel void I##_to_##F(__global const I *in, __global F *out) {                                                    \
    uint i = get_global_id(0);                                                                                         \
    __global F *o = out + i * 6;                                                                                       \
    o[0] = convert_##F(in[i]);                                                                                         \
    o[1] = convert_##F##_rte(in[i]);                                                                                   \
    o[2] = convert_##F##_rtz(in[i]);                                                                                   \
    o[3] = convert_##F##_rtp(in[i]);                                                                                   \
    o[4] = convert_##F##_rtn(in[i]);                                                                                   \
    o[5] = convert_##F##4_rtp((I##4)(in[i])).w;                                                                        \
  }
            TO_FLOAT(int, float) TO_FLOAT(uint, float) TO_FLOAT(long, float) TO_FLOAT(ulong, float)
                TO_FLOAT(long, double) TO_FLOAT(ulong, double) TO_FLOAT(double, float)

                    __kernel void to_half(__global const float *in, __global half *out) {
  uint i = get_global_id(0);
  vstore_half_rte(in[i], 4 * i, out);
  vstore_half_rtz(in[i], 4 * i + 1, out);
  vstore_half_rtp(in[i], 4 * i + 2, out);
  vstore_half_rtn(in[i], 4 * i + 3, out);
}

__kernel void int_to_int(__global const int *in, __global char *c, __global uchar *u, __global uint *w,
                         __global short *s, __global ulong *l) {
  uint i = get_global_id(0);
  c[i] = convert_char_sat(in[i]);
  u[i] = convert_uchar_sat(in[i]);
  w[i] = convert_uint_sat(in[i]);
  s[i] = convert_short_sat((uint)in[i]);
  l[i] = convert_ulong_sat((long)in[i]);
}
