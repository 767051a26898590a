// SPDX-License-Identifier: MIT
// Facts about a SPIR-V module that the runtime needs before it is compiled: its kernels with the bytes that each parameter
// takes, its exported variables, and what it leaves undefined. Level Zero reports none of this.
#pragma once
#include "base/parse_error.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hiplz::spirv {

enum class ArgKind {
  value,   ///< an integer, a floating-point number, a vector
  pointer, ///< an address
  byValue  ///< an aggregate; the module sees a pointer, the caller passes the bytes
};

/// A parameter that the caller of a launch provides: `size` bytes, aligned to `align` in a packed argument buffer.
struct Arg {
  ArgKind kind = ArgKind::value;
  uint32_t size = 0;
  uint32_t align = 1;
  bool inMemory = false; ///< byValue, too large for a parameter: the kernel takes the address of the bytes
};

struct Kernel {
  std::string name;
  std::vector<Arg> args;
  int dynamicLocalIndex = -1; ///< index of the hidden last parameter for dynamic shared memory; -1: there is none
  uint32_t maxThreads = 0;    ///< of a block, as __launch_bounds__ promised; 0: nothing was promised
  std::string missing{};      ///< what it calls and HIPLZ does not have: it cannot be launched. Usually empty
};

/// An exported program-scope variable.
struct Global {
  std::string name;
  uint64_t size = 0;
};

/// An entry point with parameters that a HIP launch cannot provide (images, several workgroup pointers ...).
struct RefusedKernel {
  std::string name;
  std::string reason;
};

/// A format of printf that kernels name by a number.
struct PrintfFormat {
  uint64_t number = 0;
  std::string text;
};

/// Features that not every device has.
struct Needs {
  bool float64 = false, float16 = false, int64Atomics = false;
  std::vector<uint32_t> subgroupSizes; ///< that kernels ask for, without repetition

  void add(const Needs &other);
};

struct Module {
  Needs needs; ///< what it declares to need
  std::vector<Kernel> kernels;
  bool recursion =
      false; ///< kernels that reach recursive functions are there in two forms (ModuleCutter); each is listed once
  std::vector<RefusedKernel> refused;
  std::vector<Global> globals;
  std::vector<PrintfFormat> formats;
  std::vector<std::string> imports; ///< functions and variables that the module uses and does not define
};

/// Reads a module. It checks what it needs and what keeps it inside `words`, not the whole of SPIR-V: the driver's
/// compiler does that. Pure; throws ParseError, never reads beyond the span.
Module reflect(std::span<const std::byte> words);

/// The number of bytes of the module at the beginning of `bytes`, which may be followed by anything; 0 if none begins
/// there. SPIR-V does not carry its size: the module ends where no function follows the end of a function.
size_t moduleSize(std::span<const std::byte> bytes);

} // namespace hiplz::spirv
