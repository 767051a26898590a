// SPDX-License-Identifier: MIT
// Memory that kernels allocate with malloc or new (include/hip/spirv/malloc.h): which blocks there are and where they came from. A freed
// block is kept back for a while, so that later uses are found. Any thread may call the functions.
#pragma once
#include "base/check_report.h"

#include <cstddef>
#include <functional>

namespace hiplz::cpu::check {

/// True if the address is in a block that has been freed and not allocated again.
bool wasFreedOnHeap(const void *address);

/// Describes an address in or near a block of the heap. False if there is no such block.
bool describeHeapAddress(const void *address, CheckReport &report);

/// The memory of a heap begins here.
void addHeap(const void *begin, size_t bytes);
/// Memory that begins here is gone. If it was a heap, so are its blocks.
void forgetHeap(const void *begin);

/// Calls `report` for each place in a kernel whose blocks have not been freed.
void forEachHeapLeak(const std::function<void(CheckReport)> &report);

} // namespace hiplz::cpu::check
