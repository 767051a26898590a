// SPDX-License-Identifier: MIT
// rocRAND's host library, built from its sources: what each generator makes of each distribution (chi-square and Kolmogorov-Smirnov
// tests, moments), seeds, offsets, streams and errors; XORWOW and Philox against the library's device API.
#include "tests/device/check.h"

#include <rocrand/rocrand.h>
#include <rocrand/rocrand_kernel.h>

#include <algorithm>
#include <cmath>

namespace {

enum : size_t { kCount = 16384 };
const unsigned long long kSeed = 1234;

#define RAND_CHECK(call) CHECK_EQ(call, ROCRAND_STATUS_SUCCESS)

class Generator {
public:
  explicit Generator(rocrand_rng_type type, unsigned long long seed = kSeed) {
    RAND_CHECK(rocrand_create_generator(&handle_, type));
    if (type < ROCRAND_RNG_QUASI_DEFAULT)
      RAND_CHECK(rocrand_set_seed(handle_, seed));
  }
  Generator(const Generator &) = delete;
  ~Generator() { RAND_CHECK(rocrand_destroy_generator(handle_)); }
  operator rocrand_generator() const { return handle_; }

  /// Numbers that `generate(generator, memory, count, arguments...)` makes.
  template <class T, class Generate, class... Arguments>
  std::vector<T> make(Generate generate, size_t count, Arguments... arguments) {
    DeviceArray<T> out(count);
    RAND_CHECK(generate(handle_, out, count, arguments...));
    HIP_CHECK(hipDeviceSynchronize());
    return out.host();
  }

private:
  rocrand_generator handle_ = nullptr;
};

/// The distance of the sample from a distribution, times the root of its size: above 2.2 once in 8000 good samples.
template <class T, class Distribution> double distance(std::vector<T> sample, Distribution below) {
  std::sort(sample.begin(), sample.end());
  double most = 0;
  for (size_t i = 0; i < sample.size(); ++i) {
    const double p = below(sample[i]);
    most = std::max({most, p - double(i) / sample.size(), double(i + 1) / sample.size() - p});
  }
  return most * std::sqrt(double(sample.size()));
}
double even(double x) { return x; }
double normal(double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; }
double logNormal(double x) { return x > 0 ? normal((std::log(x) - 0.5) / 0.25) : 0; }

/// The highest six bits, with 63 degrees of freedom.
template <class T> double chiSquare(const std::vector<T> &sample) {
  std::vector<double> cells(64);
  for (T value : sample)
    ++cells[value >> (sizeof(T) * 8 - 6)];
  double sum = 0;
  const double expected = sample.size() / 64.0;
  for (double cell : cells)
    sum += (cell - expected) * (cell - expected) / expected;
  return sum;
}

void checkNumbers(rocrand_rng_type type) {
  const bool wide = type == ROCRAND_RNG_PSEUDO_THREEFRY2_64_20 || type == ROCRAND_RNG_PSEUDO_THREEFRY4_64_20 ||
                    type == ROCRAND_RNG_QUASI_SOBOL64 || type == ROCRAND_RNG_QUASI_SCRAMBLED_SOBOL64;
  Generator generator(type);
  if (wide)
    CHECK(chiSquare(generator.make<unsigned long long>(rocrand_generate_long_long, kCount)) < 119);
  else
    CHECK(chiSquare(generator.make<unsigned>(rocrand_generate, kCount)) < 119);
  const std::vector<float> uniform = generator.make<float>(rocrand_generate_uniform, kCount);
  CHECK(*std::min_element(uniform.begin(), uniform.end()) > 0);
  CHECK(*std::max_element(uniform.begin(), uniform.end()) <= 1);
  CHECK(distance(uniform, even) < 2.2);
  CHECK(distance(generator.make<double>(rocrand_generate_uniform_double, kCount), even) < 2.2);
  CHECK(distance(generator.make<float>(rocrand_generate_normal, kCount, 0.0f, 1.0f), normal) < 2.2);
  CHECK(distance(generator.make<double>(rocrand_generate_normal_double, kCount, 0.0, 1.0), normal) < 2.2);
  CHECK(distance(generator.make<float>(rocrand_generate_log_normal, kCount, 0.5f, 0.25f), logNormal) < 2.2);
  CHECK(distance(generator.make<double>(rocrand_generate_log_normal_double, kCount, 0.5, 0.25), logNormal) < 2.2);
  for (double mean : {5.0, 500.0}) {
    double sum = 0, squares = 0;
    for (unsigned value : generator.make<unsigned>(rocrand_generate_poisson, kCount, mean)) {
      sum += value;
      squares += (value - mean) * (value - mean);
    }
    // Five standard deviations.
    CHECK_NEAR(sum / kCount, mean, 5 * std::sqrt(mean / kCount));
    CHECK_NEAR(squares / kCount, mean, 5 * std::sqrt((2 * mean * mean + mean) / kCount));
  }
}

const rocrand_rng_type kTypes[] = {
    ROCRAND_RNG_PSEUDO_XORWOW,           ROCRAND_RNG_PSEUDO_MRG32K3A,        ROCRAND_RNG_PSEUDO_MTGP32,
    ROCRAND_RNG_PSEUDO_PHILOX4_32_10,    ROCRAND_RNG_PSEUDO_MRG31K3P,        ROCRAND_RNG_PSEUDO_LFSR113,
    ROCRAND_RNG_PSEUDO_MT19937,          ROCRAND_RNG_PSEUDO_THREEFRY2_32_20, ROCRAND_RNG_PSEUDO_THREEFRY2_64_20,
    ROCRAND_RNG_PSEUDO_THREEFRY4_32_20,  ROCRAND_RNG_PSEUDO_THREEFRY4_64_20, ROCRAND_RNG_QUASI_SOBOL32,
    ROCRAND_RNG_QUASI_SCRAMBLED_SOBOL32, ROCRAND_RNG_QUASI_SOBOL64,          ROCRAND_RNG_QUASI_SCRAMBLED_SOBOL64};

// rocRAND 6 begins MT19937 with 20,000 steps for each of 8192 states, with barriers: more than half an hour for work-items one
// after the other.
bool isTooSlow(rocrand_rng_type type) {
  return type == ROCRAND_RNG_PSEUDO_MT19937 && ROCRAND_VERSION >= 300000 && usesScalarPath();
}

TEST(distributions) {
  for (rocrand_rng_type type : kTypes)
    if (isTooSlow(type))
      std::puts("MT19937 is left out: it takes more than half an hour with the scalar path");
    else
      checkNumbers(type);
}

TEST(seedsOffsetsAndStreams) {
  const auto numbers = [](Generator &generator) { return generator.make<unsigned>(rocrand_generate, kCount); };
  for (rocrand_rng_type type :
       {ROCRAND_RNG_PSEUDO_XORWOW, ROCRAND_RNG_PSEUDO_MRG32K3A, ROCRAND_RNG_PSEUDO_PHILOX4_32_10}) {
    Generator one(type), same(type), other(type, kSeed + 1);
    const std::vector<unsigned> first = numbers(one);
    CHECK(first == numbers(same));
    CHECK(first != numbers(other));
    CHECK(first != numbers(one)); // it goes on
    RAND_CHECK(rocrand_set_offset(one, 0));
    CHECK(first == numbers(one)); // and starts again
    RAND_CHECK(rocrand_set_offset(one, 1000));
    CHECK(first != numbers(one));
    hipStream_t stream;
    HIP_CHECK(hipStreamCreate(&stream));
    RAND_CHECK(rocrand_set_offset(same, 0));
    RAND_CHECK(rocrand_set_stream(same, stream));
    CHECK(first == numbers(same));
    HIP_CHECK(hipStreamDestroy(stream));
  }
  Generator mtgp(ROCRAND_RNG_PSEUDO_MTGP32);
  CHECK_EQ(rocrand_set_offset(mtgp, 1), ROCRAND_STATUS_TYPE_ERROR);
  Generator sobol(ROCRAND_RNG_QUASI_SOBOL32);
  CHECK_EQ(rocrand_set_quasi_random_generator_dimensions(sobol, 0), ROCRAND_STATUS_OUT_OF_RANGE);
  RAND_CHECK(rocrand_set_quasi_random_generator_dimensions(sobol, 4));
  DeviceArray<unsigned> out(kCount);
  CHECK_EQ(rocrand_generate(sobol, out, 4 * 1000 + 1), ROCRAND_STATUS_LENGTH_NOT_MULTIPLE);
  rocrand_generator none = nullptr;
  CHECK_EQ(rocrand_create_generator(&none, static_cast<rocrand_rng_type>(12)), ROCRAND_STATUS_TYPE_ERROR);
  CHECK_EQ(rocrand_generate(none, out, 16), ROCRAND_STATUS_NOT_CREATED);
}

// XORWOW takes one number of each subsequence in turn, Philox goes through one of them, four numbers at a time.
__global__ void xorwow(unsigned *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  rocrand_state_xorwow state;
  rocrand_init(kSeed, i, 0, &state);
  out[i] = rocrand(&state);
}
__global__ void philox(uint4 *out) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  rocrand_state_philox4x32_10 state;
  rocrand_init(kSeed, 0, 4 * i, &state);
  out[i] = rocrand4(&state);
}

TEST(sameAsDeviceApi) {
  DeviceArray<unsigned> expected(kCount);
  xorwow<<<kCount / 256, 256>>>(expected);
  HIP_CHECK(hipGetLastError());
  CHECK(Generator(ROCRAND_RNG_PSEUDO_XORWOW).make<unsigned>(rocrand_generate, kCount) == expected.host());
  philox<<<kCount / 1024, 256>>>(reinterpret_cast<uint4 *>(static_cast<unsigned *>(expected)));
  HIP_CHECK(hipGetLastError());
  CHECK(Generator(ROCRAND_RNG_PSEUDO_PHILOX4_32_10).make<unsigned>(rocrand_generate, kCount) == expected.host());
}

} // namespace

int main(int argc, char **argv) { return runTests(argc, argv); }
