// SPDX-License-Identifier: MIT
// A module as the driver sees it: its kernels and variables, and code that is compiled when it is needed.
#pragma once
#include "cpu/abi/compiled_code.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::cpu {

/// What is known of a kernel before it is compiled. Immutable.
struct KernelInfo {
  std::string name;
  std::vector<ArgInfo> args;
  uint32_t argBlockBytes = 0;
  uint32_t staticLocalBytes = 0;      ///< local memory of the kernel's own variables
  uint32_t requiredGroupSize[3] = {}; ///< zeros: any
  uint32_t requiredSubgroupSize = 0;  ///< zero: any
};

/// The compiled code of a kernel for launches of some shapes. Immutable.
struct KernelCode {
  KernelFunction function = nullptr;
  /// The same, but one work-item after the other with WorkerState::localId kept up to date, to find out which one has
  /// faulted. Null if work-items cannot be executed again without more effects than stores.
  KernelFunction oneByOne = nullptr;
  uint32_t width = 0; ///< work-groups must have a multiple of so many work-items in x. 1: any number; 0: any, and
                      ///< there is no other code for other shapes
  uint32_t privateBytes = 0; ///< stack that `function` needs, or each fiber of it, as far as it is known
  bool yields = false;       ///< lets other work-groups run where it waits for them

  bool fits(uint32_t groupSizeX) const { return width <= 1 || groupSizeX % width == 0; }
};

/// A program-scope variable that the host can find by name.
struct GlobalInfo {
  std::string name;
  size_t size = 0;
  void *address = nullptr;
};

/// What compilations of one module had to say so far. Every method may be called by any thread.
class BuildMessages {
public:
  void add(std::string_view text);
  std::string text() const;

private:
  mutable std::mutex mutex_;
  std::string text_; // guarded by mutex_
};

/// A module: its kernels are compiled one by one, when code() asks for them. Variables, and functions that are called through
/// pointers, are there from the beginning. Everything is unmapped by the destructor. Every method may be called by any thread;
/// different kernels are compiled at the same time.
class Program {
public:
  /// Takes SPIR-V apart (through the disk cache, then the compiler). Returns null on failure; buildLog then says why in a
  /// sentence that starts with the file or construct concerned. `buildFlags` are those of ze_module_desc_t, null allowed.
  /// Throws CompilerMissing (compiler_process.h).
  static std::unique_ptr<Program> fromSpirv(std::span<const std::byte> spirv, const char *buildFlags,
                                            std::string &buildLog);

  /// Loads what nativeBinary() of an equal build of this driver returned. Returns null for anything else.
  static std::unique_ptr<Program> fromNative(std::span<const std::byte> binary, std::string &buildLog);

  virtual ~Program() = default;
  virtual std::span<const KernelInfo> kernels() const = 0;
  virtual std::span<const GlobalInfo> globals() const = 0;

  /// The code of one of kernels() for work-groups with so many work-items in x; compiles it if that has not been done. Null
  /// if it cannot be compiled; messages() then says why, and it is not tried again. Throws CompilerMissing.
  virtual const KernelCode *code(const KernelInfo &kernel, uint32_t groupSizeX) const = 0;

  /// All kernels for all shapes, as fromNative() takes them; compiles what is missing. Empty if something cannot be compiled;
  /// messages() then says why. Lives as long as the program. Throws CompilerMissing.
  virtual std::span<const std::byte> nativeBinary() const = 0;

  /// What code() and nativeBinary() add to; it may outlive the program.
  const std::shared_ptr<BuildMessages> &messages() const { return messages_; }

  /// Linear search: call it when a kernel is created, not when it is launched.
  const KernelInfo *findKernel(std::string_view name) const;
  const GlobalInfo *findGlobal(std::string_view name) const;

private:
  const std::shared_ptr<BuildMessages> messages_ = std::make_shared<BuildMessages>();
};

} // namespace hiplz::cpu
