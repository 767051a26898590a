// SPDX-License-Identifier: MIT
// The OpenMP side of wide.hip; see native.h.
#include "native.h"

#include <cstddef>
#include <cstring>
#include <immintrin.h>

void nativeSumSpread(const float *in, float *out, int spreads) {
#pragma omp parallel for
  for (int spread = 0; spread < spreads; ++spread)
    for (int i = 0; i < 256; ++i) {
      float sum = 0;
      for (int j = 0; j < 8; ++j)
        sum += in[size_t(spread) * 2048 + j * 256 + i];
      out[size_t(spread) * 256 + i] = sum;
    }
}

void nativeScale(const float *in, float *out, float a, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = a * in[i];
}

namespace {

// Each operation is rounded to half precision, as on a GPU.
template <class Operation> void forHalves(unsigned short *out, int n, Operation operation) {
#if defined(__F16C__)
#pragma omp parallel for
  for (int i = 0; i < n; i += 8)
    _mm_storeu_si128((__m128i *)(out + i), operation(i));
#else
#error "needs F16C, which every processor with AVX2 has"
#endif
}

inline __m256 load(const unsigned short *from) { return _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)from)); }
inline __m128i rounded(__m256 value) { return _mm256_cvtps_ph(value, _MM_FROUND_TO_NEAREST_INT); }

} // namespace

void nativeAddHalves(const unsigned short *x, const unsigned short *y, unsigned short *out, int n) {
  forHalves(out, n, [=](int i) { return rounded(_mm256_add_ps(load(x + i), load(y + i))); });
}

void nativeChainHalves(const unsigned short *x, unsigned short *out, float a, float b, int steps, int n) {
  const __m256 factor = _mm256_set1_ps(a), more = _mm256_set1_ps(b);
  forHalves(out, n, [=](int i) {
    __m128i value = _mm_loadu_si128((const __m128i *)(x + i));
    for (int k = 0; k < steps; ++k) {
      const __m256 product = _mm256_cvtph_ps(rounded(_mm256_mul_ps(_mm256_cvtph_ps(value), factor)));
      value = rounded(_mm256_add_ps(product, more));
    }
    return value;
  });
}
