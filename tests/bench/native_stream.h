// SPDX-License-Identifier: MIT
// The stream kernels as OpenMP loops, compiled with -O3 -march=native -ffast-math.
#pragma once
void nativeInit(double *a, double *b, double *c, long n);
void nativeCopy(double *c, const double *a, long n);
void nativeMul(double *b, const double *c, double scalar, long n);
void nativeAdd(double *c, const double *a, const double *b, long n);
void nativeFill(double *c, double value, long n);
void nativeTriad(double *a, const double *b, const double *c, double scalar, long n);
double nativeDot(const double *a, const double *b, long n);
