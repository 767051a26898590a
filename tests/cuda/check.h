// SPDX-License-Identifier: MIT
// The checks of this folder's programs: a call of CUDA that fails, or a result that differs, ends the program.
#pragma once
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

inline void checkCall(cudaError_t error, const char *call, const char *file, int line) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
  std::exit(1);
}
inline void checkTrue(bool holds, const char *condition, const char *file, int line) {
  if (holds)
    return;
  std::fprintf(stderr, "%s:%d: %s does not hold\n", file, line, condition);
  std::exit(1);
}

/// The call succeeds.
#define CALL(...) checkCall(__VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)
/// The condition holds.
#define EXPECT(...) checkTrue(__VA_ARGS__, #__VA_ARGS__, __FILE__, __LINE__)

/// Memory of the device with a copy of `values`.
template <class T> T *onDevice(const std::vector<T> &values) {
  T *memory = nullptr;
  CALL(cudaMalloc(&memory, values.size() * sizeof(T)));
  CALL(cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice));
  return memory;
}
/// The contents of `count` elements of device memory, once all work is done.
template <class T> std::vector<T> onHost(const T *memory, size_t count) {
  std::vector<T> values(count);
  CALL(cudaMemcpy(values.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}
