// SPDX-License-Identifier: MIT
// For tests of machine code: the code objects of tests/data/amdgcn, their kernels, and memory on both sides. HIPLZ_TEST_AMD_TARGET chooses
// those of another processor than gfx1030.
#pragma once
#include "check.h"

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// The processor whose code is tested.
inline std::string amdTarget() {
  const char *target = std::getenv("HIPLZ_TEST_AMD_TARGET");
  return target ? target : "gfx1030";
}

/// The file of that processor.
inline std::string codeObjectPath(std::string name) {
  const char *folder = std::getenv("HIPLZ_TEST_CODE_OBJECTS");
  if (amdTarget() != "gfx1030")
    name.insert(name.find('.'), "-" + amdTarget());
  return std::string(folder ? folder : ".") + "/" + name;
}

inline std::string codeObject(const char *name) {
  std::ifstream file(codeObjectPath(name), std::ios::binary);
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
