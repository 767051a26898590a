// SPDX-License-Identifier: MIT
// The extension "external semaphores" of Level Zero 1.12, which the installed headers lack. Its functions are found by name
// (LZDriver::function).
#pragma once
#include "lz/core/ze_extensions.h"

#include <cstdint>

namespace hiplz {

inline constexpr char kZeExternalSemaphoresExtension[] = "ZE_extension_external_semaphores";
inline constexpr uint32_t kZeExternalSemaphoreDesc = 0x20022, kZeExternalSemaphoreFdDesc = 0x20024,
                          kZeExternalSemaphoreSignalParams = 0x20025, kZeExternalSemaphoreWaitParams = 0x20026;
inline constexpr uint32_t kZeExternalSemaphoreOpaqueFd = 1 << 0, kZeExternalSemaphoreTimelineFd = 1 << 7;

struct ZeExternalSemaphoreFd {
  uint32_t structureType;
  const void *next;
  int fd;
};
struct ZeExternalSemaphoreDesc {
  uint32_t structureType;
  const void *next;
  uint32_t flags;
};
struct ZeExternalSemaphoreParams {
  uint32_t structureType;
  const void *next;
  uint64_t value;
};
using ZeImportExternalSemaphore = ze_result_t(ZE_APICALL *)(ze_device_handle_t, const ZeExternalSemaphoreDesc *,
                                                            void **);
using ZeReleaseExternalSemaphore = ze_result_t(ZE_APICALL *)(void *);
using ZeAppendExternalSemaphores = ze_result_t(ZE_APICALL *)(ze_command_list_handle_t, uint32_t, void **,
                                                             ZeExternalSemaphoreParams *, ze_event_handle_t, uint32_t,
                                                             ze_event_handle_t *);

} // namespace hiplz
