// SPDX-License-Identifier: MIT
// The OpenMP side of types.hip; see native.h.
#include "native.h"

#include <cstring>
#include <immintrin.h>
#include <initializer_list>

void nativeAxpyHalves(const unsigned short *x, const unsigned short *y, unsigned short *out, float a, int n) {
#if defined(__F16C__) && defined(__FMA__)
  const __m256 factor = _mm256_set1_ps(a);
#pragma omp parallel for
  for (int i = 0; i < n; i += 8) {
    const __m256 left = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(x + i)));
    const __m256 right = _mm256_cvtph_ps(_mm_loadu_si128((const __m128i *)(y + i)));
    _mm_storeu_si128((__m128i *)(out + i),
                     _mm256_cvtps_ph(_mm256_fmadd_ps(factor, left, right), _MM_FROUND_TO_NEAREST_INT));
  }
#else
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    _Float16 left, right;
    std::memcpy(&left, x + i, 2);
    std::memcpy(&right, y + i, 2);
    const _Float16 sum = _Float16(a * float(left) + float(right));
    std::memcpy(out + i, &sum, 2);
  }
#endif
}

void nativeLayerBytes(const signed char *weights, const signed char *in, int *out, int inputs, int outputs) {
  constexpr int kRows = 64;
#pragma omp parallel for
  for (int first = 0; first < outputs; first += kRows) {
    int sums[kRows] = {};
    for (int k = 0; k < inputs / 4; ++k) {
      const signed char *group = weights + (size_t(k) * outputs + first) * 4;
#pragma omp simd
      for (int row = 0; row < kRows; ++row)
        sums[row] += group[4 * row] * in[4 * k] + group[4 * row + 1] * in[4 * k + 1] +
                     group[4 * row + 2] * in[4 * k + 2] + group[4 * row + 3] * in[4 * k + 3];
    }
    std::memcpy(out + first, sums, sizeof sums);
  }
}

void nativeFilterBytes(const unsigned char *in, unsigned char *out, const float *weights, int width, int height) {
  auto inside = [](int i, int end) { return i < 0 ? 0 : i < end ? i : end - 1; };
#pragma omp parallel for
  for (int y = 0; y < height; ++y) {
    const unsigned char *rows[5];
    for (int dy = 0; dy < 5; ++dy)
      rows[dy] = in + size_t(inside(y + dy - 2, height)) * width;
    unsigned char *result = out + size_t(y) * width;
    auto pixel = [&](int x, auto &&place) {
      float sum = 0;
      for (int dy = 0; dy < 5; ++dy)
        for (int dx = 0; dx < 5; ++dx)
          sum += weights[dy * 5 + dx] * float(rows[dy][place(x + dx - 2)]);
      result[x] = (unsigned char)(sum + 0.5f);
    };
    for (int x : {0, 1, width - 2, width - 1})
      pixel(x, [&](int i) { return inside(i, width); });
#pragma omp simd
    for (int x = 2; x < width - 2; ++x)
      pixel(x, [](int i) { return i; });
  }
}

void nativeMoveParticles(float *particles, float step, float size, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    float *p = particles + size_t(7) * i;
    const float vx = p[3], vy = p[4], vz = p[5] - 9.81f * step;
    const float x = p[0] + vx * step, y = p[1] + vy * step, z = p[2] + vz * step;
    p[0] = x, p[1] = y, p[2] = z;
    p[3] = x < 0 || x > size ? -vx : vx;
    p[4] = y < 0 || y > size ? -vy : vy;
    p[5] = z < 0 || z > size ? -vz : vz;
  }
}

void nativePolynomial(const double *x, double *y, const double *coefficients, int degree, int n) {
  constexpr int kPiece = 8;
#pragma omp parallel for
  for (int first = 0; first < n; first += kPiece) {
    const int many = n - first < kPiece ? n - first : kPiece;
    double value[kPiece];
    for (double &one : value)
      one = coefficients[degree];
    for (int k = degree - 1; k >= 0; --k)
      for (int i = 0; i < kPiece; ++i)
        value[i] = value[i] * x[first + (i < many ? i : 0)] + coefficients[k];
    std::memcpy(y + first, value, size_t(many) * sizeof(double));
  }
}

void nativeNearest(const float *samples, const float *centres, int *nearest, int n, int centreCount) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    const float *s = samples + size_t(4) * i;
    float best = 1e30f;
    int found = 0;
    for (int k = 0; k < centreCount; ++k) {
      const float *c = centres + size_t(4) * k;
      const float x = s[0] - c[0], y = s[1] - c[1], z = s[2] - c[2], w = s[3] - c[3];
      const float distance = x * x + y * y + z * z + w * w;
      found = distance < best ? k : found;
      best = distance < best ? distance : best;
    }
    nearest[i] = found;
  }
}
