// SPDX-License-Identifier: MIT
// The compiler of the CPU device as a child process: it brings libLLVM with it, which the program that uses the device never
// loads, and it may crash.
#pragma once
#include "cpu/program/binary_format.h"
#include "cpu/program/compiler_protocol.h"

#include <cstddef>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace hiplz::cpu {

/// Changes whenever the compiler, or a library that it loads, is another file; a part of cache keys. Empty if there is no compiler.
std::string compilerBuildId();

/// The compiler could not be started because of something that passes, such as too many open files; what() is a sentence.
struct CompilerMissing : std::runtime_error {
  CompilerMissing(const std::string &what, int error) : std::runtime_error(what), error(error) {}
  int error; ///< of the system
};

/// A module, taken apart by the compiler.
struct CompiledModule {
  std::vector<std::byte> binary;      ///< a module binary
  std::vector<std::byte> prepared;    ///< what compileKernel() takes
  std::vector<std::byte> firstKernel; ///< a binary with the only kernel for GroupShape::rows32; or empty
  std::string kernelFailure;          ///< why the only kernel cannot be compiled
};

/// Takes SPIR-V apart; `haste` is that of the only kernel. On success `log` may hold warnings; otherwise it is a sentence. `flags` and `hostKey` are as in
/// compiler_protocol.h. Thread-safe. Throws CompilerMissing.
bool compileModule(std::span<const std::byte> spirv, const std::string &flags, const std::string &hostKey,
                   CompileHaste haste, CompiledModule &module, std::string &log);

/// A kernel of a prepared module, for some launches.
struct KernelOrder {
  const std::string &kernel;
  GroupKind kind;
  CompileHaste haste = CompileHaste::none;
  int endsWhenReadable = -1; ///< a descriptor, see child_process.h
};

/// Compiles one kernel of a prepared module; with the same flags. The rest is as above.
bool compileKernel(std::span<const std::byte> prepared, const std::string &flags, const std::string &hostKey,
                   const KernelOrder &wanted, std::vector<std::byte> &binary, std::string &log);

/// The source line of a place in an ELF image with debug information, as compiler/source_line.h says. Empty if there is none, or
/// if the compiler cannot be started. Thread-safe.
std::string compilerSourceLine(std::span<const std::byte> image, const std::string &place);

} // namespace hiplz::cpu
