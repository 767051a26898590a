// SPDX-License-Identifier: MIT
// Which bytes of the memory for kernels (exec/kernel_memory.h) they may access: one byte of shadow for eight bytes of memory, as
// AddressSanitizer has it, but with the opposite default: memory that nobody has allowed is forbidden. A shadow byte is the number of bytes
// from the beginning of its eight that are allowed, or kOwn for all of them.
#pragma once
#include "cpu/abi/check_shadow.h"

#include <cstddef>
#include <cstdint>

namespace hiplz::cpu::check {

/// Allows or forbids a range. Without effect if there is no shadow or the range is elsewhere. The range begins at a multiple of eight.
void allow(const void *begin, size_t bytes);
/// For memory of the driver's own, such as the stacks of work-items, in which there are no races.
void allowOwn(const void *begin, size_t bytes);
void forbid(const void *begin, size_t bytes);

inline bool inRegion(const void *address) {
  return reinterpret_cast<uintptr_t>(address) - kRegionBegin < kRegionEnd - kRegionBegin;
}

/// True if the shadow is there, and so code may look at it by itself. Without memcheck and racecheck it is not.
bool hasShadow();

/// True for the variables of work-items.
inline bool isPrivate(const void *address) {
  return reinterpret_cast<uintptr_t>(address) - kPrivateBegin < kPrivateEnd - kPrivateBegin;
}

/// True if allowOwn() has allowed the byte, or if it is a variable's of a work-item.
bool isOwn(const void *address);

/// True if all bytes are allowed. The range is in the region.
bool isAllowed(const void *address, size_t bytes);

} // namespace hiplz::cpu::check
