// SPDX-License-Identifier: MIT
// AMD's dialect of SPIR-V (`--offload-arch=amdgcnspirv`), as far as it is a matter of words. Its version and its pointers
// without a type are newer than the translators that Debian's releases have; LLVM's intrinsics stand in it under names that no
// other LLVM may define; and what AMD's runtime does for a kernel is called by name. docs/design/amd-spirv.md has the rest.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace hiplz::spirv {

/// True if SPIR-V is of AMD's dialect: it was made for `spirv64-amd-amdhsa`. Only a beginning that can be walked through counts.
bool isAmdDialect(std::span<const std::byte> module);

/// The same module for translators from LLVM 15 on: SPIR-V 1.4, in which every pointer has a type, that of bytes where AMD's
/// has none. Names `llvm.amdgcn.x.y` become `__amd_x_y`. Functions of AMD's headers for assert and the like, which end in a trap
/// that SPIR-V does not have, become declarations, and each kernel is there once. Throws ParseError, by name for what is not
/// known.
std::vector<std::byte> withoutAmdDialect(std::span<const std::byte> module);

} // namespace hiplz::spirv
