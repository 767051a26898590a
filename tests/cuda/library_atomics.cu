// SPDX-License-Identifier: MIT
// Headers of libcu++: cuda/atomic, cuda/barrier, cuda/pipeline and what cuda/std brings.
#include "check.h"

#include <cooperative_groups.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/cmath>
#include <cuda/functional>
#include <cuda/pipeline>
#include <cuda/std/array>
#include <cuda/std/atomic>
#include <cuda/std/complex>
#include <cuda/std/cstdint>
#include <cuda/std/functional>
#include <cuda/std/limits>
#include <cuda/std/tuple>
#include <cuda/std/type_traits>
#include <cuda/std/utility>

struct Numbers {
  cuda::atomic<int, cuda::thread_scope_device> sum, least, bits;
  cuda::std::atomic<unsigned long long> large;
  float total;
  double most;
};

__global__ void count(Numbers *numbers, int *plain) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  numbers->sum.fetch_add(i, cuda::memory_order_relaxed);
  numbers->least.fetch_min(i - 7);
  numbers->bits.fetch_or(1 << i % 31);
  ++numbers->large;
  cuda::atomic_ref<float, cuda::thread_scope_device>(numbers->total).fetch_add(0.5f);
  cuda::atomic_ref<double> most(numbers->most);
  most.fetch_max((double)i);
  cuda::atomic_ref<int, cuda::thread_scope_block> counter(plain[blockIdx.x]);
  int old = counter.load(cuda::std::memory_order_relaxed);
  while (!counter.compare_exchange_weak(old, old + 2, cuda::memory_order_acq_rel)) {
  }
}

// Neighbours' values of the round before, in as many rounds as there are threads.
__global__ void rounds(int *out) {
  __shared__ int values[2][128];
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  const int t = threadIdx.x, n = blockDim.x;
  if (t == 0)
    init(&barrier, n);
  values[0][t] = t;
  __syncthreads();
  for (int round = 0; round < 5; ++round) {
    values[(round + 1) & 1][t] = values[round & 1][(t + 1) % n];
    if (round % 2)
      barrier.arrive_and_wait();
    else {
      auto token = barrier.arrive();
      barrier.wait(cuda::std::move(token));
    }
  }
  out[blockIdx.x * n + t] = values[1][t];
}

// Half of the warps fill stages, the others add them up.
__global__ void staged(const int *in, int *out, int tiles) {
  constexpr int stages = 3;
  __shared__ int buffer[stages][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, stages> state;
  const auto block = cooperative_groups::this_thread_block();
  const bool produces = threadIdx.x >= 64;
  auto pipe =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int tile = 0; tile < tiles; ++tile)
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&buffer[tile % stages][threadIdx.x - 64], in + tile * 64 + threadIdx.x - 64,
                         cuda::aligned_size_t<4>(sizeof(int)), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += buffer[tile % stages][63 - threadIdx.x];
      pipe.consumer_release();
    }
  if (!produces)
    out[threadIdx.x] = sum;
}

template <class T> struct Largest {
  static constexpr T value = cuda::std::numeric_limits<T>::max();
};
__global__ void library(long long *out) {
  cuda::std::array<int, 3> numbers = {1, 2, 3};
  const cuda::std::tuple<int, char> pair(4, 'a');
  const cuda::std::complex<float> z(1.0f, 2.0f);
  static_assert(cuda::std::is_same<cuda::std::int32_t, int>::value, "std");
  out[0] = numbers[1] + cuda::std::get<0>(pair);
  out[1] = (long long)(z * z).imag();
  out[2] = Largest<short>::value + cuda::ceil_div(7, 2) + cuda::std::identity()(5) + cuda::maximum<int>()(3, 8);
}

int main() {
  const int blocks = 4, threads = 128, n = blocks * threads;
  Numbers *numbers;
  int *plain, *out;
  CALL(cudaMallocManaged(&numbers, sizeof(Numbers)));
  new (numbers) Numbers{{0}, {100}, {0}, {0}, 0, 0};
  CALL(cudaMallocManaged(&plain, blocks * sizeof(int)));
  CALL(cudaMemset(plain, 0, blocks * sizeof(int)));
  count<<<blocks, threads>>>(numbers, plain);
  CALL(cudaDeviceSynchronize());
  EXPECT(numbers->sum.load() == n * (n - 1) / 2 && numbers->least == -7 && numbers->bits == 0x7fffffff);
  EXPECT(numbers->large == (unsigned long long)n && numbers->total == 0.5f * n && numbers->most == n - 1);
  for (int b = 0; b < blocks; ++b)
    EXPECT(plain[b] == 2 * threads);

  CALL(cudaMallocManaged(&out, n * sizeof(int)));
  for (int size : {128, 96, 33}) {
    rounds<<<blocks, size>>>(out);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < blocks * size; ++i)
      EXPECT(out[i] == (i % size + 5) % size);
  }

  const int tiles = 10;
  int *in;
  CALL(cudaMallocManaged(&in, tiles * 64 * sizeof(int)));
  for (int i = 0; i < tiles * 64; ++i)
    in[i] = i * i % 1009;
  staged<<<1, 128>>>(in, out, tiles);
  CALL(cudaDeviceSynchronize());
  for (int t = 0; t < 64; ++t) {
    int sum = 0;
    for (int tile = 0; tile < tiles; ++tile)
      sum += in[tile * 64 + 63 - t];
    EXPECT(out[t] == sum);
  }

  long long *facts;
  CALL(cudaMallocManaged(&facts, 3 * sizeof(long long)));
  library<<<1, 1>>>(facts);
  CALL(cudaDeviceSynchronize());
  EXPECT(facts[0] == 6 && facts[1] == 4 && facts[2] == 32767 + 4 + 5 + 8);

  // The host's side of the same types
  cuda::atomic<float> f(1.0f);
  f.fetch_add(2.0f);
  cuda::std::atomic<int> i(3);
  EXPECT(f.load() == 3.0f && i++ == 3 && i == 4 &&
         cuda::proclaim_return_type<int>([](int x) { return x + 1; })(1) == 2);
}
