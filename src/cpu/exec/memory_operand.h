// SPDX-License-Identifier: MIT
// The address that an x86-64 instruction accesses. The processor does not say it if it refuses the access for another reason than
// the page tables: because it is misaligned for a vector instruction, or because it is not an address at all (not canonical).
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace hiplz::cpu {

/// The address of the memory operand of the instruction that `code` begins with. `registers` are numbered as in instructions. Nothing
/// if it has none, or if the instruction gathers or scatters, or is one that compilers do not emit.
std::optional<uint64_t> memoryOperand(std::span<const uint8_t> code, std::span<const uint64_t, 16> registers,
                                      uint64_t pc);

} // namespace hiplz::cpu
