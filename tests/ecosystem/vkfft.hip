// SPDX-License-Identifier: MIT
// VkFFT with its HIP back end, which generates kernels and compiles them with hipRTC, against a plain Fourier transform.
#define VKFFT_BACKEND 2
#include "tests/device/check.h"

#include <hip/hiprtc.h>
#include <vkFFT.h>

#include <cmath>
#include <complex>

namespace {

typedef std::complex<double> Complex;

/// The transform along one dimension of a field.
void transform(std::vector<Complex> &field, size_t size, size_t stride) {
  std::vector<Complex> line(size), roots(size);
  for (size_t i = 0; i < size; ++i)
    roots[i] = std::polar(1.0, -2 * M_PI * static_cast<double>(i) / static_cast<double>(size));
  for (size_t start = 0; start < field.size(); ++start) {
    if (start / stride % size != 0)
      continue;
    for (size_t k = 0; k < size; ++k) {
      line[k] = 0;
      for (size_t i = 0; i < size; ++i)
        line[k] += field[start + i * stride] * roots[i * k % size];
    }
    for (size_t k = 0; k < size; ++k)
      field[start + k * stride] = line[k];
  }
}

template <class T> void check(std::vector<size_t> sizes, bool inverse = false) {
  size_t count = 1;
  for (size_t size : sizes)
    count *= size;
  std::vector<std::complex<T>> values(count);
  std::vector<Complex> expected(count);
  for (size_t i = 0; i < count; ++i)
    expected[i] =
        values[i] = {static_cast<T>(static_cast<int>(i * 7 % 11) - 5), static_cast<T>(static_cast<int>(i * 3 % 5) - 2)};
  DeviceArray<std::complex<T>> device(values);
  void *buffer = static_cast<std::complex<T> *>(device);
  uint64_t bytes = count * sizeof(std::complex<T>);
  hipDevice_t number;
  HIP_CHECK(hipDeviceGet(&number, 0));
  VkFFTConfiguration configuration = {};
  configuration.FFTdim = sizes.size();
  for (size_t i = 0; i < sizes.size(); ++i)
    configuration.size[i] = sizes[i];
  configuration.device = &number;
  configuration.buffer = &buffer;
  configuration.bufferSize = &bytes;
  configuration.doublePrecision = sizeof(T) == 8;
  configuration.normalize = 1;
  VkFFTApplication application = {};
  CHECK_EQ(initializeVkFFT(&application, configuration), VKFFT_SUCCESS);
  VkFFTLaunchParams parameters = {};
  CHECK_EQ(VkFFTAppend(&application, -1, &parameters), VKFFT_SUCCESS);
  if (inverse)
    CHECK_EQ(VkFFTAppend(&application, 1, &parameters), VKFFT_SUCCESS);
  HIP_CHECK(hipDeviceSynchronize());
  deleteVkFFT(&application);
  values = device.host();
  if (!inverse)
    for (size_t i = 0, stride = 1; i < sizes.size(); stride *= sizes[i++])
      transform(expected, sizes[i], stride);
  double error = 0, largest = 0;
  for (size_t i = 0; i < count; ++i) {
    error = std::max(error, std::abs(expected[i] - Complex(values[i])));
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (!(error <= (sizeof(T) == 8 ? 1e-12 : 2e-6) * largest)) {
    ++checkFailures;
    std::fprintf(stderr, "%zu dimensions, the first of %zu: error %g of %g\n", sizes.size(), sizes[0], error, largest);
  }
}

} // namespace

int main() {
  HIP_CHECK(hipInit(0));
  for (size_t size : {8, 60, 77, 97, 128, 1000, 1024, 4096}) // powers, products of small primes, and a prime
    check<float>({size});
  check<double>({210});
  check<float>({32, 24});
  check<double>({16, 12, 10});
  check<float>({1024}, true);
  check<double>({1000}, true);
  return testResult();
}
