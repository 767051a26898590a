// SPDX-License-Identifier: MIT
// Mathematical functions, integers and atomic operations of several kinds.
#include <hip/hip_fp16.h>
#include <hip/hip_runtime.h>

extern "C" __global__ void mathematics(const float *x, float *singles, const double *y, double *doubles) {
  const int i = threadIdx.x;
  int exponent;
  float whole, cosine;
  singles[i] = sinf(x[i]) + expf(-x[i]) * sqrtf(x[i]) + powf(x[i], 1.5f) + fmaf(x[i], x[i], 1);
  singles[i] += frexpf(x[i], &exponent) + exponent + modff(x[i], &whole) + whole;
  sincosf(x[i], &whole, &cosine);
  singles[i] += whole * 2 + cosine * 3 + x[i] / 3;
  doubles[i] = cos(y[i]) + log(y[i]) + pow(y[i], 2.5) + erf(y[i]) + tgamma(y[i]) + sqrt(y[i]) / 7;
}

extern "C" __global__ void halves(const __half *x, __half *y) {
  const int i = threadIdx.x;
  y[i] = hsqrt(x[i]) + __hmul(x[i], __float2half(0.5f));
}

extern "C" __global__ void integers(const unsigned *x, unsigned *y) {
  const int i = threadIdx.x;
  y[i] = __popc(x[i]) + __clz(x[i]) * 100 + __ffs(x[i]) * 10000 + (__brev(x[i]) >> 20) + __umulhi(x[i], 0x80000000u);
}

extern "C" __global__ void atomics(int *numbers, unsigned *words, float *reals, unsigned long long *longs,
                                   double *doubles) {
  const int i = threadIdx.x;
  atomicAdd(&numbers[0], i);
  atomicSub(&numbers[1], i);
  atomicMin(&numbers[2], i - 7);
  atomicMax(&numbers[3], i);
  atomicOr(&words[0], 1u << (i % 32));
  atomicXor(&words[1], i);
  atomicAnd(&words[2], ~(1u << (i % 8)));
  atomicAdd(&reals[0], 0.5f);
  atomicMax(&reals[1], (float)i);
  atomicAdd(&longs[0], 1ull << 33);
  atomicAdd(&doubles[0], 0.25);
  int old = numbers[4];
  while (true) {
    const int found = atomicCAS(&numbers[4], old, old + 2);
    if (found == old)
      break;
    old = found;
  }
  __hip_atomic_fetch_add(&numbers[5], 1, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_SYSTEM);
  __hip_atomic_store(&numbers[6], 77, __ATOMIC_RELEASE, __HIP_MEMORY_SCOPE_AGENT);
}

// A change of one bit, which the compiler makes one of the sign.
extern "C" __global__ void signs(const unsigned short *x, unsigned short *y) {
  const int i = threadIdx.x;
  y[i] = __builtin_bit_cast(unsigned short, -__builtin_bit_cast(_Float16, x[i]));
  y[i + 32] = __builtin_bit_cast(unsigned short, __builtin_fabsf16(__builtin_bit_cast(_Float16, x[i])));
}

// Shifts by more than there are bits, as in AMD's headers.
extern "C" __global__ void fields(const unsigned long *x, const unsigned *offsets, unsigned long *y) {
  const int i = threadIdx.x;
  y[i] = __bitextract_u64(x[i], offsets[i], 63);
}
