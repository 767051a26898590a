// SPDX-License-Identifier: MIT
// The names in AMD's dialect of SPIR-V: how it is recognised, and what stands for them here.
#pragma once
#include "spirv/words.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hiplz::spirv {

/// The capability of SPV_KHR_untyped_pointers, which the headers of Debian 12 lack.
inline constexpr uint32_t kCapabilityUntypedPointers = 4473;

/// True for functions that AMD's headers define and the device library has in our way.
bool isReplaced(std::string_view name);

/// A name as LLVM of any version takes it.
std::string nameHere(std::string_view name);

/// A string as SPIR-V has it.
std::vector<uint32_t> wordsOf(std::string_view text);

/// The name under which a decoration makes something known outside; nothing if it is another decoration. Throws ParseError.
std::optional<std::string> linkageName(const Instruction &decoration);

} // namespace hiplz::spirv
