// SPDX-License-Identifier: MIT
// A module as the driver sees it: its kernels and variables, and code that is compiled when it is needed.
#pragma once
#include "cpu/abi/kernel.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::cpu {

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
