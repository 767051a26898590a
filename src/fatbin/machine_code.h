// SPDX-License-Identifier: MIT
// Machine code for AMD's GPUs in fat binaries: which entries hold it, and what the runtime must know of a code object.
#pragma once
#include "fatbin/reflection.h"

#include <string_view>

namespace hiplz {

/// The processor of a bundle's entry for AMD's machine code ("hipv4-amdgcn-amd-amdhsa--gfx1030:sramecc+"); empty for other entries.
std::string_view machineTarget(std::string_view entry);

/// The facts about a code object, as SPIR-V's reflection gives them. Throws ParseError.
spirv::Module reflectMachineCode(std::span<const std::byte> bytes);

} // namespace hiplz
