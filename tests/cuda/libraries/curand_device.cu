// SPDX-License-Identifier: MIT
// cuRAND in kernels: pi by Monte Carlo, and the moments of normal numbers, with several generators.
#include "../check.h"
#include <curand_kernel.h>

template <class State> __global__ void start(State *states, unsigned long long seed) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  curand_init(seed, i, 0, &states[i]);
}

template <class State> __global__ void sample(State *states, int *inside, float *sums, float *squares, int samples) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  State state = states[i];
  int hits = 0;
  float sum = 0, square = 0;
  for (int k = 0; k < samples; ++k) {
    const float x = curand_uniform(&state), y = curand_uniform(&state), normal = curand_normal(&state);
    hits += x * x + y * y <= 1;
    sum += normal;
    square += normal * normal;
  }
  inside[i] = hits;
  sums[i] = sum;
  squares[i] = square;
  states[i] = state;
}

template <class State> void test() {
  const int threads = 1024, samples = 100;
  State *states = nullptr;
  CALL(cudaMalloc(&states, threads * sizeof(State)));
  int *inside = onDevice(std::vector<int>(threads));
  float *sums = onDevice(std::vector<float>(threads)), *squares = onDevice(std::vector<float>(threads));
  start<<<threads / 64, 64>>>(states, 1234ull);
  sample<<<threads / 64, 64>>>(states, inside, sums, squares, samples);
  double hits = 0, sum = 0, square = 0;
  for (int h : onHost(inside, threads))
    hits += h;
  for (float s : onHost(sums, threads))
    sum += s;
  for (float s : onHost(squares, threads))
    square += s;
  const double count = double(threads) * samples;
  EXPECT(std::fabs(4 * hits / count - 3.14159265) < 0.03); // five standard deviations are 0.026
  EXPECT(std::fabs(sum / count) < 0.016 && std::fabs(square / count - 1) < 0.023);
  CALL(cudaFree(states));
}

int main() {
  test<curandState>();
  test<curandStatePhilox4_32_10_t>();
  test<curandStateMRG32k3a_t>();
}
