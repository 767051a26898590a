// SPDX-License-Identifier: MIT
// Loads a module of test kernels and runs kernels of it the way the driver does.
#pragma once
#include "cpu/exec/fiber_group.h"
#include "cpu/program/program.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace hiplz::cpu {

std::vector<std::byte> readFile(const std::string &path);

/// The SPIR-V of tests/compiler/kernels/<name>.cl.
std::vector<std::byte> testModule(const std::string &name);

/// The module compiled with these flags; compiled once a process. Null, with a failed assertion, if it does not build.
const Program *testProgram(const std::string &name, const std::string &flags = "");

struct Local {
  uint32_t bytes;
};

/// One launch: arguments in order, then run.
class Launch {
public:
  Launch(const Program *program, const std::string &kernel);
  ~Launch();
  Launch(const Launch &) = delete;

  /// A value or a pointer, with the size of T.
  template <typename T> Launch &arg(const T &value) { return bytes(&value, sizeof value); }
  Launch &arg(Local local);
  template <typename T> Launch &arg(std::vector<T> &buffer) {
    T *pointer = buffer.data();
    return bytes(&pointer, sizeof pointer);
  }

  using Size = std::array<uint32_t, 3>;
  /// Runs all work-groups, in two calls of the kernel function.
  void run(Size groups, Size items, Size offset = {0, 0, 0});

  /// Runs the work-groups with linear ids from begin on, and below end.
  void runSome(Size groups, Size items, uint64_t begin, uint64_t end);

  const KernelInfo &info() const { return *kernel_; }
  const KernelCode *code(const GroupSize &size) const { return program_->code(*kernel_, size); }

private:
  void run(Size groups, Size items, Size offset, std::initializer_list<std::pair<uint64_t, uint64_t>> ranges);
  Launch &bytes(const void *data, size_t size);

  const Program *program_ = nullptr;
  const KernelInfo *kernel_ = nullptr;
  size_t next_ = 0;
  uint32_t localBytes_ = 0;
  std::vector<std::byte> block_;
};

} // namespace hiplz::cpu
