// SPDX-License-Identifier: MIT
// A thousand threes, and their sum by a function that takes temporary memory as rocPRIM's and hipCUB's do.
#pragma once
#include <hip/hip_runtime.h>

#include <vector>

template <class Reduce> bool reducesToTheSum(Reduce reduce) {
  const std::vector<int> numbers(1000, 3);
  const size_t bytes = numbers.size() * sizeof(int);
  int *in = nullptr, *out = nullptr, sum = 0;
  void *temporary = nullptr;
  size_t temporaryBytes = 0;
  return hipMalloc(&in, bytes) == hipSuccess && hipMalloc(&out, sizeof(int)) == hipSuccess &&
         hipMemcpy(in, numbers.data(), bytes, hipMemcpyHostToDevice) == hipSuccess &&
         reduce(nullptr, temporaryBytes, in, out, numbers.size()) == hipSuccess &&
         hipMalloc(&temporary, temporaryBytes) == hipSuccess &&
         reduce(temporary, temporaryBytes, in, out, numbers.size()) == hipSuccess &&
         hipMemcpy(&sum, out, sizeof(int), hipMemcpyDeviceToHost) == hipSuccess && sum == 3000;
}
