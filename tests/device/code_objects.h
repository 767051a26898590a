// SPDX-License-Identifier: MIT
// For tests of machine code: the code objects of tests/data/amdgcn, their kernels, and memory on both sides.
#pragma once
#include "check.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

inline std::string codeObject(const char *name) {
  const char *folder = std::getenv("HIPLZ_TEST_CODE_OBJECTS");
  std::ifstream file(std::string(folder ? folder : ".") + "/" + name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

inline hipFunction_t function(hipModule_t module, const char *name) {
  hipFunction_t found = nullptr;
  HIP_CHECK(hipModuleGetFunction(&found, module, name));
  return found;
}

template <class T> struct Buffer {
  explicit Buffer(size_t count, T value = {}) : host(count, value) {
    HIP_CHECK(hipMalloc(&device, count * sizeof(T)));
    send();
  }
  ~Buffer() { HIP_CHECK(hipFree(device)); }
  void send() { HIP_CHECK(hipMemcpy(device, host.data(), host.size() * sizeof(T), hipMemcpyHostToDevice)); }
  void fetch() { HIP_CHECK(hipMemcpy(host.data(), device, host.size() * sizeof(T), hipMemcpyDeviceToHost)); }
  std::vector<T> host;
  T *device = nullptr;
};
