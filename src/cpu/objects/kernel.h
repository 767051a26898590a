// SPDX-License-Identifier: MIT
// A kernel object: which function of a program, and the arguments and group size of the next launch. Appending a launch
// copies them, so they may be changed for the launch after it.
#pragma once
#include "cpu/objects/object.h"
#include "cpu/objects/operation_counters.h"
#include "cpu/program/program.h"

#include <memory>
#include <optional>
#include <vector>

namespace hiplz::cpu {

/// One thread at a time may use a kernel, as the specification says.
class Kernel : public Object<Kernel, ze_kernel_handle_t> {
public:
  static constexpr uint64_t kKind = 10;
  Kernel(std::shared_ptr<const Program> program, const KernelInfo &info);
  /// One with the same state, for commands whose arguments change after they have been appended.
  std::unique_ptr<Kernel> clone() const;

  const KernelInfo &info() const { return info_; }
  const std::shared_ptr<const Program> &program() const { return program_; }

  /// Throw Error with the code that the specification gives the function of that name.
  void setGroupSize(uint32_t x, uint32_t y, uint32_t z);
  void setArgument(uint32_t index, size_t size, const void *value);
  /// All arguments: pointers to their values; for local memory, a pointer to its size, a size_t.
  void setArguments(const void *const *values);
  void setGlobalOffset(uint32_t x, uint32_t y, uint32_t z);

  /// The group size to use for a global size: divides it where possible.
  void suggestGroupSize(const uint32_t global[3], uint32_t group[3]) const;

  /// How many work-groups of the current size a cooperative launch may have.
  uint32_t maxCooperativeGroups() const;

  /// The code for the current group size. The first call compiles it, unless another kernel object has had that done. Throws
  /// Error(MODULE_BUILD_FAILURE) if it cannot be compiled, OUT_OF_HOST_MEMORY if the compiler cannot be started at the moment.
  const KernelCode &code() {
    if (!code_) [[unlikely]]
      code_ = &compiled(GroupSize(groupSize_[0], groupSize_[1], groupSize_[2]));
    return *code_;
  }

  /// Stack that a work-item needs. Compiles like code().
  uint32_t privateBytes();

  /// Throws Error(OUT_OF_DEVICE_MEMORY) if the kernel needs more local memory than there is.
  void requireLaunchable() const;

  /// Writes everything but what depends on the group counts; `arguments` receives info().argBlockBytes bytes and stays with the launch.
  void writeLaunch(LaunchState &launch, std::byte *arguments) const;

  ze_kernel_indirect_access_flags_t indirectAccess = 0;

private:
  const KernelCode &compiled(const std::optional<GroupSize> &size) const;

  const std::shared_ptr<const Program> program_;
  const KernelInfo &info_;
  const KernelCode *code_ = nullptr; // for groupSize_
  std::vector<std::byte> arguments_;
  std::vector<size_t> localSizes_; // of the local pointers among the arguments, zero for others
  uint64_t localBytes_;            // local memory of one work-group
  uint32_t groupSize_[3] = {1, 1, 1};
  bool hasGroupSize_ = false;
  counts::Page *const counters_; // null: nothing is counted
  uint32_t globalOffset_[3] = {0, 0, 0};
};

} // namespace hiplz::cpu
