// SPDX-License-Identifier: MIT
// Transforms that VkFFT computes with each of its back ends, against a plain Fourier transform in double precision: one to three
// dimensions; powers of 2, 3, 5 and 7, products of them, and primes; complex and real; float and double; forth, and forth and back.
// A program defines VKFFT_BACKEND, includes this header, and defines execute().
#pragma once
#include "tests/device/check.h"

#include <vkFFT.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <random>

/// Transforms the `bytes` at `data`, in host memory, as `configuration` says, and back again if `back`. The device, the buffer and its
/// size are for the function to fill in.
void execute(VkFFTConfiguration configuration, void *data, uint64_t bytes, bool back);

typedef std::complex<double> Complex;
typedef std::vector<size_t> Sizes; // the first is that of the rows, which are contiguous

inline size_t product(const Sizes &sizes) {
  size_t count = 1;
  for (size_t size : sizes)
    count *= size;
  return count;
}

inline std::vector<Complex> rootsOfUnity(size_t size) {
  std::vector<Complex> roots(size);
  for (size_t i = 0; i < size; ++i)
    roots[i] = std::polar(1.0, -2 * M_PI * static_cast<double>(i) / static_cast<double>(size));
  return roots;
}

/// Element k of the transform of the `size` elements that are `stride` apart.
inline Complex element(const Complex *field, size_t size, size_t stride, const std::vector<Complex> &roots, size_t k) {
  double real = 0, imaginary = 0; // without the cases of infinity that the operator of std::complex has
  for (size_t i = 0, angle = 0; i < size; ++i, angle = (angle + k) % size) {
    const Complex &value = field[i * stride], &root = roots[angle];
    real += value.real() * root.real() - value.imag() * root.imag();
    imaginary += value.real() * root.imag() + value.imag() * root.real();
  }
  return {real, imaginary};
}

inline std::vector<Complex> transformed(std::vector<Complex> field, const Sizes &sizes) {
  size_t stride = 1;
  for (size_t size : sizes) {
    const std::vector<Complex> roots = rootsOfUnity(size);
    std::vector<Complex> line(size);
    for (size_t start = 0; start < field.size(); ++start) {
      if (start / stride % size != 0)
        continue;
      for (size_t k = 0; k < size; ++k)
        line[k] = element(&field[start], size, stride, roots, k);
      for (size_t k = 0; k < size; ++k)
        field[start + k * stride] = line[k];
    }
    stride *= size;
  }
  return field;
}

inline void checkClose(const char *what, const Sizes &sizes, const std::vector<Complex> &found,
                       const std::vector<Complex> &expected, bool isDouble) {
  double error = 0, largest = 0;
  for (size_t i = 0; i < expected.size(); ++i) {
    const double difference = std::abs(expected[i] - found[i]);
    error = difference <= error ? error : difference; // keeps what is no number
    largest = std::max(largest, std::abs(expected[i]));
  }
  if (error <= (isDouble ? 1e-13 : 2e-6) * largest)
    return;
  ++checkFailures;
  std::fprintf(stderr, "[%s] %s, %s,", currentTest ? currentTest : "", what, isDouble ? "double" : "float");
  for (size_t size : sizes)
    std::fprintf(stderr, " %zu", size);
  std::fprintf(stderr, ": error %g of %g\n", error, largest);
}

inline VkFFTConfiguration configure(const Sizes &sizes, bool isDouble, bool back) {
  VkFFTConfiguration configuration = {};
  configuration.FFTdim = sizes.size();
  std::copy(sizes.begin(), sizes.end(), configuration.size);
  configuration.doublePrecision = isDouble;
  configuration.makeForwardPlanOnly = !back;
  configuration.normalize = 1; // what comes back is divided by the number of elements
  return configuration;
}

inline std::vector<double> randomNumbers(size_t count) {
  std::mt19937 random(static_cast<unsigned>(count));
  std::vector<double> values(count);
  for (double &value : values)
    value = static_cast<int>(random() % 17) - 8;
  return values;
}

template <class T> void checkComplex(const Sizes &sizes, bool back = false, size_t batches = 1) {
  const size_t count = product(sizes);
  const std::vector<double> numbers = randomNumbers(2 * count * batches);
  std::vector<std::complex<T>> values(count * batches);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = {static_cast<T>(numbers[2 * i]), static_cast<T>(numbers[2 * i + 1])};
  const std::vector<Complex> before(values.begin(), values.end());
  VkFFTConfiguration configuration = configure(sizes, sizeof(T) == 8, back);
  configuration.numberBatches = batches;
  execute(configuration, values.data(), values.size() * sizeof(values[0]), back);
  for (size_t batch = 0; batch < batches; ++batch) {
    const auto first = batch * count, last = first + count;
    std::vector<Complex> expected(before.begin() + first, before.begin() + last);
    if (!back)
      expected = transformed(expected, sizes);
    checkClose(back ? "forth and back" : "complex", sizes, {values.begin() + first, values.begin() + last}, expected,
               sizeof(T) == 8);
  }
}

/// Real numbers, in rows with room for the first half of the transform, which says the other half.
template <class T> void checkReal(const Sizes &sizes, bool back = false) {
  const size_t count = product(sizes), row = sizes[0], half = row / 2 + 1, rows = count / row;
  const std::vector<double> numbers = randomNumbers(count);
  std::vector<T> values(2 * half * rows);
  for (size_t i = 0; i < count; ++i)
    values[i / row * 2 * half + i % row] = static_cast<T>(numbers[i]);
  VkFFTConfiguration configuration = configure(sizes, sizeof(T) == 8, back);
  configuration.performR2C = 1;
  execute(configuration, values.data(), values.size() * sizeof(T), back);
  std::vector<Complex> found, expected(numbers.begin(), numbers.end());
  if (back) {
    for (size_t i = 0; i < count; ++i)
      found.emplace_back(values[i / row * 2 * half + i % row]);
  } else {
    const std::vector<Complex> whole = transformed(expected, sizes);
    expected.clear();
    for (size_t i = 0; i < half * rows; ++i) {
      expected.push_back(whole[i / half * row + i % half]);
      found.emplace_back(values[2 * i], values[2 * i + 1]);
    }
  }
  checkClose(back ? "real, forth and back" : "real", sizes, found, expected, sizeof(T) == 8);
}

/// A long line: some elements of its transform, because all of them take the plain transform too long.
template <class T> void checkLong(size_t size) {
  const std::vector<double> numbers = randomNumbers(2 * size);
  std::vector<std::complex<T>> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = {static_cast<T>(numbers[2 * i]), static_cast<T>(numbers[2 * i + 1])};
  const std::vector<Complex> before(values.begin(), values.end()), roots = rootsOfUnity(size);
  execute(configure({size}, sizeof(T) == 8, false), values.data(), size * sizeof(values[0]), false);
  std::vector<Complex> found, expected;
  for (size_t i = 0; i < 101; ++i) {
    const size_t k = i < 2 ? i * (size - 1) : i * 7919 % size;
    found.push_back(values[k]);
    expected.push_back(element(before.data(), size, 1, roots, k));
  }
  checkClose("long", {size}, found, expected, sizeof(T) == 8);
}

template <class T> void checkLines(std::initializer_list<size_t> sizes) {
  for (size_t size : sizes)
    checkComplex<T>({size});
}

TEST(powers) {
  checkLines<float>({2, 8, 128, 1024, 4096, 3, 9, 243, 2187, 5, 125, 3125, 7, 49, 2401});
  checkLines<double>({4, 64, 2048, 27, 729, 25, 625, 49, 343});
}
TEST(products) {
  checkLines<float>({6, 60, 77, 210, 1000, 1001, 2016});
  checkLines<double>({210, 1000, 169});
}
TEST(primes) { // up to 13 with their own butterflies, some by Rader's algorithm, the others by Bluestein's
  checkLines<float>({11, 13, 17, 97, 127, 1009, 47, 263, 2027});
  checkLines<double>({13, 97, 263});
}
TEST(dimensions) {
  checkComplex<float>({32, 24});
  checkComplex<float>({125, 7});
  checkComplex<float>({5, 64});
  checkComplex<double>({17, 49});
  checkComplex<float>({27, 25, 7});
  checkComplex<double>({16, 12, 10});
}
TEST(back) {
  checkComplex<float>({1024}, true);
  checkComplex<float>({2027}, true);
  checkComplex<double>({1000}, true);
  checkComplex<double>({9, 10, 11}, true);
}
TEST(batches) {
  checkComplex<float>({60}, false, 37);
  checkComplex<double>({8, 9}, true, 5);
}
TEST(real) {
  for (size_t size : {2, 8, 30, 243, 97, 1024, 625})
    checkReal<float>({size});
  checkReal<double>({210});
  checkReal<double>({49});
  checkReal<float>({30, 24});
  checkReal<double>({15, 8});
  checkReal<float>({16, 9, 10});
  checkReal<float>({1024}, true);
  checkReal<double>({12, 15, 7}, true);
}
TEST(longLines) { // more than fits into the memory of a block
  checkLong<float>(32768);
  checkLong<float>(19683);
  checkLong<double>(15625);
  checkLong<double>(16807);
}
