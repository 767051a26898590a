// SPDX-License-Identifier: MIT
// See native.h.
#include "native.h"

#include <cmath>
#include <cstring>
#include <immintrin.h>
#include <omp.h>
#include <vector>

void nativeZero(void *memory, size_t bytes) {
  constexpr size_t kPage = 4096;
  const long pages = long((bytes + kPage - 1) / kPage);
#pragma omp parallel for schedule(static)
  for (long page = 0; page < pages; ++page) {
    const size_t begin = size_t(page) * kPage;
    std::memset(static_cast<char *>(memory) + begin, 0, begin + kPage < bytes ? kPage : bytes - begin);
  }
}

void nativeNbody(const float *bodies, float *forces, int n, float softening) {
  std::vector<float> x(n), y(n), z(n), mass(n);
  for (int i = 0; i < n; ++i)
    x[i] = bodies[4 * i], y[i] = bodies[4 * i + 1], z[i] = bodies[4 * i + 2], mass[i] = bodies[4 * i + 3];
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    float fx = 0, fy = 0, fz = 0;
    for (int j = 0; j < n; ++j) {
      const float dx = x[j] - x[i], dy = y[j] - y[i], dz = z[j] - z[i];
      const float inverse = 1 / std::sqrt(dx * dx + dy * dy + dz * dz + softening);
      const float strength = mass[j] * inverse * inverse * inverse;
      fx += dx * strength;
      fy += dy * strength;
      fz += dz * strength;
    }
    forces[4 * i] = fx, forces[4 * i + 1] = fy, forces[4 * i + 2] = fz, forces[4 * i + 3] = 0;
  }
}

void nativeLennardJones(const float *atoms, const int *neighbours, float *forces, int n, int many, float cutoff) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    const float x = atoms[4 * i], y = atoms[4 * i + 1], z = atoms[4 * i + 2];
    float fx = 0, fy = 0, fz = 0;
    for (int k = 0; k < many; ++k) {
      const int j = neighbours[size_t(k) * n + i];
      const float dx = x - atoms[4 * j], dy = y - atoms[4 * j + 1], dz = z - atoms[4 * j + 2];
      const float r2 = dx * dx + dy * dy + dz * dz;
      if (r2 < cutoff && r2 > 0) {
        const float inverse = 1 / r2, r6 = inverse * inverse * inverse;
        const float force = inverse * r6 * (1.5f * r6 - 2.0f);
        fx += dx * force;
        fy += dy * force;
        fz += dz * force;
      }
    }
    forces[4 * i] = fx, forces[4 * i + 1] = fy, forces[4 * i + 2] = fz, forces[4 * i + 3] = 0;
  }
}

template <class T> static void product(const T *a, const T *b, T *c, int n) {
  constexpr int kRows = 4, kDepth = 64;
#pragma omp parallel for
  for (int row = 0; row < n; row += kRows) {
    std::memset(c + size_t(row) * n, 0, size_t(kRows) * n * sizeof(T));
    for (int first = 0; first < n; first += kDepth)
      for (int k = first; k < first + kDepth; ++k) {
        const T a0 = a[row * n + k], a1 = a[(row + 1) * n + k], a2 = a[(row + 2) * n + k], a3 = a[(row + 3) * n + k];
        const T *right = b + size_t(k) * n;
        T *c0 = c + size_t(row) * n;
#pragma omp simd
        for (int column = 0; column < n; ++column) {
          c0[column] += a0 * right[column];
          c0[column + n] += a1 * right[column];
          c0[column + 2 * n] += a2 * right[column];
          c0[column + 3 * n] += a3 * right[column];
        }
      }
  }
}

void nativeMatrixProduct(const float *a, const float *b, float *c, int n) { product(a, b, c, n); }
void nativeMatrixProduct(const double *a, const double *b, double *c, int n) { product(a, b, c, n); }

void nativeTranspose(const float *in, float *out, int n) {
  constexpr int kTile = 32;
#pragma omp parallel for collapse(2)
  for (int row = 0; row < n; row += kTile)
    for (int column = 0; column < n; column += kTile)
      for (int y = row; y < row + kTile; ++y)
#pragma omp simd
        for (int x = column; x < column + kTile; ++x)
          out[size_t(y) * n + x] = in[size_t(x) * n + y];
}

void nativeStencil2d(const float *in, float *out, int n) {
#pragma omp parallel for
  for (int y = 1; y < n - 1; ++y)
#pragma omp simd
    for (int x = 1; x < n - 1; ++x) {
      const size_t i = size_t(y) * n + x;
      out[i] = 0.5f * in[i] + 0.125f * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n]);
    }
}

template <class T> static void sevenPoints(const T *in, T *out, int n) {
  const size_t plane = size_t(n) * n;
#pragma omp parallel for collapse(2)
  for (int z = 1; z < n - 1; ++z)
    for (int y = 1; y < n - 1; ++y)
#pragma omp simd
      for (int x = 1; x < n - 1; ++x) {
        const size_t i = z * plane + size_t(y) * n + x;
        out[i] =
            T(0.4) * in[i] + T(0.1) * (in[i - 1] + in[i + 1] + in[i - n] + in[i + n] + in[i - plane] + in[i + plane]);
      }
}

void nativeStencil3d(const float *in, float *out, int n) { sevenPoints(in, out, n); }
void nativeStencil3d(const double *in, double *out, int n) { sevenPoints(in, out, n); }

float nativeSum(const float *in, int n) {
  float sum = 0;
#pragma omp parallel for simd reduction(+ : sum)
  for (int i = 0; i < n; ++i)
    sum += in[i];
  return sum;
}

// Each thread sums its piece, then scans it from the sum of the pieces before.
void nativeScan(const float *in, float *out, int n) {
  std::vector<float> sums(size_t(omp_get_max_threads()) + 1);
#pragma omp parallel
  {
    const int threads = omp_get_num_threads(), self = omp_get_thread_num();
    const int begin = int(long(n) * self / threads), end = int(long(n) * (self + 1) / threads);
    float sum = 0;
#pragma omp simd reduction(+ : sum)
    for (int i = begin; i < end; ++i)
      sum += in[i];
    sums[size_t(self) + 1] = sum;
#pragma omp barrier
    float before = 0;
    for (int i = 0; i <= self; ++i)
      before += sums[size_t(i)];
    for (int i = begin; i < end; ++i)
      out[i] = before += in[i];
  }
}

void nativeSoftmax(const float *in, float *out, int rows, int columns) {
#pragma omp parallel for
  for (int r = 0; r < rows; ++r) {
    const float *row = in + size_t(r) * columns;
    float *result = out + size_t(r) * columns;
    float largest = row[0], sum = 0;
#pragma omp simd reduction(max : largest)
    for (int i = 0; i < columns; ++i)
      largest = largest > row[i] ? largest : row[i];
#pragma omp simd reduction(+ : sum)
    for (int i = 0; i < columns; ++i)
      sum += result[i] = std::exp(row[i] - largest);
    const float scale = 1 / sum;
#pragma omp simd
    for (int i = 0; i < columns; ++i)
      result[i] *= scale;
  }
}

static inline float normal(float x) {
  const float k = 1 / (1 + 0.2316419f * std::fabs(x));
  const float tail =
      0.39894228040143267794f * std::exp(-0.5f * x * x) *
      (k * (0.31938153f + k * (-0.356563782f + k * (1.781477937f + k * (-1.821255978f + k * 1.330274429f)))));
  return x > 0 ? 1 - tail : tail;
}

void nativeBlackScholes(const float *price, const float *strike, const float *years, float *call, float *put,
                        float rate, float volatility, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i) {
    const float root = std::sqrt(years[i]);
    const float d1 =
        (std::log(price[i] / strike[i]) + (rate + 0.5f * volatility * volatility) * years[i]) / (volatility * root);
    const float d2 = d1 - volatility * root;
    const float n1 = normal(d1), n2 = normal(d2), discount = strike[i] * std::exp(-rate * years[i]);
    call[i] = price[i] * n1 - discount * n2;
    put[i] = discount * (1 - n2) - price[i] * (1 - n1);
  }
}

// OpenMP's vectorisers take no loop that ends at a different place in each lane, so the lanes are written out: 16 points go
// on until the last one has left.
void nativeMandelbrot(int *counts, int side, int rounds) {
  constexpr int kLanes = 16;
#pragma omp parallel for schedule(dynamic, 8)
  for (int py = 0; py < side; ++py) {
    const float cy = -1.5f + 3.0f * float(py) / float(side);
    for (int first = 0; first < side; first += kLanes) {
      float x[kLanes] = {}, y[kLanes] = {}, cx[kLanes];
      int n[kLanes] = {};
      for (int lane = 0; lane < kLanes; ++lane)
        cx[lane] = -2.0f + 3.0f * float(first + lane) / float(side);
      for (int round = 0, inside = 1; round < rounds && inside; ++round) {
        inside = 0;
#pragma omp simd reduction(| : inside)
        for (int lane = 0; lane < kLanes; ++lane) {
          const float xx = x[lane] * x[lane], yy = y[lane] * y[lane];
          const int stays = xx + yy < 4;
          const float next = xx - yy + cx[lane], nextY = 2 * x[lane] * y[lane] + cy;
          x[lane] = stays ? next : x[lane];
          y[lane] = stays ? nextY : y[lane];
          n[lane] += stays;
          inside |= stays;
        }
      }
      std::memcpy(counts + size_t(py) * side + first, n, sizeof n);
    }
  }
}

void nativeMonteCarlo(unsigned *hits, int walkers, int draws) {
#pragma omp parallel for simd
  for (int i = 0; i < walkers; ++i) {
    unsigned state = unsigned(i) * 2654435761u + 12345u, inside = 0;
    for (int k = 0; k < draws; ++k) {
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      const float x = float(state >> 8) * (1.0f / (1 << 24));
      state ^= state << 13, state ^= state >> 17, state ^= state << 5;
      const float y = float(state >> 8) * (1.0f / (1 << 24));
      inside += x * x + y * y < 1;
    }
    hits[i] = inside;
  }
}

namespace {

// Vectors of one instruction set under one name each.
#if defined(__AVX512F__)
struct Floats {
  using T = float;
  __m512 v;
  static constexpr int kLanes = 16;
  static Floats load(const float *p) { return {_mm512_loadu_ps(p)}; }
  static Floats all(float x) { return {_mm512_set1_ps(x)}; }
  void store(float *p) const { _mm512_storeu_ps(p, v); }
  Floats multiplyAdd(Floats a, Floats b) const { return {_mm512_fmadd_ps(v, a.v, b.v)}; }
};
struct Doubles {
  using T = double;
  __m512d v;
  static constexpr int kLanes = 8;
  static Doubles load(const double *p) { return {_mm512_loadu_pd(p)}; }
  static Doubles all(double x) { return {_mm512_set1_pd(x)}; }
  void store(double *p) const { _mm512_storeu_pd(p, v); }
  Doubles multiplyAdd(Doubles a, Doubles b) const { return {_mm512_fmadd_pd(v, a.v, b.v)}; }
};
#elif defined(__FMA__)
struct Floats {
  using T = float;
  __m256 v;
  static constexpr int kLanes = 8;
  static Floats load(const float *p) { return {_mm256_loadu_ps(p)}; }
  static Floats all(float x) { return {_mm256_set1_ps(x)}; }
  void store(float *p) const { _mm256_storeu_ps(p, v); }
  Floats multiplyAdd(Floats a, Floats b) const { return {_mm256_fmadd_ps(v, a.v, b.v)}; }
};
struct Doubles {
  using T = double;
  __m256d v;
  static constexpr int kLanes = 4;
  static Doubles load(const double *p) { return {_mm256_loadu_pd(p)}; }
  static Doubles all(double x) { return {_mm256_set1_pd(x)}; }
  void store(double *p) const { _mm256_storeu_pd(p, v); }
  Doubles multiplyAdd(Doubles a, Doubles b) const { return {_mm256_fmadd_pd(v, a.v, b.v)}; }
};
#else
template <class Number> struct One {
  using T = Number;
  T v;
  static constexpr int kLanes = 1;
  static One load(const T *p) { return {*p}; }
  static One all(T x) { return {x}; }
  void store(T *p) const { *p = v; }
  One multiplyAdd(One a, One b) const { return {v * a.v + b.v}; }
};
using Floats = One<float>;
using Doubles = One<double>;
#endif

// Eight chains of vectors at once fill the pipelines of two units with a latency of four.
template <class V> void chains(typename V::T *out, typename V::T factor, typename V::T addend, int threads, int steps) {
  using T = typename V::T;
  constexpr int kChains = 8;
#pragma omp parallel for
  for (int first = 0; first < threads; first += V::kLanes) {
    V value[kChains];
    for (int k = 0; k < kChains; ++k) {
      T begin[V::kLanes];
      for (int lane = 0; lane < V::kLanes; ++lane)
        begin[lane] = T(first + lane + k);
      value[k] = V::load(begin);
    }
    const V f = V::all(factor), a = V::all(addend);
    for (int step = 0; step < steps; ++step)
      for (int k = 0; k < kChains; ++k)
        value[k] = value[k].multiplyAdd(f, a);
    T sums[V::kLanes] = {};
    for (int k = 0; k < kChains; ++k) {
      T part[V::kLanes];
      value[k].store(part);
      for (int lane = 0; lane < V::kLanes; ++lane)
        sums[lane] += part[lane];
    }
    std::memcpy(out + first, sums, sizeof sums);
  }
}

} // namespace

void nativeChains(float *out, float factor, float addend, int threads, int steps) {
  chains<Floats>(out, factor, addend, threads, steps);
}
void nativeChains(double *out, double factor, double addend, int threads, int steps) {
  chains<Doubles>(out, factor, addend, threads, steps);
}

void nativeHistogram(const unsigned char *in, unsigned *bins, int n) {
  std::memset(bins, 0, 256 * sizeof(unsigned));
#pragma omp parallel
  {
    unsigned part[4][256] = {};
#pragma omp for
    for (int i = 0; i < n / 4; ++i)
      for (int k = 0; k < 4; ++k)
        ++part[k][in[4 * size_t(i) + k]];
#pragma omp critical
    for (int bin = 0; bin < 256; ++bin)
      bins[bin] += part[0][bin] + part[1][bin] + part[2][bin] + part[3][bin];
  }
}

void nativeSparse(const int *begin, const int *column, const float *value, const float *x, float *y, int rows) {
#pragma omp parallel for
  for (int row = 0; row < rows; ++row) {
    float sum = 0;
    for (int k = begin[row]; k < begin[row + 1]; ++k)
      sum += value[k] * x[column[k]];
    y[row] = sum;
  }
}

void nativeGather(const float *in, const int *index, float *out, int n) {
#pragma omp parallel for simd
  for (int i = 0; i < n; ++i)
    out[i] = in[index[i]];
}

void nativeBitonic(unsigned *keys, int n) {
  for (int size = 2; size <= n; size *= 2)
    for (int distance = size / 2; distance > 0; distance /= 2) {
#pragma omp parallel for
      for (int pair = 0; pair < n / 2; ++pair) {
        const int i = (pair / distance) * 2 * distance + pair % distance, other = i + distance;
        const unsigned a = keys[i], b = keys[other];
        if ((a > b) == ((i & size) == 0)) {
          keys[i] = b;
          keys[other] = a;
        }
      }
    }
}

void nativeFft(const float *in, float *out, int length, int transforms) {
#pragma omp parallel
  {
    const size_t n = size_t(length);
    std::vector<float> re(2 * n), im(2 * n), cosines(n), sines(n);
#pragma omp for
    for (int t = 0; t < transforms; ++t) {
      const float *from = in + size_t(2) * length * t;
      for (int i = 0; i < length; ++i)
        re[i] = from[2 * i], im[i] = from[2 * i + 1];
      float *ar = re.data(), *ai = im.data(), *br = ar + length, *bi = ai + length;
      for (int half = 1; half < length; half *= 2) {
        for (int k = 0; k < half; ++k) {
          const float angle = -3.14159265358979f * float(k) / float(half);
          cosines[k] = std::cos(angle), sines[k] = std::sin(angle);
        }
        for (int first = 0; first < length / 2; first += half)
#pragma omp simd
          for (int k = 0; k < half; ++k) {
            const int i = first + k, to = 2 * first + k;
            const float c = cosines[k], s = sines[k];
            const float x = ar[i + length / 2], y = ai[i + length / 2], tx = x * c - y * s, ty = x * s + y * c;
            br[to] = ar[i] + tx, bi[to] = ai[i] + ty;
            br[to + half] = ar[i] - tx, bi[to + half] = ai[i] - ty;
          }
        std::swap(ar, br);
        std::swap(ai, bi);
      }
      float *result = out + size_t(2) * length * t;
      for (int i = 0; i < length; ++i)
        result[2 * i] = ar[i], result[2 * i + 1] = ai[i];
    }
  }
}
