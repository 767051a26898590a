// SPDX-License-Identifier: MIT
// Specialisation constants: what the caller of zeModuleCreate gives as pointers becomes text, which goes to the compiler, and into
// the key under which its results are kept, as a part of the build flags.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>

namespace hiplz::cpu {

/// Values by identifier (the decoration SpecId), with zeros above the constant's own bytes.
using SpecConstants = std::map<uint32_t, uint64_t>;

/// Reads the values of the module's specialisation constants among the identifiers; how many bytes a value has follows from the
/// constant's type. Identifiers that the module does not have are left out, as SPIR-V says. `values` are not null.
SpecConstants readSpecConstants(std::span<const std::byte> spirv, std::span<const uint32_t> identifiers,
                                std::span<const void *const> values);

/// Build flags that carry the values, each with a blank before it; nothing for none.
std::string specConstantFlags(const SpecConstants &constants);

/// Adds what a flag carries, without its name; false if it is malformed.
bool parseSpecConstant(std::string_view value, SpecConstants &constants);

} // namespace hiplz::cpu
