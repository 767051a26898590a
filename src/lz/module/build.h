// SPDX-License-Identifier: MIT
// Calls of the driver's compiler.
#pragma once
#include "lz/core/ze_handle.h"

#include <cstddef>
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

/// The compiled code of a module; empty if the driver does not give it.
std::vector<std::byte> nativeBinary(ze_module_handle_t module);

/// HIPLZ_DUMP: writes the SPIR-V under the hash of its content.
void dumpSpirv(std::span<const std::byte> spirv);

} // namespace hiplz
