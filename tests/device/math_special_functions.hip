// SPDX-License-Identifier: MIT
// Functions of HIP beyond those of C: values of Bessel functions and inverse error functions at points where they are known
// from tables, special arguments, identities between functions, the overloads for integers, the dot products of packed
// integers. tests/accuracy measures the errors.
#include "tests/device/ulp.h"

template <class T> struct Values {
  T j0[4], j1[4], jn[6], y0[3], y1[3], yn[3], i0[3], i1[3], erfcx[4], erfinv[5], erfcinv[5], normcdf[4], normcdfinv[4];
};

// One value a thread, and several kernels: a device that emulates double compiles many small kernels faster than a large one.
#define DEFINE_VALUES(T, f)                                                                                            \
  __global__ void evaluateJ(Values<T> *v, const T *x) {                                                                \
    int i = threadIdx.x;                                                                                               \
    v->j0[i] = j0##f(x[i]);                                                                                            \
    v->j1[i] = j1##f(x[i]);                                                                                            \
  }                                                                                                                    \
  __global__ void evaluateY(Values<T> *v, const T *x) {                                                                \
    int i = threadIdx.x;                                                                                               \
    v->y0[i] = y0##f(x[i]);                                                                                            \
    v->y1[i] = y1##f(x[i]);                                                                                            \
  }                                                                                                                    \
  __global__ void evaluateI(Values<T> *v, const T *x) {                                                                \
    int i = threadIdx.x;                                                                                               \
    v->i0[i] = cyl_bessel_i0##f(x[i]);                                                                                 \
    v->i1[i] = cyl_bessel_i1##f(-x[i]);                                                                                \
  }                                                                                                                    \
  __global__ void evaluateJn(Values<T> *v, const T *x, const int *n) {                                                 \
    int i = threadIdx.x;                                                                                               \
    v->jn[i] = jn##f(n[i], i < 3 ? x[0] : -x[i - 3]);                                                                  \
  }                                                                                                                    \
  __global__ void evaluateYn(Values<T> *v, const T *x, const int *n) {                                                 \
    int i = threadIdx.x;                                                                                               \
    v->yn[i] = yn##f(n[i], x[0]);                                                                                      \
  }                                                                                                                    \
  __global__ void evaluateNormal(Values<T> *v, const T *x, const T *probabilities) {                                   \
    int i = threadIdx.x;                                                                                               \
    v->erfcx[i] = erfcx##f(x[i]);                                                                                      \
    v->normcdf[i] = normcdf##f(-x[i]);                                                                                 \
    v->normcdfinv[i] = normcdfinv##f(probabilities[i]);                                                                \
  }                                                                                                                    \
  __global__ void evaluateInverses(Values<T> *v, const T *probabilities) {                                             \
    int i = threadIdx.x;                                                                                               \
    v->erfinv[i] = erfinv##f(probabilities[i]);                                                                        \
    v->erfcinv[i] = erfcinv##f(2 * probabilities[i]);                                                                  \
  }
DEFINE_VALUES(float, f)
DEFINE_VALUES(double, )

template <class T> static void checkValues() {
  const T infinity = (T)INFINITY;
  DeviceArray<T> x(std::vector<T>{1, 3, 12, infinity}), probabilities(std::vector<T>{0, (T)0.25, (T)0.5, 1, (T)1.5});
  DeviceArray<int> n(std::vector<int>{2, 3, -3, 2, 3, 40});
  DeviceArray<Values<T>> out(1);
  evaluateJ<<<1, 4>>>(out, x);
  evaluateY<<<1, 3>>>(out, x);
  evaluateI<<<1, 3>>>(out, x);
  evaluateJn<<<1, 6>>>(out, x, n);
  evaluateYn<<<1, 3>>>(out, x, n);
  evaluateNormal<<<1, 4>>>(out, x, probabilities);
  evaluateInverses<<<1, 5>>>(out, probabilities);
  HIP_CHECK(hipGetLastError());
  Values<T> v = out.host()[0];
#define VALUE(name, i, expected, bound) checkUlp(#name, v.name[i], expected, bound, (T)i)
  // Abramowitz and Stegun, tables 9.1, 9.2, 9.8, and the digits that follow.
  VALUE(j0, 0, 0.76519768655796655145L, 4);
  VALUE(j0, 1, -0.26005195490193343762L, 4);
  VALUE(j0, 2, 0.047689310796833536625L, 30);
  VALUE(j0, 3, 0.0L, 0);
  VALUE(j1, 0, 0.44005058574493351596L, 4);
  VALUE(j1, 1, 0.33905895852593645893L, 4);
  VALUE(j1, 2, -0.22344710449062761237L, 30);
  VALUE(j1, 3, 0.0L, 0);
  VALUE(y0, 0, 0.088256964215676957983L, 4);
  VALUE(y0, 1, 0.37685001001279038197L, 4);
  VALUE(y0, 2, -0.22523731263436143369L, 30);
  VALUE(y1, 0, -0.78121282130028871655L, 4);
  VALUE(y1, 1, 0.32467442479179997842L, 4);
  VALUE(y1, 2, -0.057099218260896521051L, 30);
  VALUE(i0, 0, 1.2660658777520083356L, 6);
  VALUE(i0, 1, 4.8807925858650240856L, 6);
  VALUE(i0, 2, 18948.925349296308860L, 6);
  VALUE(i1, 0, -0.56515910399248502721L, 6);
  VALUE(i1, 1, -3.9533702174026093964L, 6);
  VALUE(i1, 2, -18141.348781638831601L, 6);
  VALUE(jn, 0, 0.11490348493190048047L, 8);
  VALUE(jn, 1, 0.019563353982668405919L, 8);
  VALUE(jn, 2, -0.019563353982668405919L, 8);  // J of order -3
  VALUE(jn, 3, 0.11490348493190048047L, 8);    // even order, negative argument
  VALUE(jn, 4, -0.30906272225525164362L, 8);   // odd order, J3(-3)
  VALUE(jn, 5, 6.744882148469006124e-18L, 16); // an order far above the argument
  VALUE(yn, 0, -1.6506826068162543910L, 8);
  VALUE(yn, 1, -5.8215176059647288478L, 8);
  VALUE(yn, 2, 5.8215176059647288478L, 8); // Y of order -3
  VALUE(erfcx, 0, 0.42758357615580700442L, 5);
  VALUE(erfcx, 1, 0.17900115118138995042L, 5);
  VALUE(erfcx, 2, 0.046854221014893762620L, 5);
  VALUE(erfcx, 3, 0.0L, 0);
  VALUE(erfinv, 0, 0.0L, 0);
  VALUE(erfinv, 1, 0.22531205501217810037L, 5);
  VALUE(erfinv, 2, 0.47693627620446987338L, 5);
  VALUE(erfinv, 3, INFINITY, 0);
  VALUE(erfinv, 4, NAN, 0);
  VALUE(erfcinv, 0, INFINITY, 0);
  VALUE(erfcinv, 1, 0.47693627620446987338L, 6);
  VALUE(erfcinv, 2, 0.0L, 0);
  VALUE(erfcinv, 3, -INFINITY, 0);
  VALUE(erfcinv, 4, NAN, 0);
  VALUE(normcdf, 0, 0.15865525393145705142L, 5);
  VALUE(normcdf, 1, 0.0013498980316300945267L, 5);
  VALUE(normcdf, 2, 1.7764821120776789602e-33L, 5);
  VALUE(normcdf, 3, 0.0L, 0);
  VALUE(normcdfinv, 0, -INFINITY, 0);
  VALUE(normcdfinv, 1, -0.67448975019608174320L, 8);
  VALUE(normcdfinv, 2, 0.0L, 0);
  VALUE(normcdfinv, 3, INFINITY, 0);
}

// Classification by glibc's names gives bool, whole numbers choose double, and scaling takes any exponent.
__global__ void others(double *out, int *whole, float f, double d, int n) {
  static_assert(sizeof(__isinf(d)) == sizeof(bool) && sizeof(__signbitf(f)) == sizeof(bool), "bool");
  static_assert(sizeof(frexp(n, whole)) == sizeof(double) && sizeof(scalbln(f, 1l)) == sizeof(float), "overloads");
  out[0] = frexp(n, whole);
  out[1] = std::frexp(n, whole + 1);
  out[2] = scalbln(f, 3l);
  out[3] = scalbln(n, 100000000000l);
  out[4] = std::scalbln(d, -100000000000l);
  out[5] = normcdf(n - 12) + normcdf(f - 2);
  whole[2] = __isinf(d / 0.0) && __isinff(-f / 0.0f) && !__isinf(d) && !__finite(d / 0.0) && __finitef(f);
  whole[3] = __isnan(d - d) || __isnanf(f) || __signbit(d) || __signbitf(f);
  whole[4] = __signbit(-d) && __signbitf(-f) && __isnan(d / 0.0 * 0.0) && __isnanf(f / 0.0f * 0.0f);
}

__global__ void dotProducts(long long *out, int big) {
  short2 a = make_short2(-3, 1000), b = make_short2(7, (short)(big >> 16));
  ushort2 c = make_ushort2(65535, 2), d = make_ushort2(65535, 3);
  char4 e = make_char4(-128, 127, 1, -1), f = make_char4(-128, -128, 5, 6);
  uchar4 g = make_uchar4(255, 1, 2, 3), h = make_uchar4(255, 4, 5, 6);
  out[0] = amd_mixed_dot(a, b, 10, false);
  out[1] = amd_mixed_dot(a, b, big, true);
  out[2] = amd_mixed_dot(a, b, big, false);
  out[3] = amd_mixed_dot(c, d, 1u, false);
  out[4] = amd_mixed_dot(c, d, 0xffffffffu, true);
  out[5] = amd_mixed_dot(c, d, 0xffffffffu, false);
  out[6] = amd_mixed_dot(e, f, 100, false);
  out[7] = amd_mixed_dot(e, make_char4(127, -128, 0, 0), -big - 1, true);
  out[8] = amd_mixed_dot(g, h, 7u, false);
  out[9] = amd_mixed_dot((int)0x8000000f, (int)0x80000071, 5, false); // -8 * -8 + -1 * 1
  out[10] = amd_mixed_dot(0x8000000fu, 0x80000071u, 5u, false);       // 8 * 8 + 15 * 1
  out[11] = amd_mixed_dot(0xffffffffu, 0xffffffffu, 0xffffff00u, true);
}

TEST(values) {
  checkValues<float>();
  checkValues<double>();
}

TEST(others) {
  DeviceArray<double> out(6);
  DeviceArray<int> whole(5);
  others<<<1, 1>>>(out, whole, 1.5f, 2.5, 12);
  HIP_CHECK(hipGetLastError());
  std::vector<double> r = out.host();
  std::vector<int> w = whole.host();
  CHECK_EQ(r[0], 0.75);
  CHECK_EQ(r[1], 0.75);
  CHECK_EQ(w[0], 4);
  CHECK_EQ(w[1], 4);
  CHECK_EQ(r[2], 12.0);
  CHECK_EQ(r[3], (double)INFINITY);
  CHECK_EQ(r[4], 0.0);
  CHECK_NEAR(r[5], 0.5 + 0.30853753872598689636, 1e-7);
  CHECK_EQ(w[2], 1);
  CHECK_EQ(w[3], 0);
  CHECK_EQ(w[4], 1);
}

TEST(dotProducts) {
  DeviceArray<long long> dots(12);
  dotProducts<<<1, 1>>>(dots, 0x7fffffff);
  HIP_CHECK(hipGetLastError());
  std::vector<long long> p = dots.host();
  const long long a = -21 + 1000ll * 0x7fff, c = 65535ll * 65535 + 6, e = 128 * 128 - 127 * 128 + 5 - 6;
  CHECK_EQ(p[0], a + 10);
  CHECK_EQ(p[1], 0x7fffffffll);
  CHECK_EQ(p[2], a + 0x7fffffff - 0x100000000);
  CHECK_EQ(p[3], c + 1);
  CHECK_EQ(p[4], 0xffffffffll);
  CHECK_EQ(p[5], (c + 0xffffffffll) & 0xffffffff);
  CHECK_EQ(p[6], e + 100);
  CHECK_EQ(p[7], -0x80000000ll);
  CHECK_EQ(p[8], 65025ll + 4 + 10 + 18 + 7);
  CHECK_EQ(p[9], 64ll - 1 + 5);
  CHECK_EQ(p[10], 64ll + 15 + 5);
  CHECK_EQ(p[11], 0xffffffffll);
}

int main(int argc, char **argv) { return runTests(argc, argv); }
