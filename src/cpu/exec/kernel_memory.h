// SPDX-License-Identifier: MIT
// Address space for memory that kernels write: allocations, local memory, stacks, what warps keep across barriers. A kernel that writes
// behind its memory must fault, not damage what the application or the driver keeps there. So each mapping lies between unmapped
// addresses, and all of them in a part of the address space that the system does not use for libraries, heaps or stacks of threads.
//
// Addresses are handed out in rising order, so those of a mapping that is gone are not used again soon: a stale pointer faults, too.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hiplz::cpu {

/// Where memory may be on huge pages. Larger memory is.
constexpr size_t kHugePage = 2 << 20;

size_t pageSize();

/// The purpose of memory, which decides on its addresses.
enum class KernelMemory : uint8_t {
  any,
  tracked,      ///< initcheck tracks its initialization (abi/bit_shadow.h)
  privateMemory ///< variables of work-items: between kPrivateBegin and kPrivateEnd (abi/check_shadow.h)
};

/// Maps private anonymous memory of whole pages with its beginning at a multiple of `alignment`, a power of two. At least 64 KiB before
/// it and behind it stay unmapped, unless the process has so many mappings that the system's limit is near, or the addresses
/// are taken; private memory always has such addresses. Null if that fails. Thread-safe.
std::byte *mapForKernels(size_t bytes, size_t alignment, int protection, KernelMemory purpose = KernelMemory::any);

/// Unmaps it, as a whole. Thread-safe.
void unmapForKernels(std::byte *memory, size_t bytes) noexcept;

} // namespace hiplz::cpu
