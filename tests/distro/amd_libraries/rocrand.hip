// SPDX-License-Identifier: MIT
// rocRAND's library, whose kernels are machine code, beside the generators of its headers, which hipcc compiles here: the same
// numbers, bit for bit, and normal distributions with the moments that they should have.
#include <hip/hip_runtime.h>
#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>

#include <cmath>
#include <cstdio>
#include <vector>

namespace {

constexpr unsigned kCompared = 1024, kNumbers = 1 << 17, kSeed = 12345;
int failures = 0;

void expect(bool holds, const char *generator, const char *what) {
  if (!holds)
    std::printf("%s: %s\n", generator, what);
  failures += !holds;
}

template <class T> std::vector<T> hostCopy(const T *device) {
  std::vector<T> values(kNumbers);
  if (hipMemcpy(values.data(), device, kNumbers * sizeof(T), hipMemcpyDeviceToHost) != hipSuccess)
    failures++;
  return values;
}

/// The library's numbers: the first ones of all subsequences, or for kOneSequence those of the first subsequence.
template <class State, bool kOneSequence = false> __global__ void numbers(unsigned *out) {
  const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  State state;
  rocrand_init(kSeed, kOneSequence ? 0 : thread, kOneSequence ? thread : 0, &state);
  out[thread] = rocrand(&state);
}

template <class T> bool isStandardNormal(const std::vector<T> &values) {
  double sum = 0, squares = 0, cubes = 0;
  for (double value : values) {
    sum += value;
    squares += value * value;
    cubes += value * value * value;
  }
  const double n = double(values.size());
  return std::abs(sum / n) < 0.02 && std::abs(squares / n - 1) < 0.03 && std::abs(cubes / n) < 0.08;
}

void check(rocrand_rng_type type, const char *name, void (*kernel)(unsigned *)) {
  rocrand_generator generator = nullptr;
  expect(rocrand_create_generator(&generator, type) == ROCRAND_STATUS_SUCCESS, name, "cannot be created");
  if (kernel)
    expect(rocrand_set_seed(generator, kSeed) == ROCRAND_STATUS_SUCCESS, name, "takes no seed");
  unsigned *words;
  float *floats;
  double *doubles;
  if (hipMalloc(&words, kNumbers * 4) || hipMalloc(&floats, kNumbers * 4) || hipMalloc(&doubles, kNumbers * 8)) {
    expect(false, name, "no memory");
    return;
  }
  expect(rocrand_generate(generator, words, kNumbers) == ROCRAND_STATUS_SUCCESS, name, "gives no words");
  const std::vector<unsigned> found = hostCopy(words);
  if (kernel) {
    kernel<<<kCompared / 64, 64>>>(words);
    const std::vector<unsigned> expected = hostCopy(words);
    unsigned wrong = 0;
    for (unsigned i = 0; i < kCompared; ++i)
      wrong += found[i] != expected[i];
    expect(wrong == 0, name, "words differ from those of the header's generator");
  } else { // the first dimension of Sobol's sequence: the bits of Gray's code of the index, in reverse
    unsigned wrong = 0;
    for (unsigned i = 0; i < kNumbers; ++i)
      wrong += found[i] != __builtin_bitreverse32(i ^ (i >> 1));
    expect(wrong == 0, name, "words are not those of Sobol's first dimension");
  }
  expect(rocrand_generate_uniform(generator, floats, kNumbers) == ROCRAND_STATUS_SUCCESS, name, "gives no floats");
  double sum = 0;
  bool inside = true;
  for (float value : hostCopy(floats)) {
    inside = inside && value > 0 && value <= 1;
    sum += value;
  }
  expect(inside && std::abs(sum / kNumbers - 0.5) < 0.01, name, "floats are not uniform in (0, 1]");
  expect(rocrand_generate_normal(generator, floats, kNumbers, 0, 1) == ROCRAND_STATUS_SUCCESS &&
             isStandardNormal(hostCopy(floats)),
         name, "floats are not distributed normally");
  expect(rocrand_generate_normal_double(generator, doubles, kNumbers, 0, 1) == ROCRAND_STATUS_SUCCESS &&
             isStandardNormal(hostCopy(doubles)),
         name, "doubles are not distributed normally");
  expect(rocrand_destroy_generator(generator) == ROCRAND_STATUS_SUCCESS, name, "cannot be destroyed");
  expect(hipFree(words) == hipSuccess && hipFree(floats) == hipSuccess && hipFree(doubles) == hipSuccess, name,
         "memory is not the program's");
}

} // namespace

int main() {
  check(ROCRAND_RNG_PSEUDO_PHILOX4_32_10, "Philox", numbers<rocrand_state_philox4x32_10, true>);
  check(ROCRAND_RNG_PSEUDO_XORWOW, "XORWOW", numbers<rocrand_state_xorwow>);
  check(ROCRAND_RNG_PSEUDO_MRG32K3A, "MRG32k3a", numbers<rocrand_state_mrg32k3a>);
  check(ROCRAND_RNG_QUASI_SOBOL32, "Sobol32", nullptr);
  std::puts(failures ? "FAILED" : "rocRAND: passed");
  return failures != 0;
}
