// SPDX-License-Identifier: MIT
// Private memory becomes memory that another process can map, when somebody asks for an IPC handle of it. Only then: the
// pages of files are not huge pages on most systems, and memory on small pages is slower for everybody.
#pragma once
#include "cpu/objects/shared_file.h"

namespace hiplz::cpu {

/// Moves `bytes` (whole pages) of private readable and writable memory into a new file, mapped at the same addresses.
/// Threads may use the memory meanwhile: they wait before they write. System calls that write it fail meanwhile with
/// EFAULT. One call at a time. Throws Error(OUT_OF_HOST_MEMORY); the memory is intact then.
std::shared_ptr<SharedFile> moveIntoFile(std::byte *base, size_t bytes);

} // namespace hiplz::cpu
