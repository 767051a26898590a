// SPDX-License-Identifier: MIT
// The linker of device code: what hipLink* puts together, and what makes SPIR-V of a module that comes as LLVM bitcode or in
// AMD's dialect of SPIR-V.
#pragma once
#include "fatbin/bundle.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace hiplz {

/// Replaces what drivers do not take by SPIR-V: bitcode, and AMD's dialect, whose result is kept in the disk cache. Other images
/// stay as they are. `log` receives what the programs have said. Throws HipError like LZLinker::link.
void makeLoadable(DeviceImage &image, const std::string &origin, std::string &log);

/// Not thread-safe. Bitcode and AMD's dialect need the programs of an installed clang (found as hipcc finds it), and several modules of
/// SPIR-V need spirv-link; one module of SPIR-V needs nothing.
class LZLinker {
public:
  /// Takes a copy of a module of SPIR-V or LLVM bitcode; `name` is for the log. Throws HipError (hipErrorInvalidImage) for
  /// anything else.
  void add(std::span<const std::byte> code, std::string name);

  bool empty() const { return modules_.empty(); }

  /// Links all that was added and returns SPIR-V. Bitcode is linked first, with HIPLZ's device library, and passes through
  /// the link-time passes; it may not use what only a module of SPIR-V defines. Runs programs, which takes tenths of a
  /// second. Throws HipError: hipErrorSharedObjectInitFailed if a program is missing, hipErrorInvalidImage if one fails.
  std::vector<std::byte> link();

  /// The programs' output.
  const std::string &log() const { return log_; }

private:
  struct Module {
    std::vector<std::byte> code;
    std::string name;
    enum Kind { spirv, bitcode, amdSpirv } kind;
  };
  std::vector<Module> modules_;
  std::string log_;
};

} // namespace hiplz
