// SPDX-License-Identifier: MIT
// The algorithms of bench_compute as OpenMP loops, compiled as an HPC programmer would: -O3 -march=native -ffast-math.
// Matrices are square and row-major, forces and bodies four floats each.
#pragma once
#include <cstddef>

void nativeZero(void *memory, size_t bytes);
void nativeNbody(const float *bodies, float *forces, int n, float softening);
void nativeLennardJones(const float *atoms, const int *neighbours, float *forces, int n, int many, float cutoff);
void nativeMatrixProduct(const float *a, const float *b, float *c, int n);
void nativeMatrixProduct(const double *a, const double *b, double *c, int n);
void nativeTranspose(const float *in, float *out, int n);
void nativeStencil2d(const float *in, float *out, int n);
void nativeStencil3d(const float *in, float *out, int n);
void nativeStencil3d(const double *in, double *out, int n);
float nativeSum(const float *in, int n);
void nativeScan(const float *in, float *out, int n);
void nativeSoftmax(const float *in, float *out, int rows, int columns);
void nativeBlackScholes(const float *price, const float *strike, const float *years, float *call, float *put,
                        float rate, float volatility, int n);
void nativeMandelbrot(int *counts, int side, int rounds);
void nativeMonteCarlo(unsigned *hits, int walkers, int draws);
/// For each of `threads` numbers: eight chains of `steps` multiply-adds. Written with intrinsics where there are any.
void nativeChains(float *out, float factor, float addend, int threads, int steps);
void nativeChains(double *out, double factor, double addend, int threads, int steps);
void nativeHistogram(const unsigned char *in, unsigned *bins, int n);
void nativeSparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows);
/// The largest number of each row.
void nativeRowMaxima(const int *in, int *out, int rows, int length);
void nativeRowSums(const float *in, float *out, int rows, int length);
/// A step of a breadth-first search: `next` of each vertex without a level that an edge leads to from level `from` becomes `from` + 1.
void nativeEdges(const int *begin, const int *to, const int *level, int *next, int vertices, int from);
void nativeGather(const float *in, const int *index, float *out, int n);
void nativeBitonic(unsigned *keys, int n);
/// Transforms of `length` complex numbers each, a power of two.
void nativeFft(const float *in, float *out, int length, int transforms);
/// out = a x + y; x, y and out are numbers of half precision, by their bits.
void nativeAxpyHalves(const unsigned short *x, const unsigned short *y, unsigned short *out, float a, int n);
/// For each of `outputs` rows the dot product with `in`. The weights stand in groups of four: the first four of each row, then the next.
void nativeLayerBytes(const signed char *weights, const signed char *in, int *out, int inputs, int outputs);
/// A filter of 5 x 5 weights; pixels beyond an edge are those of the edge.
void nativeFilterBytes(const unsigned char *in, unsigned char *out, const float *weights, int width, int height);
/// Particles of seven floats each: position, velocity, mass. They turn at the walls of a cube from 0 to `size`.
void nativeMoveParticles(float *particles, float step, float size, int n);
/// y = the polynomial at x; `degree` + 1 coefficients, the constant first.
void nativePolynomial(const double *x, double *y, const double *coefficients, int degree, int n);
/// Sums of eight numbers that lie 256 apart, 256 sums for each of `spreads` times 2048 numbers.
void nativeSumSpread(const float *in, float *out, int spreads);
/// out = a in.
void nativeScale(const float *in, float *out, float a, int n);
/// out = x + y of numbers of half precision, by their bits.
void nativeAddHalves(const unsigned short *x, const unsigned short *y, unsigned short *out, int n);
/// `steps` times value = a value + b with two roundings, for each number of half precision.
void nativeChainHalves(const unsigned short *x, unsigned short *out, float a, float b, int steps, int n);
/// For each sample of four floats the number of the nearest centre.
void nativeNearest(const float *samples, const float *centres, int *nearest, int n, int centreCount);
