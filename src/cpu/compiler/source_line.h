// SPDX-License-Identifier: MIT
// Which source line an instruction of a compiled object belongs to, for the report of a fault. The driver has no reader of debug
// information; the compiler has LLVM's.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace hiplz::cpu {

/// "stencil.hip:12", and where the function that has this line was inlined. `place` is the number of a section of the ELF object and
/// an address in it, as the section header counts, with a blank between them. Empty if the object does not say.
std::string sourceLine(std::string_view object, const std::string &place);

} // namespace hiplz::cpu
