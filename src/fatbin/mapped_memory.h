// SPDX-License-Identifier: MIT
// How far a pointer may be read, for images that come without their size.
#pragma once
#include <cstddef>
#include <span>

namespace hiplz {

/// The bytes from `address` to the end of the readable memory that it lies in, as the kernel has it mapped now; empty if
/// it lies in none. If the kernel does not tell (no /proc), the sizes inside the data must be trusted: the result then has
/// the largest possible size.
std::span<const std::byte> readableBytes(const void *address);

} // namespace hiplz
