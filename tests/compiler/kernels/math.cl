// SPDX-License-Identifier: MIT
// Every math function on float, double and vectors: one kernel a function.
#define UNARY(f)                                                                                                       \
  __kernel void f##_f32(__global const float *a, __global float *o) { o[get_global_id(0)] = f(a[get_global_id(0)]); }  \
  __kernel void f##_f64(__global const double *a, __global double *o) {                                                \
    o[get_global_id(0)] = f(a[get_global_id(0)]);                                                                      \
  }                                                                                                                    \
  __kernel void f##_f32x4(__global const float4 *a, __global float4 *o) {                                              \
    o[get_global_id(0)] = f(a[get_global_id(0)]);                                                                      \
  }
#define BINARY(f)                                                                                                      \
  __kernel void f##_f32(__global const float *a, __global const float *b, __global float *o) {                         \
    o[get_global_id(0)] = f(a[get_global_id(0)], b[get_global_id(0)]);                                                 \
  }                                                                                                                    \
  __kernel void f##_f64(__global const double *a, __global const double *b, __global double *o) {                      \
    o[get_global_id(0)] = f(a[get_global_id(0)], b[get_global_id(0)]);                                                 \
  }
UNARY(acos)
UNARY(acosh) UNARY(acospi) UNARY(asin) UNARY(asinh) UNARY(asinpi) UNARY(atan) UNARY(atanh) UNARY(atanpi) UNARY(cbrt)
    UNARY(ceil) UNARY(cos) UNARY(cosh) UNARY(cospi) UNARY(erf) UNARY(erfc) UNARY(exp) UNARY(exp2) UNARY(exp10)
        UNARY(expm1) UNARY(fabs) UNARY(floor) UNARY(lgamma) UNARY(log) UNARY(log2) UNARY(log10) UNARY(log1p) UNARY(logb)
            UNARY(rint) UNARY(round) UNARY(rsqrt) UNARY(sin) UNARY(sinh) UNARY(sinpi) UNARY(sqrt) UNARY(tan) UNARY(tanh)
                UNARY(tanpi) UNARY(tgamma) UNARY(trunc) UNARY(degrees) UNARY(radians) UNARY(sign) BINARY(atan2)
                    BINARY(atan2pi) BINARY(copysign) BINARY(fdim) BINARY(fmax) BINARY(fmin) BINARY(fmod) BINARY(hypot)
                        BINARY(maxmag) BINARY(minmag) BINARY(nextafter) BINARY(pow) BINARY(powr) BINARY(remainder)
                            BINARY(step)

#define APPROXIMATE(f)                                                                                                 \
  __kernel void f##_f32(__global const float *a, __global float *o) { o[get_global_id(0)] = f(a[get_global_id(0)]); }
                                APPROXIMATE(native_sin) APPROXIMATE(native_cos) APPROXIMATE(native_exp)
                                    APPROXIMATE(native_log) APPROXIMATE(native_sqrt) APPROXIMATE(native_recip)
                                        APPROXIMATE(native_rsqrt) APPROXIMATE(half_sin) APPROXIMATE(half_exp)
                                            APPROXIMATE(half_recip)

                                                __kernel
    void with_pointers(__global const float *a, __global float *o, __global int *e) {
  int i = get_global_id(0);
  float whole, fraction, cosine;
  int exponent, quotient, gamma_sign;
  o[8 * i] = fract(a[i], &whole);
  o[8 * i + 1] = whole;
  o[8 * i + 2] = frexp(a[i], &exponent);
  o[8 * i + 3] = modf(a[i], &fraction);
  o[8 * i + 4] = fraction;
  o[8 * i + 5] = sincos(a[i], &cosine);
  o[8 * i + 6] = cosine;
  o[8 * i + 7] = remquo(a[i], 0.7f, &quotient);
  e[5 * i] = exponent;
  e[5 * i + 1] = quotient;
  e[5 * i + 2] = ilogb(a[i]);
  lgamma_r(a[i], &gamma_sign);
  e[5 * i + 3] = gamma_sign;
  float4 v = frexp((float4)(a[i], 1, 2, 4), (int4 *)&(int4){0, 0, 0, 0});
  e[5 * i + 4] = v.w == 0.5f;
}

__kernel void with_integers(__global const float *a, __global const int *n, __global float *o) {
  int i = get_global_id(0);
  o[4 * i] = ldexp(a[i], n[i]);
  o[4 * i + 1] = pown(a[i], n[i]);
  o[4 * i + 2] = rootn(a[i], n[i]);
  o[4 * i + 3] = as_float(as_uint(nan((uint)n[i])));
}

__kernel void three(__global const float *a, __global const float *b, __global const float *c, __global float *o) {
  int i = get_global_id(0);
  o[6 * i] = fma(a[i], b[i], c[i]);
  o[6 * i + 1] = mad(a[i], b[i], c[i]);
  o[6 * i + 2] = clamp(a[i], min(b[i], c[i]), max(b[i], c[i]));
  o[6 * i + 3] = mix(a[i], b[i], c[i]);
  o[6 * i + 4] = smoothstep(a[i], a[i] + 1, b[i]);
  o[6 * i + 5] = native_divide(a[i], b[i]);
}

__kernel void geometry(__global const float4 *a, __global const float4 *b, __global float *o,
                       __global const double4 *d) {
  int i = get_global_id(0);
  o[12 * i] = dot(a[i], b[i]);
  o[12 * i + 1] = length(a[i]);
  o[12 * i + 2] = distance(a[i], b[i]);
  float4 c = cross(a[i], b[i]);
  o[12 * i + 3] = c.x;
  o[12 * i + 4] = c.y;
  o[12 * i + 5] = c.z;
  o[12 * i + 6] = c.w;
  float4 n = normalize(a[i]);
  o[12 * i + 7] = n.x;
  o[12 * i + 8] = n.w;
  o[12 * i + 9] = length(d[i]);
  o[12 * i + 10] = fast_length(a[i].xyz);
  o[12 * i + 11] = distance(a[i].x, b[i].x);
}

__kernel void relations(__global const float *a, __global const float *b, __global int *o) {
  int i = get_global_id(0);
  float x = a[i], y = b[i];
  float4 v = (float4)(x, y, 1, -1), w = (float4)(y, x, 1, 1);
  __global int *r = o + 22 * i;
  r[0] = isnan(x);
  r[1] = isinf(x);
  r[2] = isfinite(x);
  r[3] = isnormal(x);
  r[4] = signbit(x);
  r[5] = isequal(x, y);
  r[6] = isnotequal(x, y);
  r[7] = isless(x, y);
  r[8] = isgreater(x, y);
  r[9] = islessequal(x, y);
  r[10] = isgreaterequal(x, y);
  r[11] = islessgreater(x, y);
  r[12] = isordered(x, y);
  r[13] = isunordered(x, y);
  r[14] = any(isless(v, w));
  r[15] = all(islessequal(v, w));
  r[16] = isnan(v).x;
  r[17] = signbit(v).w;
  r[18] = isless(v, w).w;
  r[19] = as_int(select(x, y, isnan(x)));
  r[20] = as_int(select(v, w, (int4)(-1, 0, 1, -1)).x);
  r[21] = as_int(bitselect(x, y, 1.0f));
}
