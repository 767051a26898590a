// SPDX-License-Identifier: MIT
// How fast memory is: the five kernels of the STREAM family, each limited by memory and nothing else.
// Compile with -DREAL=double to measure with double precision, which some GPUs lack.
#include "common.h"

#include <cmath>
#include <string>

#ifndef REAL
#define REAL float
#endif
using Real = REAL;

constexpr unsigned kBlock = 256;
constexpr unsigned kDotBlocks = 256;
constexpr Real kScalar = Real(0.4);

__global__ void copy(const Real *a, Real *c, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i];
}

__global__ void mul(Real *b, const Real *c, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    b[i] = kScalar * c[i];
}

__global__ void add(const Real *a, const Real *b, Real *c, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    c[i] = a[i] + b[i];
}

__global__ void triad(Real *a, const Real *b, const Real *c, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n)
    a[i] = b[i] + kScalar * c[i];
}

// Each block adds up its share in shared memory; the host adds up the blocks.
__global__ void dot(const Real *a, const Real *b, Real *sums, size_t n) {
  __shared__ Real partial[kBlock];
  Real sum = 0;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x)
    sum += a[i] * b[i];
  partial[threadIdx.x] = sum;
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half)
      partial[threadIdx.x] += partial[threadIdx.x + half];
  }
  if (threadIdx.x == 0)
    sums[blockIdx.x] = partial[0];
}

static bool all(const sample::DeviceArray<Real> &array, double expected) {
  bool same = true;
  for (const Real value : array.toHost())
    same = same && std::abs(value - expected) <= 1e-5 * std::abs(expected);
  return same;
}

int main() {
  const size_t n = 1 << 23;
  const unsigned grid = unsigned((n + kBlock - 1) / kBlock);
  sample::DeviceArray<Real> a(std::vector<Real>(n, Real(0.1))), b(std::vector<Real>(n, Real(0.2))), c(n),
      sums(kDotBlocks);
  double host_a = 0.1, host_b = 0.2, host_c = 0; // what every element of the arrays must be
  bool passed = true;
  double triadRate = 0;

  const auto measure = [&](const char *name, int arrays, auto &&launch) {
    const double seconds = sample::bestSeconds(5, launch);
    const double rate = arrays * double(n) * sizeof(Real) / seconds / 1e9;
    std::printf("%-6s %8.2f GB/s\n", name, rate);
    if (std::string(name) == "triad")
      triadRate = rate;
  };

  // Each kernel may run many times: it writes an array that it does not read.
  measure("copy", 2, [&] { copy<<<grid, kBlock>>>(a.get(), c.get(), n); });
  host_c = host_a;
  passed = passed && all(c, host_c);
  measure("mul", 2, [&] { mul<<<grid, kBlock>>>(b.get(), c.get(), n); });
  host_b = kScalar * host_c;
  passed = passed && all(b, host_b);
  measure("add", 3, [&] { add<<<grid, kBlock>>>(a.get(), b.get(), c.get(), n); });
  host_c = host_a + host_b;
  passed = passed && all(c, host_c);
  measure("triad", 3, [&] { triad<<<grid, kBlock>>>(a.get(), b.get(), c.get(), n); });
  host_a = host_b + kScalar * host_c;
  passed = passed && all(a, host_a);
  measure("dot", 2, [&] { dot<<<kDotBlocks, kBlock>>>(a.get(), b.get(), sums.get(), n); });
  double sum = 0;
  for (const Real part : sums.toHost())
    sum += part;
  passed = passed && std::abs(sum - host_a * host_b * n) <= 1e-4 * host_a * host_b * n;

  HIP_CHECK(hipGetLastError());
  return sample::report("stream", passed, triadRate, "GB/s");
}
