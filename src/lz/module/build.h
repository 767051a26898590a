// SPDX-License-Identifier: MIT
// Calls of the driver's compiler.
#pragma once
#include "fatbin/reflection.h"
#include "lz/core/ze_handle.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace hiplz {

class LZDevice;

struct Build {
  ze_result_t result;
  ZeModule module; ///< empty unless the result is success
  std::string log;
};
/// Has the driver make a module of SPIR-V or native code. Thread-safe.
Build buildModule(LZDevice &device, ze_module_format_t format, std::span<const std::byte> input,
                  const std::string &options);

/// Those of the kernels that a compiled module lacks; none if the driver does not list its kernels.
std::vector<std::string> missingFrom(ze_module_handle_t module, const std::vector<std::string> &kernels);
/// For messages.
std::string commaSeparated(const std::vector<std::string> &names);

/// True if a compiled kernel keeps values in memory that it has no registers for.
bool spills(LZDevice &device, ze_module_handle_t module, const std::string &kernel);

/// The facts on which the choice of registers depends.
struct RegisterUse {
  uint32_t spillBytes; ///< of a hardware thread
  uint32_t maxThreads; ///< that a block may have
};
/// True if code with the large register file, which leaves half as many hardware threads, is better than the same kernel
/// with the usual one: it spills less, and blocks may be as large as they could, or as __launch_bounds__ promised (0: nothing).
bool isBetterWithLargeRegisters(RegisterUse usual, RegisterUse large, uint32_t promisedThreads);

/// The module with the large register file, if that is better for its one kernel than `usual` is; else null. Kernels that ask
/// for sub-groups of 32 may have too few registers. GPUs that can give a hardware thread twice as many do so for a whole
/// module; which can, drivers before 2024 do not tell, so what the compiler makes of it does.
ZeModule withLargeRegisters(LZDevice &device, const spirv::Kernel &kernel, std::span<const std::byte> spirv,
                            const std::string &options, ze_module_handle_t usual);

/// The compiled code of a module; empty if the driver does not give it.
std::vector<std::byte> nativeBinary(ze_module_handle_t module);

} // namespace hiplz
