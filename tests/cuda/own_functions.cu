// SPDX-License-Identifier: MIT
// Programs define the atomic operations that CUDA does not have, under their names; and host code calls the mathematical
// functions of kernels.
#include "check.h"

__device__ float atomicMin(float *address, float value) {
  int *word = (int *)address, seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, __float_as_int(fminf(__int_as_float(before), value)));
  } while (seen != before);
  return __int_as_float(before);
}
__device__ double atomicMax(double *address, double value) {
  unsigned long long *word = (unsigned long long *)address, seen = *word, before;
  do {
    before = seen;
    seen = atomicCAS(word, before, (unsigned long long)__double_as_longlong(fmax(__longlong_as_double(before), value)));
  } while (seen != before);
  return __longlong_as_double(before);
}
__device__ unsigned long atomicAdd(unsigned long *address, unsigned long value) {
  return atomicAdd((unsigned long long *)address, (unsigned long long)value);
}
template <class T> __device__ T atomicSub(T *address, T value) { return atomicAdd(address, -value); }

__global__ void combine(float *least, double *most, unsigned long *sum, float *rest) {
  atomicMin(least, 100.0f - threadIdx.x);
  atomicMax(most, 0.5 * threadIdx.x);
  atomicAdd(sum, (unsigned long)threadIdx.x);
  atomicSub(rest, 1.0f);
}

static bool isNear(double value, double wanted) { return std::fabs(value - wanted) <= 1e-15 * std::fabs(wanted); }

int main() {
  float *least = onDevice(std::vector<float>{1e9f, 64.0f});
  double *most = onDevice(std::vector<double>{-1.0});
  unsigned long *sum = onDevice(std::vector<unsigned long>{0});
  combine<<<1, 64>>>(least, most, sum, least + 1);
  EXPECT(onHost(least, 1)[0] == 37.0f && onHost(most, 1)[0] == 31.5 && onHost(sum, 1)[0] == 2016);
  EXPECT(onHost(least, 2)[1] == 0.0f);

  EXPECT(rsqrt(4.0f) == 0.5f && rsqrt(4.0) == 0.5 && rsqrtf(16.0f) == 0.25f && rcbrt(8.0) == 0.5);
  EXPECT(sinpi(1e6 + 0.5) == 1.0 && sinpi(3.0) == 0.0 && cospi(0.5) == 0.0 && cospi(7.0) == -1.0);
  EXPECT(isNear(sinpi(0.3), 0.80901699437494742410) && isNear(cospi(-1.3), -0.58778525229247312917));
  EXPECT(isNear(sinpi(-0.8), -0.58778525229247312917) && isNear(cospi(0.9), -0.95105651629515357212));
  EXPECT(std::isnan(sinpi(HUGE_VAL)) && std::isnan(cospi(HUGE_VAL)));
  EXPECT(isNear(normcdf(1.0), 0.84134474606854294859) && isNear(normcdfinv(0.84134474606854294859), 1.0));
  EXPECT(isNear(erfinv(0.3), 0.27246271472675435562) && isNear(erfinv(-0.9), -1.1630871536766740867));
  EXPECT(isNear(erfcinv(1e-20), 6.6015806223551426156) && isNear(erfcinv(1.5), -0.47693627620446987338));
  EXPECT(erfcinv(0.0) == HUGE_VAL && std::isnan(erfinv(1.5)) && erfinv(0.0) == 0.0);
  EXPECT(isNear(erfcx(20.0), 0.028174348741051319319) && isNear(erfcx(0.5), 0.61569034419292587487));
  EXPECT(llmax(-1, 5) == 5 && ullmin(~0ull, 7) == 7 && umin(~0u, 3u) == 3 && umax(~0u, 3u) == ~0u);
}
