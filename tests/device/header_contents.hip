// SPDX-License-Identifier: MIT
// The names that a program finds after <hip/hip_runtime.h> alone: those of C and C++ that AMD's header brings along, short names of
// types, the float functions of C in namespace std, half precision, and a few built-in functions of AMD's compiler.
#include <hip/hip_runtime.h>

static_assert(std::is_same<uchar, unsigned char>::value && std::is_same<ushort, unsigned short>::value &&
                  std::is_same<uint, unsigned int>::value && std::is_same<ulong, unsigned long>::value &&
                  std::is_same<ullong, unsigned long long>::value,
              "");

// The macros by which programs tell HIP from CUDA.
#if !defined(__HIP_PLATFORM_SPIRV__) || !defined(__HIP_PLATFORM_AMD__) || defined(__HIP_PLATFORM_NVIDIA__)
#error "the platform's macros"
#endif

static bool hostNames() {
  assert(INT_MAX == std::numeric_limits<int>::max());
  std::array<int, 3> values = {{3, 1, 2}};
  std::sort(values.begin(), values.end());
  std::tuple<int, uint64_t> both(values[0], std::uint64_t(2));
  if (std::chrono::milliseconds(2) > std::chrono::seconds(1))
    return false;
  return std::get<0>(both) == 1 && strlen("four") == 4;
}

#include "tests/device/check.h"

constexpr int kFunctions = 56;
// Which of them, by number; the pointers' results are taken in.
static __host__ __device__ float function(int i, float x, float y) {
  int n = 0;
  float part = 0;
  switch (i) {
  case 0: return std::acosf(x);
  case 1: return std::acoshf(1 + x);
  case 2: return std::asinf(x);
  case 3: return std::asinhf(x);
  case 4: return std::atan2f(x, y);
  case 5: return std::atanf(x);
  case 6: return std::atanhf(x);
  case 7: return std::cbrtf(x);
  case 8: return std::ceilf(x);
  case 9: return std::copysignf(x, -y);
  case 10: return std::cosf(x);
  case 11: return std::coshf(x);
  case 12: return std::erfcf(x);
  case 13: return std::erff(x);
  case 14: return std::exp2f(x);
  case 15: return std::expf(x);
  case 16: return std::expm1f(x);
  case 17: return std::fabsf(-x);
  case 18: return std::fdimf(y, x);
  case 19: return std::floorf(x);
  case 20: return std::fmaf(x, y, x);
  case 21: return std::fmaxf(x, y);
  case 22: return std::fminf(x, y);
  case 23: return std::fmodf(y, x);
  case 24: part = std::frexpf(x, &n); return part + n;
  case 25: return std::hypotf(x, y);
  case 26: return std::ilogbf(x);
  case 27: return std::ldexpf(x, 3);
  case 28: return std::lgammaf(y);
  case 29: return std::llrintf(y);
  case 30: return std::llroundf(y);
  case 31: return std::log10f(x);
  case 32: return std::log1pf(x);
  case 33: return std::log2f(x);
  case 34: return std::logbf(x);
  case 35: return std::logf(x);
  case 36: return std::lrintf(y);
  case 37: return std::lroundf(y);
  case 38: x = std::modff(y, &part); return x + part;
  case 39: return std::nearbyintf(y);
  case 40: return std::nextafterf(x, y);
  case 41: return std::powf(x, y);
  case 42: return std::remainderf(y, x);
  case 43: part = std::remquof(y, x, &n); return part + (n & 7);
  case 44: return std::rintf(y);
  case 45: return std::roundf(y);
  case 46: return std::scalblnf(x, 2);
  case 47: return std::scalbnf(x, -2);
  case 48: return std::sinf(x);
  case 49: return std::sinhf(x);
  case 50: return std::sqrtf(x);
  case 51: return std::tanf(x);
  case 52: return std::tanhf(x);
  case 53: return std::tgammaf(y);
  case 54: return std::truncf(y);
  default: return std::log2f(std::nanf("")) != 0;
  }
}
__global__ void functions(float *out) { out[threadIdx.x] = function(threadIdx.x, 0.625f, 2.75f); }

__global__ void halves(_Float16 *values) {
  values[1] = pow(values[0], 3);
  values[2] = std::pow(values[0], 2);
  values[3] = fma(values[0], values[0], values[0]);
  values[4] = std::fma(values[0], values[1], values[0]);
}

__global__ void amdBuiltins(unsigned *out) {
  __shared__ unsigned flag;
  const unsigned lane = threadIdx.x;
  const unsigned long begin = __builtin_amdgcn_s_memtime(), beginReal = __builtin_amdgcn_s_memrealtime();
  if (lane == 0)
    flag = 42;
  __builtin_amdgcn_s_sleep(1);
  __builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup");
  __builtin_amdgcn_s_barrier();
  out[lane] = flag + __builtin_amdgcn_mbcnt_hi(~0u, __builtin_amdgcn_mbcnt_lo(~0u, 0));
  out[32 + lane] = __builtin_amdgcn_readfirstlane(lane + 5);
  out[64 + lane] = __builtin_amdgcn_ds_bpermute(4 * (lane ^ 1), lane);
  __builtin_amdgcn_wave_barrier();
  out[96 + lane] = __builtin_amdgcn_wavefrontsize() == (unsigned)warpSize && __builtin_amdgcn_s_memtime() >= begin &&
                   __builtin_amdgcn_s_memrealtime() >= beginReal;
}

TEST(namesOnTheHost) { CHECK(hostNames()); }

TEST(functions) {
  DeviceArray<float> results(kFunctions);
  functions<<<1, kFunctions>>>(results);
  const std::vector<float> out = results.host();
  for (int i = 0; i < kFunctions; ++i) {
    const float expected = function(i, 0.625f, 2.75f);
    CHECK_NEAR(out[i], expected, 1e-5f * std::fabs(expected) + 1e-6f);
  }
}

TEST(halves) {
  DeviceArray<_Float16> values(std::vector<_Float16>{1.5f, 0, 0, 0, 0});
  halves<<<1, 1>>>(values);
  const std::vector<_Float16> powers = values.host();
  const float expected[] = {1.5f, 3.375f, 2.25f, 3.75f, 6.5625f};
  for (int i = 0; i < 5; ++i)
    CHECK_EQ((float)powers[i], expected[i]);
}

TEST(amdBuiltins) {
  DeviceArray<unsigned> lanes(128);
  amdBuiltins<<<1, 32>>>(lanes);
  const std::vector<unsigned> builtins = lanes.host();
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK_EQ(builtins[lane], 42 + lane);
    CHECK_EQ(builtins[32 + lane], 5u);
    CHECK_EQ(builtins[64 + lane], lane ^ 1);
    CHECK_EQ(builtins[96 + lane], 1u);
  }
}

int main(int argc, char **argv) { return runTests(argc, argv); }
