// SPDX-License-Identifier: MIT
// A module as the driver sees it: kernels and globals of a program binary that is loaded into memory.
#pragma once
#include "cpu/program/program_binary.h"

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::cpu {

/// One kernel of a loaded program. Immutable.
struct KernelInfo {
  std::string name;
  std::vector<ArgInfo> args;
  uint32_t argBlockBytes = 0;
  uint32_t staticLocalBytes = 0;      ///< local memory of the kernel's own variables
  uint32_t privateBytes = 0;          ///< stack that `function` needs, or each fiber of it, as far as it is known
  uint32_t requiredGroupSize[3] = {}; ///< zeros: any
  uint32_t requiredSubgroupSize = 0;  ///< zero: any
  bool yields = false;                ///< lets other work-groups run where it waits for them
  KernelFunction function = nullptr;
  /// The same, but one work-item after the other with WorkerState::localId kept up to date, to find out which one has
  /// faulted. Null if work-items cannot be executed again without more effects than stores.
  KernelFunction oneByOne = nullptr;
};

/// A program-scope variable that the host can find by name.
struct GlobalInfo {
  std::string name;
  size_t size = 0;
  void *address = nullptr;
};

/// Kernels and globals in memory; unmapped by the destructor. Immutable, so every method may be called by any thread.
class Program {
public:
  /// Compiles SPIR-V (through the disk cache, then the compiler) and loads the result. Returns null on failure;
  /// buildLog then says why in a sentence that starts with the file or construct concerned.
  /// `buildFlags` are those of ze_module_desc_t, null allowed. Throws CompilerMissing (compiler_process.h).
  static std::unique_ptr<Program> fromSpirv(std::span<const std::byte> spirv, const char *buildFlags,
                                            std::string &buildLog);

  /// Loads what nativeBinary() of an equal build of this driver returned. Returns null for anything else.
  static std::unique_ptr<Program> fromNative(std::span<const std::byte> binary, std::string &buildLog);

  virtual ~Program() = default;
  virtual std::span<const KernelInfo> kernels() const = 0;
  virtual std::span<const GlobalInfo> globals() const = 0;
  virtual std::span<const std::byte> nativeBinary() const = 0;

  /// Linear search: call it when a kernel is created, not when it is launched.
  const KernelInfo *findKernel(std::string_view name) const;
  const GlobalInfo *findGlobal(std::string_view name) const;
};

} // namespace hiplz::cpu
