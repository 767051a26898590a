// SPDX-License-Identifier: MIT
// Semaphores of other APIs in a stream.
#include "lz/core/external_semaphores.h"
#include "lz/memory/external.h"
#include "lz/stream/queue.h"

#include <vector>

namespace hiplz {

hipError_t LZQueue::useSemaphores(std::span<LZExternalSemaphore *const> semaphores, std::span<const uint64_t> values,
                                  bool signals) {
  const auto append = device_.driver().function<ZeAppendExternalSemaphores>(
      signals ? "zeCommandListAppendSignalExternalSemaphoreExt" : "zeCommandListAppendWaitExternalSemaphoreExt",
      kZeExternalSemaphoresExtension);
  if (!append)
    return refuse(hipErrorNotSupported, "the driver does not support external semaphores");
  std::vector<void *> handles;
  std::vector<ZeExternalSemaphoreParams> parameters;
  for (size_t index = 0; index < semaphores.size(); ++index) {
    if (&semaphores[index]->device().driver() != &device_.driver())
      return refuse(hipErrorInvalidValue, "the semaphore and the stream belong to different drivers");
    handles.push_back(semaphores[index]->native());
    parameters.push_back(
        {signals ? kZeExternalSemaphoreSignalParams : kZeExternalSemaphoreWaitParams, nullptr, values[index]});
  }
  return submit([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    ze_event_handle_t wait = waitCount ? append.as(*waits) : nullptr;
    return append(appender_.listLocked(), static_cast<uint32_t>(handles.size()), handles.data(), parameters.data(),
                  signal, waitCount, waitCount ? &wait : nullptr);
  });
}

} // namespace hiplz
