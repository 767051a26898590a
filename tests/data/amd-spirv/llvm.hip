// SPDX-License-Identifier: MIT
// The compiler's own functions of numbers, which become intrinsics of LLVM and not functions of AMD's library; and variables of
// templates, which have a linkage of their own.
#include <hip/hip_runtime.h>

template <class T> struct Holder {
  static __constant__ T factor;
};
template <class T> __constant__ T Holder<T>::factor;

template <class T> __device__ void functions(const T *x, const int *exponents, T *y) {
  const int i = threadIdx.x;
  const T a = x[i], b = x[i + 32];
  y[i] = __builtin_elementwise_acos(a);
  y[i + 32] = __builtin_elementwise_asin(a);
  y[i + 64] = __builtin_elementwise_atan(b);
  y[i + 96] = __builtin_elementwise_atan2(a, b);
  y[i + 128] = __builtin_elementwise_sinh(b);
  y[i + 160] = __builtin_elementwise_cosh(b);
  y[i + 192] = __builtin_elementwise_tanh(b);
  y[i + 224] = __builtin_elementwise_tan(a);
  y[i + 256] = Holder<T>::factor * a;
  (void)exponents;
}

extern "C" __global__ void singles(const float *x, const int *exponents, float *y) {
  functions(x, exponents, y);
  const int i = threadIdx.x;
  y[i + 288] = __builtin_ldexpf(x[i], exponents[i]);
  y[i + 320] = __builtin_exp10f(x[i]);
  y[i + 352] = __builtin_fminimum_numf(x[i], x[i + 32]);
  y[i + 384] = __builtin_fmaximum_numf(x[i], x[i + 32]);
}
extern "C" __global__ void doubles(const double *x, const int *exponents, double *y) {
  functions(x, exponents, y);
  const int i = threadIdx.x;
  y[i + 288] = __builtin_ldexp(x[i], exponents[i]);
  y[i + 320] = __builtin_exp10(x[i]);
  y[i + 352] = __builtin_fminimum_num(x[i], x[i + 32]);
  y[i + 384] = __builtin_fmaximum_num(x[i], x[i + 32]);
}
extern "C" __global__ void halves(const _Float16 *x, const int *exponents, _Float16 *y) {
  functions(x, exponents, y);
  const int i = threadIdx.x;
  y[i + 288] = __builtin_ldexpf16(x[i], exponents[i]);
  y[i + 320] = __builtin_exp10f16(x[i]);
  y[i + 352] = __builtin_fminimum_numf16(x[i], x[i + 32]);
  y[i + 384] = __builtin_fmaximum_numf16(x[i], x[i + 32]);
}

// Old operations of LLVM in the names of a newer version.
extern "C" __global__ void integers(const unsigned *x, unsigned *y, const long *wide, long *lengths) {
  const int i = threadIdx.x;
  y[i] = __builtin_elementwise_add_sat(x[i], x[i + 32]);
  y[i + 32] = __builtin_elementwise_sub_sat((int)x[i], (int)x[i + 32]);
  int sum;
  y[i + 64] = __builtin_add_overflow((int)x[i], (int)x[i + 32], &sum);
  y[i + 96] = sum;
  y[i + 128] = __builtin_rotateleft32(x[i], x[i + 32]) ^ __builtin_bswap32(x[i]);
  y[i + 160] = __builtin_isfpclass(__builtin_bit_cast(float, x[i]), 0x264);
  long product;
  lengths[i] = __builtin_mul_overflow(wide[i], wide[i + 32], &product);
  lengths[i + 32] = product;
  lengths[i + 64] = __builtin_llrint((double)wide[i] * 0.25);
}
// Two results, and vectors.
extern "C" __global__ void pairsOfSingles(const float *x, float *y) {
  const int i = threadIdx.x;
  __builtin_sincosf(x[i], &y[i], &y[i + 32]);
}
extern "C" __global__ void pairsOfDoubles(const double *x, double *y) {
  const int i = threadIdx.x;
  __builtin_sincos(x[i], &y[i], &y[i + 32]);
}
template <int n> using Floats = float __attribute__((ext_vector_type(n)));
template <int n> __device__ Floats<n> ofVectors(Floats<n> a, Floats<n> b) {
  return __builtin_elementwise_tanh(a) + __builtin_elementwise_atan2(a, b) * __builtin_elementwise_exp10(b);
}
extern "C" __global__ void vectors(const float *x, float *y) {
  const int i = threadIdx.x;
  const Floats<4> all = {x[i], x[i] + 1, x[i] + 2, x[i] + 3};
  const Floats<4> four = ofVectors<4>(all, x[i + 32]);
  const Floats<3> three = ofVectors<3>(all.xyz, x[i + 32]);
  const Floats<2> two = ofVectors<2>(all.xy, x[i + 32]);
  y[i] = four[0] + four[1] + four[2] + four[3];
  y[i + 32] = three[0] + three[1] + three[2];
  y[i + 64] = two[0] + two[1];
}
extern "C" __global__ void carries(unsigned *x, unsigned long *y) {
  const int i = threadIdx.x;
  __builtin_prefetch(&y[i + 32]);
  unsigned carried, sum = __builtin_addc(x[i], x[i + 32], 0u, &carried), difference;
  y[i] = (unsigned long)carried << 32 | sum;
  y[i + 32] = (unsigned long)__builtin_sub_overflow(x[i], x[i + 32], &difference) << 32 | difference;
  unsigned long wide;
  const bool isOver = __builtin_add_overflow((unsigned long)x[i] << 32 | x[i], (unsigned long)x[i + 32] << 32, &wide);
  y[i + 64] = wide + isOver;
}
extern "C" __global__ void aligned(char *x, char **y) {
  const int i = threadIdx.x;
  y[i] = __builtin_align_down(x + i, 16);
  y[i + 32] = __builtin_align_up(y[i] + i, 64);
}
extern "C" __global__ void clocks(unsigned long *y) {
  y[0] = __builtin_readcyclecounter();
  y[1] = __builtin_readsteadycounter();
}

// Numbers that are too large for the integer, of which C++ says nothing: AMD's processors saturate.
extern "C" __global__ void saturates(const float *x, int *integers, unsigned *words, unsigned long *longs) {
  const int i = threadIdx.x;
  integers[i] = static_cast<int>(x[i]);
  words[i] = static_cast<unsigned>(x[i]);
  words[i + 8] = static_cast<unsigned>(static_cast<double>(x[i]) * 2);
  longs[i] = static_cast<unsigned long>(x[i]);
}
