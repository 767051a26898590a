// SPDX-License-Identifier: MIT
// Modules of SPIR-V in the folder that HIPLZ_DUMP names: those that the runtime hands to drivers, and those that the driver on OpenCL hands to
// compilers.
#pragma once
#include <cstddef>
#include <span>

namespace hiplz {

/// Writes the module under the hash of its content, with `ending` behind it. Does nothing without HIPLZ_DUMP. A file that cannot be
/// written is worth a line in the log and no more.
void dumpSpirv(std::span<const std::byte> spirv, const char *ending = ".spv");

} // namespace hiplz
