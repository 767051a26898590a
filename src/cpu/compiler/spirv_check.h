// SPDX-License-Identifier: MIT
// Checks of SPIR-V before the translator sees it, with better messages than the translator's.
#pragma once
#include <cstddef>
#include <span>
#include <string>

namespace hiplz::cpu {

/// True if the bytes are a SPIR-V module by header and instruction framing; otherwise `error` says what is wrong.
bool checkSpirv(std::span<const std::byte> spirv, std::string &error);

} // namespace hiplz::cpu
