// SPDX-License-Identifier: MIT
// Work that the threads of a block do together: reductions, scans, sorts, stencils, transforms, hash tables, atomics, operations of the warp in
// divergent code, cooperative groups.
#include "cases.h"

#include <hip/hip_cooperative_groups.h>

#include <algorithm>
#include <numeric>

namespace cg = cooperative_groups;

static std::vector<int> someNumbers(int count) {
  std::vector<int> all;
  for (int i = 0; i < count; ++i)
    all.push_back(static_cast<int>(mixed(i) % 2001) - 1000);
  return all;
}

template <class T> __global__ void sumBlocks(const T *in, T *out) {
  extern __shared__ __align__(16) char memory[];
  T *part = reinterpret_cast<T *>(memory);
  part[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half; half /= 2) {
    if (threadIdx.x < half)
      part[threadIdx.x] += part[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0)
    out[blockIdx.x] = part[0];
}
template <class T> void checkSums(const char *name) {
  Array<T> in(1024), out(4);
  for (int i = 0; i < 1024; ++i)
    in.host[i] = static_cast<T>(mixed(i) % 100);
  in.send();
  sumBlocks<T><<<4, 256, 256 * sizeof(T)>>>(in.device, out.device);
  out.fetch();
  std::vector<T> wanted;
  for (int block = 0; block < 4; ++block)
    wanted.push_back(std::accumulate(in.host.begin() + block * 256, in.host.begin() + block * 256 + 256, T{}));
  compare(name, out.host, wanted);
}
CHECK(blockSums) {
  checkSums<int>("sums of int");
  checkSums<long long>("sums of long long");
  checkSums<float>("sums of float");
  checkSums<double>("sums of double");
  checkSums<short>("sums of short");
}

__global__ void scanBlock(const int *in, int *out) {
  __shared__ int sums[32];
  const int t = threadIdx.x, lane = t & 31, warp = t / 32;
  int value = in[t];
  for (int by = 1; by < 32; by *= 2) {
    const int other = __shfl_up(value, by, 32);
    if (lane >= by)
      value += other;
  }
  if (lane == 31)
    sums[warp] = value;
  __syncthreads();
  if (warp == 0) {
    int sum = lane < static_cast<int>(blockDim.x) / 32 ? sums[lane] : 0;
    for (int by = 1; by < 32; by *= 2) {
      const int other = __shfl_up(sum, by, 32);
      if (lane >= by)
        sum += other;
    }
    sums[lane] = sum;
  }
  __syncthreads();
  out[t] = value + (warp ? sums[warp - 1] : 0);
}
CHECK(scans) {
  Array<int> in(512), out(512);
  in.host = someNumbers(512);
  in.send();
  scanBlock<<<1, 512>>>(in.device, out.device);
  out.fetch();
  std::vector<int> wanted(512);
  std::partial_sum(in.host.begin(), in.host.end(), wanted.begin());
  compare("scans", out.host, wanted);
}

__global__ void bitonic(int *data) {
  __shared__ int s[256];
  const unsigned t = threadIdx.x;
  s[t] = data[t];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2)
    for (unsigned by = size / 2; by; by /= 2) {
      const unsigned other = t ^ by;
      if (other > t && (s[t] > s[other]) == ((t & size) == 0)) {
        const int keep = s[t];
        s[t] = s[other];
        s[other] = keep;
      }
      __syncthreads();
    }
  data[t] = s[t];
}
__global__ void radix(unsigned *data) {
  __shared__ unsigned s[32];
  const unsigned lane = threadIdx.x;
  unsigned value = data[lane];
  for (int bit = 0; bit < 32; ++bit) {
    const unsigned ones = static_cast<unsigned>(__ballot(value >> bit & 1)), zeros = ~ones, below = (1u << lane) - 1;
    const unsigned place = value >> bit & 1 ? __popc(zeros) + __popc(ones & below) : __popc(zeros & below);
    s[place] = value;
    __syncthreads();
    value = s[lane];
    __syncthreads();
  }
  data[lane] = value;
}
CHECK(sorts) {
  Array<int> data(256);
  data.host = someNumbers(256);
  data.send();
  std::vector<int> wanted = data.host;
  std::sort(wanted.begin(), wanted.end());
  bitonic<<<1, 256>>>(data.device);
  data.fetch();
  compare("bitonic sort", data.host, wanted);
  Array<unsigned> words(32);
  for (int i = 0; i < 32; ++i)
    words.host[i] = mixed(i);
  words.send();
  std::vector<unsigned> sorted = words.host;
  std::sort(sorted.begin(), sorted.end());
  radix<<<1, 32>>>(words.device);
  words.fetch();
  compare("radix sort", words.host, sorted);
}

__global__ void stencil(const float *in, float *out, int n) {
  __shared__ float tile[18][18];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, tx = threadIdx.x + 1,
            ty = threadIdx.y + 1;
  auto at = [&](int column, int row) {
    return column < 0 || row < 0 || column >= n || row >= n ? 0 : in[row * n + column];
  };
  tile[ty][tx] = at(x, y);
  if (tx == 1)
    tile[ty][0] = at(x - 1, y);
  if (tx == 16)
    tile[ty][17] = at(x + 1, y);
  if (ty == 1)
    tile[0][tx] = at(x, y - 1);
  if (ty == 16)
    tile[17][tx] = at(x, y + 1);
  __syncthreads();
  if (x < n && y < n)
    out[y * n + x] = tile[ty][tx] * 4 - tile[ty][tx - 1] - tile[ty][tx + 1] - tile[ty - 1][tx] - tile[ty + 1][tx];
}
CHECK(stencils) {
  constexpr int n = 50;
  Array<float> in(n * n), out(n * n);
  for (int i = 0; i < n * n; ++i)
    in.host[i] = static_cast<float>(mixed(i) % 64);
  in.send();
  stencil<<<dim3(4, 4), dim3(16, 16)>>>(in.device, out.device, n);
  out.fetch();
  std::vector<float> wanted;
  auto at = [&](int x, int y) { return x < 0 || y < 0 || x >= n || y >= n ? 0 : in.host[y * n + x]; };
  for (int y = 0; y < n; ++y)
    for (int x = 0; x < n; ++x)
      wanted.push_back(at(x, y) * 4 - at(x - 1, y) - at(x + 1, y) - at(x, y - 1) - at(x, y + 1));
  compare("stencil", out.host, wanted);
}

struct Complex {
  float re, im;
};
__global__ void fft(Complex *data) {
  __shared__ Complex s[256];
  const unsigned t = threadIdx.x;
  s[__brev(t) >> 24] = data[t];
  __syncthreads();
  for (unsigned size = 2; size <= 256; size *= 2) {
    if (t < 128) {
      const unsigned half = size / 2, k = t % half, a = t / half * size + k, b = a + half;
      float sine, cosine;
      sincosf(-6.2831853f * static_cast<float>(k) / static_cast<float>(size), &sine, &cosine);
      const Complex x = s[a], y = s[b], turned{y.re * cosine - y.im * sine, y.re * sine + y.im * cosine};
      s[a] = {x.re + turned.re, x.im + turned.im};
      s[b] = {x.re - turned.re, x.im - turned.im};
    }
    __syncthreads();
  }
  data[t] = s[t];
}
CHECK(transforms) {
  Array<Complex> data(256);
  for (int i = 0; i < 256; ++i)
    data.host[i] = {static_cast<float>(mixed(i) % 200) / 100 - 1, static_cast<float>(mixed(i + 900) % 200) / 100 - 1};
  const auto before = data.host;
  data.send();
  fft<<<1, 256>>>(data.device);
  data.fetch();
  double worst = 0;
  for (int k = 0; k < 256; ++k) {
    double re = 0, im = 0;
    for (int n = 0; n < 256; ++n) {
      const double angle = -2 * M_PI * k * n / 256;
      re += before[n].re * std::cos(angle) - before[n].im * std::sin(angle);
      im += before[n].re * std::sin(angle) + before[n].im * std::cos(angle);
    }
    worst = std::max({worst, std::fabs(re - data.host[k].re), std::fabs(im - data.host[k].im)});
  }
  if (!(worst < 1e-4))
    std::printf("transform: %g off\n", worst), ++failures;
}

__global__ void insert(unsigned long long *table, unsigned slots, const unsigned *keys, int count) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    for (unsigned at = mixed(keys[i]) % slots;; at = (at + 1) % slots) {
      const unsigned long long entry = static_cast<unsigned long long>(keys[i]) << 32 | 1;
      const unsigned long long before = atomicCAS(&table[at], 0ull, entry);
      if (before == 0)
        break;
      if (before >> 32 == keys[i]) {
        atomicAdd(&table[at], 1ull);
        break;
      }
    }
}
CHECK(hashTables) {
  constexpr unsigned kSlots = 1024;
  Array<unsigned long long> table(kSlots);
  Array<unsigned> keys(3000);
  std::vector<unsigned> wanted(501), found(501);
  for (unsigned &key : keys.host)
    key = mixed(static_cast<unsigned>(&key - keys.host.data())) % 500 + 1, ++wanted[key];
  keys.send();
  insert<<<4, 128>>>(table.device, kSlots, keys.device, 3000);
  table.fetch();
  for (const unsigned long long entry : table.host)
    if (entry)
      found[entry >> 32] += static_cast<unsigned>(entry);
  compare("hash table", found, wanted);
}

template <class T> __global__ void atomics(T *global, T *old) {
  __shared__ T local[8];
  const unsigned t = threadIdx.x;
  if (t < 8)
    local[t] = t == 3 || t == 4 ? static_cast<T>(~T{}) : t == 5 ? static_cast<T>(100) : T{};
  __syncthreads();
  for (T *place : {local, global}) {
    atomicAdd(&place[0], static_cast<T>(t));
    atomicMax(&place[1], static_cast<T>(t * 7 % 101));
    atomicXor(&place[2], static_cast<T>(t * t));
    atomicAnd(&place[3], static_cast<T>(~(T{1} << t % 20)));
    atomicMin(&place[4], static_cast<T>(t + 5));
    atomicExch(&place[5], static_cast<T>(9));
    atomicOr(&place[6], static_cast<T>(T{1} << t % 13));
    T seen = place[7], next;
    do {
      next = seen;
      seen = atomicCAS(&place[7], next, static_cast<T>(next + t));
    } while (seen != next);
  }
  __syncthreads();
  if (t < 8)
    old[t] = local[t];
}
template <class T> void checkAtomics(const char *name) {
  Array<T> global(8), local(8);
  global.host = {0, 0, 0, static_cast<T>(~T{}), static_cast<T>(~T{}), 100, 0, 0};
  global.send();
  atomics<T><<<1, 96>>>(global.device, local.device);
  global.fetch();
  local.fetch();
  T sum = 0, most = 0, exclusive = 0, all = static_cast<T>(~T{}), any = 0;
  for (unsigned t = 0; t < 96; ++t) {
    sum += static_cast<T>(t), most = std::max(most, static_cast<T>(t * 7 % 101)), exclusive ^= static_cast<T>(t * t);
    all &= static_cast<T>(~(T{1} << t % 20)), any |= static_cast<T>(T{1} << t % 13);
  }
  const T least = static_cast<T>(~T{}) < 0 ? static_cast<T>(-1) : static_cast<T>(5);
  const std::vector<T> wanted = {sum, most, exclusive, all, least, 9, any, sum};
  compare(name, global.host, wanted);
  compare(name, local.host, wanted);
}
__global__ void floatAtomics(float *f, double *d) {
  __shared__ float shared;
  if (threadIdx.x == 0)
    shared = 0;
  __syncthreads();
  atomicAdd(&shared, 0.5f);
  atomicAdd(&f[0], 0.25f);
  atomicAdd(&d[0], 0.125);
  __syncthreads();
  if (threadIdx.x == 0)
    f[1] = shared;
}
__global__ void wrapping(unsigned *place) {
  atomicInc(&place[0], 6);
  atomicDec(&place[1], 6);
}
CHECK(atomicsOfAllTypes) {
  checkAtomics<int>("atomics of int");
  checkAtomics<unsigned>("atomics of unsigned");
  checkAtomics<unsigned long long>("atomics of unsigned long long");
  Array<float> f(2);
  Array<double> d(1);
  floatAtomics<<<3, 64>>>(f.device, d.device);
  f.fetch();
  d.fetch();
  compare("atomics of float", f.host, {48, 32});
  compare("atomics of double", d.host, {24});
  Array<unsigned> place(2);
  wrapping<<<1, 100>>>(place.device);
  place.fetch();
  compare("atomicInc and atomicDec", place.host, {100 % 7, (7 - 100 % 7) % 7});
}

// Lanes that part, meet again, and leave loops at different times.
__global__ void divergent(unsigned *out) {
  const unsigned t = threadIdx.x, lane = t & 31;
  unsigned r = 0;
  if (lane % 3 == 0)
    r = static_cast<unsigned>(__ballot(1));
  else if (lane % 3 == 1)
    r = static_cast<unsigned>(__ballot(lane & 4)) * 3;
  else
    r = __popc(static_cast<unsigned>(__ballot(lane > 9))) + static_cast<unsigned>(__all(lane > 1)) * 100 +
        static_cast<unsigned>(__any(lane == 5)) * 1000;
  for (unsigned n = 0; n < lane % 7 + 1; ++n)
    r = r * 5 + static_cast<unsigned>(__ballot(r & 1));
  unsigned rest = static_cast<unsigned>(__ballot(1));
  while (rest) {
    const int leader = __ffs(static_cast<int>(rest)) - 1;
    const unsigned from = __shfl(r, leader);
    r += from & 15;
    rest &= rest - 1;
    if (lane == static_cast<unsigned>(leader) && (lane & 1))
      break;
  }
  if (lane > 20) {
    out[t] = r;
    return;
  }
  out[t] = r ^ static_cast<unsigned>(__ballot(lane & 8));
}
CHECK(divergentWarps) {
  Array<unsigned> out(64);
  divergent<<<1, 64>>>(out.device);
  out.fetch();
  std::vector<unsigned> r(32), wanted;
  unsigned thirds[3] = {}, fours = 0, large = 0;
  for (unsigned lane = 0; lane < 32; ++lane)
    thirds[lane % 3] |= 1u << lane;
  for (unsigned lane = 0; lane < 32; ++lane) {
    fours |= lane % 3 == 1 && lane & 4 ? 1u << lane : 0;
    large |= lane % 3 == 2 && lane > 9 ? 1u << lane : 0;
  }
  for (unsigned lane = 0; lane < 32; ++lane)
    r[lane] = lane % 3 == 0   ? thirds[0]
              : lane % 3 == 1 ? fours * 3
                              : static_cast<unsigned>(__builtin_popcount(large)) + 100 + 1000;
  for (unsigned n = 0; n < 7; ++n) {
    unsigned odd = 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      odd |= n < lane % 7 + 1 && r[lane] & 1 ? 1u << lane : 0;
    for (unsigned lane = 0; lane < 32; ++lane)
      if (n < lane % 7 + 1)
        r[lane] = r[lane] * 5 + odd;
  }
  unsigned here = ~0u;
  for (unsigned leader = 0; leader < 32; ++leader) {
    const unsigned from = r[leader];
    for (unsigned lane = 0; lane < 32; ++lane)
      if (here >> lane & 1)
        r[lane] += from & 15;
    if (leader & 1)
      here &= ~(1u << leader);
  }
  unsigned eights = 0;
  for (unsigned lane = 0; lane <= 20; ++lane)
    eights |= lane & 8 ? 1u << lane : 0;
  for (unsigned t = 0; t < 64; ++t)
    wanted.push_back(t % 32 > 20 ? r[t % 32] : r[t % 32] ^ eights);
  compare("divergent warps", out.host, wanted);
}

__global__ void tiles(const int *in, int *out) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  int value = in[block.thread_rank()];
  for (int by = 8; by; by /= 2)
    value += tile.shfl_xor(value, by);
  block.sync();
  out[block.thread_rank()] = value + static_cast<int>(tile.thread_rank()) + (value > 100 ? 1000 : 0);
}
CHECK(cooperativeTiles) {
  Array<int> in(128), out(128);
  in.host = someNumbers(128);
  in.send();
  tiles<<<1, 128>>>(in.device, out.device);
  out.fetch();
  std::vector<int> wanted;
  for (int t = 0; t < 128; ++t) {
    const int sum = std::accumulate(in.host.begin() + t / 16 * 16, in.host.begin() + t / 16 * 16 + 16, 0);
    wanted.push_back(sum + t % 16 + (sum > 100 ? 1000 : 0));
  }
  compare("tiles", out.host, wanted);
}

__constant__ int weights[8];
__device__ int counter;
__global__ void constants(int *out) {
  out[threadIdx.x] = weights[threadIdx.x % 8] * 3;
  atomicAdd(&counter, weights[threadIdx.x % 8]);
}
CHECK(constantsAndVariables) {
  const int values[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  int count = 5;
  MUST(hipMemcpyToSymbol(HIP_SYMBOL(weights), values, sizeof values));
  MUST(hipMemcpyToSymbol(HIP_SYMBOL(counter), &count, sizeof count));
  Array<int> out(64);
  constants<<<1, 64>>>(out.device);
  out.fetch();
  std::vector<int> wanted;
  for (int t = 0; t < 64; ++t)
    wanted.push_back(values[t % 8] * 3);
  compare("constants", out.host, wanted);
  MUST(hipMemcpyFromSymbol(&count, HIP_SYMBOL(counter), sizeof count));
  compare<int>("variables", {count}, {5 + 8 * 31});
}

int main() { return runChecks(); }
