// SPDX-License-Identifier: MIT
// The compiler of the CPU device as a child process: it brings libLLVM with it, which the program that uses the device never
// loads, and it may crash.
#pragma once
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
  using std::runtime_error::runtime_error;
};

/// Compiles. On success `binary` is a program binary and `log` may hold warnings; otherwise `log` is a sentence. `flags` and
/// `hostKey` are as in compiler_protocol.h. Thread-safe. Throws CompilerMissing.
bool compileModule(std::span<const std::byte> spirv, const std::string &flags, const std::string &hostKey,
                   std::vector<std::byte> &binary, std::string &log);

} // namespace hiplz::cpu
