// SPDX-License-Identifier: MIT
// The calls behind ZeMemory, out of line: owners of memory are destroyed in src/api too, which calls no Level Zero.
#include "lz/core/ze_memory.h"
#include "lz/core/error.h"

namespace hiplz {

ZeMemory ZeMemory::onDevice(ze_context_handle_t context, ze_device_handle_t device, size_t bytes, size_t alignment) {
  const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  LZ_CALL(zeMemAllocDevice, (context, &description, bytes, alignment, device, &memory));
  return {context, memory};
}

ZeMemory ZeMemory::onHost(ze_context_handle_t context, size_t bytes, size_t alignment) {
  const ze_host_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *memory = nullptr;
  LZ_CALL(zeMemAllocHost, (context, &description, bytes, alignment, &memory));
  return {context, memory};
}

ze_result_t ZeMemory::reset() noexcept {
  return memory_ ? zeMemFree(context_, std::exchange(memory_, nullptr)) : ZE_RESULT_SUCCESS;
}

} // namespace hiplz
