// SPDX-License-Identifier: MIT
// See external_memory.h.
#include "cpu/ddi/external_memory.h"
#include "cpu/ddi/api.h"

#include <bit>

namespace hiplz::cpu::ddi {
namespace {
template <class T> const T *extension(const void *chain, ze_structure_type_t type) {
  return findInChain<const T>(const_cast<void *>(chain), type);
}

/// A descriptor is of one type.
void requireOneType(ze_external_memory_type_flags_t types) {
  require(std::has_single_bit(types) && (types & kExternalMemoryTypes), ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION,
          "external memory is a descriptor of one of the types that the device lists");
}
} // namespace

bool isExportWanted(const void *extensions) {
  auto *wanted = extension<ze_external_memory_export_desc_t>(extensions, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_DESC);
  if (!wanted)
    return false;
  require((wanted->flags & ~kExternalMemoryTypes) == 0, ZE_RESULT_ERROR_UNSUPPORTED_ENUMERATION);
  return wanted->flags != 0;
}

std::shared_ptr<SharedFile> importedFile(const void *extensions, size_t bytes) {
  require(
      !extension<ze_external_memory_import_win32_handle_t>(extensions, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_WIN32),
      ZE_RESULT_ERROR_UNSUPPORTED_FEATURE);
  auto *wanted = extension<ze_external_memory_import_fd_t>(extensions, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD);
  if (!wanted)
    return nullptr;
  requireOneType(wanted->flags);
  require(bytes != 0, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
  return SharedFile::import(wanted->fd, bytes);
}

bool isDescriptorWanted(const void *extensions) {
  return extension<ze_external_memory_export_fd_t>(extensions, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
}

void exportDescriptor(void *extensions, const SharedFile *file, bool exportable) {
  auto *out = findInChain<ze_external_memory_export_fd_t>(extensions, ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_EXPORT_FD);
  if (!out)
    return;
  requireOneType(out->flags);
  require(file && exportable, ZE_RESULT_ERROR_INVALID_ARGUMENT);
  out->fd = file->descriptor();
}

} // namespace hiplz::cpu::ddi
