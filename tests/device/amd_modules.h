// SPDX-License-Identifier: MIT
// Modules that AMD's compiler has made (tests/data/amd-spirv, by clang 21 with --offload-arch=amdgcnspirv and AMD's headers
// 6.4.3), for the programs that run them. HIPLZ_AMD_MODULES is their folder.
#pragma once
#include "check.h"

#include <fstream>
#include <iterator>
#include <string>

inline std::string readModule(const char *name) {
  std::ifstream file(std::string(HIPLZ_AMD_MODULES) + "/" + name + ".spv", std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A module, as it is or as the entry of a fat binary beside one for a GPU.
class Module {
public:
  explicit Module(const std::string &image) : image_(image) { HIP_CHECK(hipModuleLoadData(&module_, image_.data())); }
  ~Module() { HIP_CHECK(hipModuleUnload(module_)); }

  template <class... Arguments>
  hipError_t start(const char *name, dim3 grid, dim3 block, unsigned shared, Arguments... arguments) {
    hipFunction_t function;
    HIP_CHECK(hipModuleGetFunction(&function, module_, name));
    void *addresses[] = {&arguments...};
    HIP_CHECK(hipModuleLaunchKernel(function, grid.x, grid.y, grid.z, block.x, block.y, block.z, shared, nullptr,
                                    addresses, nullptr));
    return hipDeviceSynchronize();
  }
  template <class... Arguments> void run(const char *name, dim3 grid, dim3 block, Arguments... arguments) {
    HIP_CHECK(start(name, grid, block, 0, arguments...));
  }
  hipModule_t get() const { return module_; }

private:
  std::string image_;
  hipModule_t module_;
};

/// Memory that host and device read.
template <class T> class Values {
public:
  explicit Values(size_t count) : count_(count) {
    HIP_CHECK(hipMallocManaged(&data_, count * sizeof(T)));
    std::memset(static_cast<void *>(data_), 0, count * sizeof(T));
  }
  ~Values() { HIP_CHECK(hipFree(data_)); }
  T *get() const { return data_; }
  T &operator[](size_t i) const { return data_[i]; }

private:
  size_t count_;
  T *data_;
};
