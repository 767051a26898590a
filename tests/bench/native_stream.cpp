// SPDX-License-Identifier: MIT
// See native_stream.h.
#include "native_stream.h"

void nativeInit(double *a, double *b, double *c, long n) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i)
    a[i] = 0.1, b[i] = 0.2, c[i] = 0.0;
}

void nativeCopy(double *c, const double *a, long n) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i)
    c[i] = a[i];
}

void nativeMul(double *b, const double *c, double scalar, long n) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i)
    b[i] = scalar * c[i];
}

void nativeAdd(double *c, const double *a, const double *b, long n) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i)
    c[i] = a[i] + b[i];
}

void nativeFill(double *c, double value, long n) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i)
    c[i] = value;
}

void nativeTriad(double *a, const double *b, const double *c, double scalar, long n) {
#pragma omp parallel for simd
  for (long i = 0; i < n; ++i)
    a[i] = b[i] + scalar * c[i];
}

double nativeDot(const double *a, const double *b, long n) {
  double sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (long i = 0; i < n; ++i)
    sum += a[i] * b[i];
  return sum;
}
