// SPDX-License-Identifier: MIT
// The extension structures with which memory is exported and imported as a file descriptor.
#pragma once
#include "cpu/objects/shared_file.h"

#include <level_zero/ze_api.h>

namespace hiplz::cpu::ddi {

/// Both are descriptors of files that can be mapped. What is exported as a dma_buf is an anonymous file as well: other
/// processes, and whatever maps descriptors, take it for one, drivers of the kernel that ask for a dma_buf do not. Of
/// imported dma_bufs the mapping counts, which on these processors is coherent.
constexpr ze_external_memory_type_flags_t kExternalMemoryTypes =
    ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD | ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF;

/// True if the extensions of a descriptor ask for exportable memory. Throws Error(UNSUPPORTED_ENUMERATION) for types that
/// there are not.
bool isExportWanted(const void *extensions);

/// The file that the extensions of a descriptor ask to import, of which the caller keeps its descriptor; null if they ask
/// for none. Throws Error.
std::shared_ptr<SharedFile> importedFile(const void *extensions, size_t bytes);

/// True if a query is for a descriptor.
bool isDescriptorWanted(const void *extensions);

/// Fills an export structure in the extensions of a query. The descriptor stays the driver's, like Intel's: it is valid as
/// long as the memory, and a caller who wants to keep it duplicates it. Throws Error(INVALID_ARGUMENT) if the memory has
/// not been made for it.
void exportDescriptor(void *extensions, const SharedFile *file, bool exportable);

} // namespace hiplz::cpu::ddi
