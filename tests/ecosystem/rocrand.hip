// SPDX-License-Identifier: MIT
// The device API of rocRAND: each generator and distribution, against the moments that the distributions have; Philox (Salmon et
// al., Parallel random numbers: as easy as 1, 2, 3, 2011), Sobol's sequence and MTGP32 against their definitions.
#include "tests/device/check.h"

#include <rocrand/rocrand_kernel.h>
#include <rocrand/rocrand_mtgp32_11213.h>

#include <algorithm>
#include <cmath>

namespace {

enum { kCount = 16384 };

struct Draws {
  unsigned raw[4], poisson;
  float uniform, normal, logNormal;
  double wide;
};

template <class State> __device__ void begin(State *state, unsigned subsequence) {
  rocrand_init(1234, subsequence, 16, state);
}
#if __has_include(<rocrand/rocrand_lfsr113.h>) // the generators that came with ROCm 5.5
__device__ void begin(rocrand_state_lfsr113 *state, unsigned subsequence) {
  rocrand_init(uint4{1234, 5678, 91011, 1213}, subsequence, state);
}
#endif

template <class State> __device__ Draws draw(unsigned subsequence) {
  State state;
  begin(&state, subsequence);
  Draws draws;
  for (unsigned &raw : draws.raw)
    raw = rocrand(&state);
  draws.uniform = rocrand_uniform(&state);
  draws.normal = rocrand_normal(&state);
  draws.logNormal = rocrand_log_normal(&state, 0.5f, 0.25f);
  draws.wide = rocrand_uniform_double(&state);
  draws.poisson = rocrand_poisson(&state, 5.0);
  return draws;
}

template <class State> __global__ void generate(Draws *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = draw<State>(i);
}

/// The four numbers of a block of Philox4x32-10.
void philox(unsigned block[4], unsigned key0, unsigned key1) {
  for (int round = 0; round < 10; ++round) {
    const unsigned long a = 0xD2511F53ul * block[0], b = 0xCD9E8D57ul * block[2];
    const unsigned next[4] = {static_cast<unsigned>(b >> 32) ^ block[1] ^ key0, static_cast<unsigned>(b),
                              static_cast<unsigned>(a >> 32) ^ block[3] ^ key1, static_cast<unsigned>(a)};
    std::copy(next, next + 4, block);
    key0 += 0x9E3779B9u;
    key1 += 0xBB67AE85u;
  }
}

bool near(double x, double y, double allowed) { return std::fabs(x - y) <= allowed; }

template <class State> void check() {
  DeviceArray<Draws> out(kCount);
  generate<State><<<kCount / 256, 256>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<Draws> found = out.host();
  double uniform = 0, normal = 0, square = 0, logarithm = 0, poisson = 0;
  for (const Draws &draws : found) {
    uniform += draws.uniform;
    normal += draws.normal;
    square += draws.normal * draws.normal;
    logarithm += std::log(draws.logNormal);
    poisson += draws.poisson;
  }
  // Five standard deviations of the means.
  CHECK(near(uniform / kCount, 0.5, 0.0113));
  CHECK(near(normal / kCount, 0, 0.0391));
  CHECK(near(square / kCount, 1, 0.0553));
  CHECK(near(logarithm / kCount, 0.5, 0.0098));
  CHECK(near(poisson / kCount, 5, 0.0874));
}

void checkPhilox() {
  DeviceArray<Draws> out(256);
  generate<rocrand_state_philox4x32_10><<<1, 256>>>(out);
  HIP_CHECK(hipGetLastError());
  const std::vector<Draws> found = out.host();
  for (unsigned i = 0; i < 256; ++i) {
    unsigned block[4] = {4, 0, i, 0}; // an offset of 16 numbers, the subsequence
    philox(block, 1234, 0);
    CHECK(std::equal(block, block + 4, found[i].raw));
  }
}

/// The direction numbers of Sobol's first two dimensions: of the polynomials 1 and x + 1.
template <class T> std::vector<T> directions() {
  const int bits = 8 * sizeof(T);
  std::vector<T> numbers(2 * bits);
  for (int k = 0; k < bits; ++k) {
    numbers[k] = T(1) << (bits - 1 - k);
    numbers[bits + k] = k == 0 ? numbers[0] : numbers[bits + k - 1] ^ numbers[bits + k - 1] >> 1;
  }
  return numbers;
}
/// Number i of the sequence in the order of Gray's code.
template <class T> T sobol(const T *numbers, unsigned i) {
  T value = 0;
  for (unsigned gray = i ^ i >> 1, k = 0; gray; gray >>= 1, ++k)
    if (gray & 1)
      value ^= numbers[k];
  return value;
}

enum { kDraws = 8, kOffset = 1000 };

template <class State, class T> __global__ void generateSobol(const T *numbers, T *out, float *uniform) {
  State state;
  const unsigned first = kDraws * threadIdx.x;
  rocrand_init(numbers, kOffset + first, &state);
  for (unsigned i = 0; i < kDraws; ++i)
    out[first + i] = rocrand(&state);
  uniform[threadIdx.x] = rocrand_uniform(&state);
}

template <class State, class T> void checkSobol() {
  const std::vector<T> numbers = directions<T>();
  DeviceArray<T> device(numbers), out(64 * kDraws);
  DeviceArray<float> uniform(64);
  for (size_t dimension = 0; dimension < 2; ++dimension) {
    const T *mine = numbers.data() + dimension * 8 * sizeof(T);
    generateSobol<State, T><<<1, 64>>>((T *)device + dimension * 8 * sizeof(T), out, uniform);
    HIP_CHECK(hipGetLastError());
    const std::vector<T> found = out.host();
    const std::vector<float> foundUniform = uniform.host();
    for (unsigned i = 0; i < 64 * kDraws; ++i)
      CHECK_EQ(found[i], sobol(mine, kOffset + i));
    for (unsigned i = 0; i < 64; ++i)
      CHECK_NEAR(foundUniform[i], std::ldexp(sobol(mine, kOffset + kDraws * (i + 1)), -8 * int(sizeof(T))), 1e-6);
  }
}

/// MTGP32: the threads of a block draw together from one state.
__global__ void generateMtgp(rocrand_state_mtgp32 *states, unsigned *out, float *uniform) {
  __shared__ rocrand_state_mtgp32 state;
  rocrand_mtgp32_block_copy(&states[blockIdx.x], &state);
  for (unsigned i = 0; i < kDraws; ++i)
    out[(blockIdx.x * kDraws + i) * blockDim.x + threadIdx.x] = rocrand(&state);
  uniform[blockIdx.x * blockDim.x + threadIdx.x] = rocrand_uniform(&state);
  rocrand_mtgp32_block_copy(&state, &states[blockIdx.x]);
}

void checkMtgp() {
  const unsigned blocks = 3, threads = 256;
  DeviceArray<char> memory(blocks * sizeof(rocrand_state_mtgp32)); // the host cannot construct the states
  auto *states = reinterpret_cast<rocrand_state_mtgp32 *>(static_cast<char *>(memory));
  CHECK_EQ(rocrand_make_state_mtgp32(states, mtgp32dc_params_fast_11213, blocks, 42), ROCRAND_STATUS_SUCCESS);
  const std::vector<char> bytes = memory.host();
  const auto *initial = reinterpret_cast<const rocrand_state_mtgp32 *>(bytes.data());
  DeviceArray<unsigned> out(blocks * threads * kDraws);
  DeviceArray<float> uniform(blocks * threads);
  generateMtgp<<<blocks, threads>>>(states, out, uniform);
  HIP_CHECK(hipGetLastError());
  const std::vector<unsigned> found = out.host();
  double sum = 0;
  for (float value : uniform.host())
    sum += value;
  CHECK_NEAR(sum / (blocks * threads), 0.5, 0.05);
  for (unsigned block = 0; block < blocks; ++block) {
    const rocrand_device::mtgp32_fast_params &parameters = mtgp32dc_params_fast_11213[block];
    std::vector<unsigned> x(initial[block].m_state.status, initial[block].m_state.status + 351);
    for (unsigned i = 0; i < threads * kDraws; ++i) {
      unsigned mixed = (x[i] & mtgp32dc_params_fast_11213[0].mask) ^ x[i + 1];
      mixed ^= mixed << parameters.sh1;
      const unsigned y = mixed ^ x[i + parameters.pos] >> parameters.sh2;
      x.push_back(y ^ parameters.tbl[y & 15]);
      unsigned t = x[i + parameters.pos - 1];
      t ^= t >> 16;
      t ^= t >> 8;
      CHECK_EQ(found[block * threads * kDraws + i], x.back() ^ parameters.tmp_tbl[t & 15]);
    }
  }
}

} // namespace

int main() {
  checkPhilox();
  check<rocrand_state_xorwow>();
  check<rocrand_state_philox4x32_10>();
  check<rocrand_state_mrg32k3a>();
#if __has_include(<rocrand/rocrand_lfsr113.h>)
  check<rocrand_state_lfsr113>();
  check<rocrand_state_mrg31k3p>();
  check<rocrand_state_threefry2x32_20>();
  check<rocrand_state_threefry4x32_20>();
  check<rocrand_state_threefry2x64_20>();
  check<rocrand_state_threefry4x64_20>();
#endif
  checkSobol<rocrand_state_sobol32, unsigned>();
  checkSobol<rocrand_state_sobol64, unsigned long long>();
  checkMtgp();
  return testResult();
}
