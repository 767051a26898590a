// SPDX-License-Identifier: MIT
#include "roofline/processor_peak.h"

#include <immintrin.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

namespace hiplz::roofline {

namespace {

constexpr unsigned kChains = 12; // as many as cover the latency of two pipes and fit into 16 registers
constexpr unsigned kOperations = 16;

// One function for each instruction set, which may use no more than its own.
#define PROCESSOR_LOOP(NAME, TARGET, VECTOR, SET, MAD, STORE)                                                          \
  __attribute__((target(TARGET), noinline)) float NAME(unsigned iterations) {                                          \
    VECTOR values[kChains];                                                                                            \
    const VECTOR a = SET(0.999f), b = SET(0.001f);                                                                     \
    for (unsigned chain = 0; chain < kChains; ++chain)                                                                 \
      values[chain] = SET(static_cast<float>(chain));                                                                  \
    for (unsigned i = 0; i < iterations; ++i)                                                                          \
      for (unsigned step = 0; step < kOperations; ++step)                                                              \
        for (unsigned chain = 0; chain < kChains; ++chain)                                                             \
          values[chain] = MAD;                                                                                         \
    VECTOR sum = values[0];                                                                                            \
    for (unsigned chain = 1; chain < kChains; ++chain)                                                                 \
      sum += values[chain];                                                                                            \
    alignas(64) float lanes[sizeof(VECTOR) / sizeof(float)];                                                           \
    STORE(lanes, sum);                                                                                                 \
    return lanes[0];                                                                                                   \
  }
PROCESSOR_LOOP(loopAvx512, "avx512f", __m512, _mm512_set1_ps, _mm512_fmadd_ps(values[chain], a, b), _mm512_store_ps)
PROCESSOR_LOOP(loopAvx2, "avx2,fma", __m256, _mm256_set1_ps, _mm256_fmadd_ps(values[chain], a, b), _mm256_store_ps)
PROCESSOR_LOOP(loopSse2, "sse2", __m128, _mm_set1_ps, _mm_add_ps(_mm_mul_ps(values[chain], a), b), _mm_store_ps)

using Loop = float (*)(unsigned);

Loop loopOf(unsigned lanes) { return lanes == 16 ? loopAvx512 : lanes == 8 ? loopAvx2 : loopSse2; }

} // namespace

const ProcessorCode &processorCode() {
  static const ProcessorCode code = [] {
    if (__builtin_cpu_supports("avx512f"))
      return ProcessorCode{"avx512", 16, "_mm512_fmadd_ps"};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
      return ProcessorCode{"avx2", 8, "_mm256_fmadd_ps"};
    return ProcessorCode{"sse2", 4, "_mm_mul_ps and _mm_add_ps"};
  }();
  return code;
}

double processorPeak(unsigned threads, double seconds) {
  using Clock = std::chrono::steady_clock;
  const unsigned lanes = processorCode().lanes;
  const Loop loop = loopOf(lanes);
  constexpr unsigned kIterations = 2000; // between looks at the clock: some 20 microseconds
  std::atomic<unsigned> ready = 0;
  std::atomic<float> kept = 0; // so that the loop has a result that somebody may read
  std::vector<double> rates(threads);
  std::vector<std::thread> workers;
  for (unsigned number = 0; number < threads; ++number)
    workers.emplace_back([&, number] {
      kept.store(loop(kIterations), std::memory_order_relaxed);
      ready.fetch_add(1);
      while (ready.load() < threads)
        std::this_thread::yield();
      uint64_t rounds = 0;
      const Clock::time_point start = Clock::now();
      double elapsed = 0;
      do {
        kept.store(loop(kIterations), std::memory_order_relaxed);
        ++rounds;
        elapsed = std::chrono::duration<double>(Clock::now() - start).count();
      } while (elapsed < seconds);
      rates[number] = 2.0 * static_cast<double>(rounds) * kIterations * kOperations * kChains * lanes / elapsed;
    });
  double sum = 0;
  for (unsigned number = 0; number < threads; ++number) {
    workers[number].join();
    sum += rates[number];
  }
  return sum / 1e9;
}

} // namespace hiplz::roofline
