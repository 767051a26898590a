// SPDX-License-Identifier: MIT
// The device API of rocRAND: each generator and distribution, against the moments that the distributions have, and Philox
// against its definition (Salmon et al., Parallel random numbers: as easy as 1, 2, 3, 2011).
#include "tests/device/check.h"

#include <rocrand/rocrand_kernel.h>

#include <algorithm>
#include <cmath>

namespace {

enum { kCount = 16384 };

struct Draws {
  unsigned raw[4], poisson;
  float uniform, normal, logNormal;
  double wide;
};

template <class State> __device__ Draws draw(unsigned subsequence) {
  State state;
  rocrand_init(1234, subsequence, 16, &state);
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

} // namespace

int main() {
  checkPhilox();
  check<rocrand_state_xorwow>();
  check<rocrand_state_philox4x32_10>();
  check<rocrand_state_mrg32k3a>();
  return testResult();
}
