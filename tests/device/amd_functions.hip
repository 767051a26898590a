// SPDX-License-Identifier: MIT
// The built-in functions of AMD's compiler that compute: bits and bytes, sums of differences, dot products, packed
// conversions, and floating-point numbers with their special values. The expected results are worked out by hand from AMD's
// ISA manuals.
#include "tests/device/check.h"

#include <cmath>
#include <limits>

namespace {

typedef short short2v __attribute__((ext_vector_type(2)));
typedef unsigned short ushort2v __attribute__((ext_vector_type(2)));
typedef _Float16 half2v __attribute__((ext_vector_type(2)));
typedef unsigned uint4v __attribute__((ext_vector_type(4)));

template <class T> __device__ unsigned bits(T value) { return __builtin_bit_cast(unsigned, value); }

// `zero` keeps the compiler from computing everything itself.
__global__ void integers(unsigned long *out, unsigned zero) {
  int n = 0;
  out[n++] = __builtin_amdgcn_alignbit(0x12345678u + zero, 0x9abcdef0u, 40);
  out[n++] = __builtin_amdgcn_alignbyte(0x12345678u + zero, 0x9abcdef0u, 3);
  out[n++] = __builtin_amdgcn_ubfe(0xf0f0u + zero, 4, 8);
  out[n++] = __builtin_amdgcn_ubfe(~0u + zero, 4, 32);
  out[n++] = __builtin_amdgcn_sbfe(0xf0u + zero, 4, 4);
  out[n++] = __builtin_amdgcn_sbfe(0x70u + zero, 4, 4);
  out[n++] = __builtin_amdgcn_sbfe(0x90000000u + zero, 28, 12);
  out[n++] = __builtin_amdgcn_lerp(0x01ff0003u + zero, 0x02ff0004u, 0x00010001u);
  out[n++] = __builtin_amdgcn_perm(0x07068504u + zero, 0x83028100u, 0x00010205u);
  out[n++] = __builtin_amdgcn_perm(0x07068504u + zero, 0x83028100u, 0x08090a0bu);
  out[n++] = __builtin_amdgcn_perm(0x07068504u + zero, 0x83028100u, 0x0c0dff07u);
  out[n++] = __builtin_amdgcn_sad_u8(0x01ff0380u + zero, 0x02000008u, 10);
  out[n++] = __builtin_amdgcn_msad_u8(0x01ff0380u + zero, 0x02000008u, 10);
  out[n++] = __builtin_amdgcn_sad_hi_u8(0x01ff0380u + zero, 0x02000008u, 10);
  out[n++] = __builtin_amdgcn_sad_u16(0x0001ffffu + zero, 0x00020000u, 10);
  out[n++] = __builtin_amdgcn_qsad_pk_u16_u8(0x0706050403020100ul + zero, 0x03020100u, 0x0003000200010000ul);
  out[n++] = __builtin_amdgcn_mqsad_pk_u16_u8(0x0706050403020100ul + zero, 0x03020100u, 0x0003000200010000ul);
  out[n++] = (__builtin_amdgcn_mqsad_u32_u8(0x0706050403020100ul + zero, 0x03020100u, uint4v{1, 2, 3, 0x10000})).w;
  out[n++] = (unsigned)__builtin_amdgcn_sdot4(0x7f80ff02 + (int)zero, 0x02020304, 5, false);
  out[n++] = __builtin_amdgcn_udot4(0xff80ff02u + zero, 0x02020304u, 5, false);
  out[n++] = (unsigned)__builtin_amdgcn_sudot4(true, 0x0000ff02 + (int)zero, false, 0x0000ff04, 5, false);
  out[n++] = (unsigned)__builtin_amdgcn_sdot8(0x7f81 + (int)zero, 0x2222, 5, false);
  out[n++] = __builtin_amdgcn_udot8(0x7f81u + zero, 0x2222u, 5, false);
  out[n++] = (unsigned)__builtin_amdgcn_sdot4(0x7f7f7f7f + (int)zero, 0x7f7f7f7f, 0x7fffffff, true);
  out[n++] = __builtin_amdgcn_udot8(~0u + zero, ~0u, 0xffffffffu, true);
  out[n++] = (unsigned)__builtin_amdgcn_sdot2(short2v{-3, (short)zero}, short2v{5, 7}, 1, false);
  out[n++] = __builtin_amdgcn_udot2(ushort2v{65535, (unsigned short)zero}, ushort2v{65535, 7}, 0xffffffffu, true);
  out[n++] = bits(__builtin_amdgcn_cvt_pk_i16(40000 + (int)zero, -40000));
  out[n++] = bits(__builtin_amdgcn_cvt_pk_u16(70000u + zero, 12));
  out[n++] = bits(__builtin_amdgcn_cvt_pknorm_i16(-1.5f + zero, 0.5f));
  out[n++] = bits(__builtin_amdgcn_cvt_pknorm_u16(1.5f + zero, -1.0f));
  out[n++] =
      bits(__builtin_amdgcn_cvt_pkrtz(1.0009765f + zero, -65535.0f)); // just below 1 + 2^-10; above the largest half
}

// By a model of the manual's descriptions, in the same order.
const unsigned long kIntegers[] = {0x789abcdeul,
                                   0x3456789aul,
                                   0xful,
                                   0x0ul,
                                   0xfffffffful,
                                   0x7ul,
                                   0xfffffff9ul,
                                   0x1ff0004ul,
                                   0x810285ul,
                                   0xffffff00ul,
                                   0xffff07ul,
                                   0x185ul,
                                   0x83ul,
                                   0x17b000aul,
                                   0x1000aul,
                                   0xf000a00050000ul,
                                   0xc000800040000ul,
                                   0x10009ul,
                                   0x8ul,
                                   0x608ul,
                                   0xffffff0eul,
                                   0x3ul,
                                   0x43ul,
                                   0x7ffffffful,
                                   0xfffffffful,
                                   0xfffffff2ul,
                                   0xfffffffful,
                                   0x80007ffful,
                                   0xcfffful,
                                   0x40008001ul,
                                   0xfffful,
                                   0xfbff3c00ul};

struct Floats {
  float results[40];
  double wide[16];
  int whole[16];
};
__global__ void floats(Floats *out, float zero) {
  const float inf = __builtin_inff() + zero, nan = __builtin_nanf("") + zero;
  int n = 0;
  out->results[n++] = __builtin_amdgcn_fractf(2.75f + zero);
  out->results[n++] = __builtin_amdgcn_fractf(-0.25f + zero);
  out->results[n++] = __builtin_amdgcn_fractf(-1e-30f + zero); // stays below 1
  out->results[n++] = (float)__builtin_amdgcn_fracth((_Float16)(-0.25f + zero));
  out->results[n++] = __builtin_amdgcn_frexp_mantf(12.0f + zero);
  out->results[n++] = __builtin_amdgcn_frexp_mantf(-inf);
  out->results[n++] = (float)__builtin_amdgcn_frexp_manth((_Float16)(12.0f + zero));
  out->results[n++] = __builtin_amdgcn_ldexpf(3.0f + zero, -2);
  out->results[n++] = (float)__builtin_amdgcn_ldexph((_Float16)(3.0f + zero), 3);
  out->results[n++] = __builtin_amdgcn_fmed3f(3.0f + zero, 1, 2);
  out->results[n++] = __builtin_amdgcn_fmed3f(3.0f + zero, nan, 2);
  out->results[n++] = (float)__builtin_amdgcn_fmed3h((_Float16)(3.0f + zero), (_Float16)1, (_Float16)2);
  out->results[n++] = __builtin_amdgcn_rcpf(4.0f + zero);
  out->results[n++] = __builtin_amdgcn_sqrtf(9.0f + zero);
  out->results[n++] = __builtin_amdgcn_rsqf(16.0f + zero);
  out->results[n++] = __builtin_amdgcn_rsq_clampf(0.0f + zero);
  out->results[n++] = __builtin_amdgcn_sinf(0.25f + zero);
  out->results[n++] = __builtin_amdgcn_cosf(0.5f + zero);
  out->results[n++] = __builtin_amdgcn_logf(8.0f + zero);
  out->results[n++] = __builtin_amdgcn_log_clampf(0.0f + zero);
  out->results[n++] = __builtin_amdgcn_exp2f(-3.0f + zero);
  out->results[n++] =
      __builtin_amdgcn_fdot2(half2v{(_Float16)1, (_Float16)2}, half2v{(_Float16)3, (_Float16)4}, zero, false);
  out->results[n++] =
      __builtin_amdgcn_fdot2(half2v{(_Float16)1, (_Float16)2}, half2v{(_Float16)3, (_Float16)4}, zero, true);
  n = 0;
  out->wide[n++] = __builtin_amdgcn_fract(-0.25 + zero);
  out->wide[n++] = __builtin_amdgcn_frexp_mant(-12.0 + zero);
  out->wide[n++] = __builtin_amdgcn_ldexp(3.0 + zero, 4);
  out->wide[n++] = __builtin_amdgcn_rcp(8.0 + zero);
  out->wide[n++] = __builtin_amdgcn_sqrt(9.0 + zero);
  out->wide[n++] = __builtin_amdgcn_rsq(16.0 + zero);
  out->wide[n++] = __builtin_amdgcn_rsq_clamp(0.0 + zero);
  n = 0;
  out->whole[n++] = __builtin_amdgcn_frexp_expf(12.0f + zero);
  out->whole[n++] = __builtin_amdgcn_frexp_exp(0.375 + zero);
  out->whole[n++] = __builtin_amdgcn_frexp_exph((_Float16)(12.0f + zero));
  out->whole[n++] = __builtin_amdgcn_frexp_expf(inf);
  // Each class has its bit, of signaling NaN to positive infinity.
  out->whole[n++] = __builtin_amdgcn_classf(nan, 2) && !__builtin_amdgcn_classf(nan, 0x3fd);
  out->whole[n++] = __builtin_amdgcn_classf(-inf, 4) && !__builtin_amdgcn_classf(-inf, 0x3fb);
  out->whole[n++] = __builtin_amdgcn_classf(-1.0f + zero, 8) && !__builtin_amdgcn_classf(-1.0f + zero, 0x3f7);
  out->whole[n++] =
      __builtin_amdgcn_class(-0x1p-1070 - zero, 0x10) && !__builtin_amdgcn_class(-0x1p-1070 - zero, 0x3ef);
  out->whole[n++] = __builtin_amdgcn_classf(-zero, 0x20) && !__builtin_amdgcn_classf(-zero, 0x3df);
  out->whole[n++] = __builtin_amdgcn_classf(zero, 0x40) && !__builtin_amdgcn_classf(zero, 0x3bf);
  out->whole[n++] = __builtin_amdgcn_class(0x1p-1070 + zero, 0x80) && !__builtin_amdgcn_class(0x1p-1070 + zero, 0x37f);
  out->whole[n++] = __builtin_amdgcn_classh((_Float16)(1.0f + zero), 0x100);
  out->whole[n++] = __builtin_amdgcn_classf(inf, 0x200) && !__builtin_amdgcn_classf(inf, 0x1ff);
}

void checkIntegers() {
  constexpr int kCount = sizeof kIntegers / sizeof *kIntegers;
  DeviceArray<unsigned long> out(kCount);
  integers<<<1, 1>>>(out, 0);
  HIP_CHECK(hipGetLastError());
  const std::vector<unsigned long> results = out.host();
  for (int i = 0; i < kCount; ++i)
    if (results[i] != kIntegers[i]) {
      ++checkFailures;
      std::fprintf(stderr, "integers, result %d: %lx, expected %lx\n", i, results[i], kIntegers[i]);
    }
}

void checkFloats() {
  DeviceArray<Floats> out(1);
  floats<<<1, 1>>>(out, 0.0f);
  HIP_CHECK(hipGetLastError());
  const Floats r = out.host()[0];
  const float inf = std::numeric_limits<float>::infinity(), largest = std::numeric_limits<float>::max();
  const float expected[] = {0.75f, 0.75f, 0x1.fffffep-1f, 0.75f,   0.75f, -inf, 0.75f, 0.75f,    24,     2,  2, 2,
                            0.25f, 3,     0.25f,          largest, 1,     -1,   3,     -largest, 0.125f, 11, 1};
  for (unsigned i = 0; i < sizeof expected / sizeof *expected; ++i)
    if (!(std::fabs(r.results[i] - expected[i]) <= 1e-6f * std::fabs(expected[i])) && r.results[i] != expected[i]) {
      ++checkFailures;
      std::fprintf(stderr, "floats, result %u: %g, expected %g\n", i, r.results[i], expected[i]);
    }
  const double wide[] = {0.75, -0.75, 48, 0.125, 3, 0.25, std::numeric_limits<double>::max()};
  for (unsigned i = 0; i < sizeof wide / sizeof *wide; ++i)
    CHECK_EQ(r.wide[i], wide[i]);
  const int whole[] = {4, -1, 4, 0, 1, 1, 1, 1, 1, 1, 1, 1, 1};
  for (unsigned i = 0; i < sizeof whole / sizeof *whole; ++i)
    if (r.whole[i] != whole[i]) {
      ++checkFailures;
      std::fprintf(stderr, "whole, result %u: %d, expected %d\n", i, r.whole[i], whole[i]);
    }
}

} // namespace

TEST(integers) { checkIntegers(); }
TEST(floats) { checkFloats(); }

int main(int argc, char **argv) { return runTests(argc, argv); }
