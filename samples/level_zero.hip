// SPDX-License-Identifier: MIT
// Level Zero and HIP in one program, without a copy between them: Level Zero allocates memory and fills it, a HIP kernel
// works on it, Level Zero reads the result. Events of one side order the other; the host waits once, at the end.
#include "common.h"

#include <hiplz/interop.h>

#define ZE_CHECK(call)                                                                                                 \
  do {                                                                                                                 \
    const ze_result_t zeCheckResult = (call);                                                                          \
    if (zeCheckResult != ZE_RESULT_SUCCESS) {                                                                          \
      std::fprintf(stderr, "%s:%d: %s: 0x%x\n", __FILE__, __LINE__, #call, static_cast<unsigned>(zeCheckResult));      \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
  } while (0)

__global__ void square(float *data, int count) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index < count)
    data[index] = data[index] * data[index] + index;
}

int main() {
  constexpr int kCount = 1 << 20;
  constexpr size_t kBytes = kCount * sizeof(float);

  // Everything shared lives in the context that HIP uses.
  ze_device_handle_t device;
  ze_context_handle_t context;
  HIP_CHECK(hiplzGetNativeDevice(0, &device));
  HIP_CHECK(hiplzGetNativeContext(0, &context));

  // The Level Zero part: memory, a list, and two events.
  const ze_device_mem_alloc_desc_t memoryDescription{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  ZE_CHECK(zeMemAllocDevice(context, &memoryDescription, kBytes, 64, device, &memory));
  ze_command_queue_desc_t queueDescription{};
  queueDescription.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC;
  queueDescription.mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS;
  ze_command_list_handle_t list;
  ZE_CHECK(zeCommandListCreateImmediate(context, device, &queueDescription, &list));
  const ze_event_pool_desc_t poolDescription{ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, nullptr,
                                             ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 2};
  ze_event_pool_handle_t pool;
  ZE_CHECK(zeEventPoolCreate(context, &poolDescription, 1, &device, &pool));
  ze_event_handle_t filled, read;
  ze_event_desc_t eventDescription{ZE_STRUCTURE_TYPE_EVENT_DESC, nullptr, 0, ZE_EVENT_SCOPE_FLAG_HOST,
                                   ZE_EVENT_SCOPE_FLAG_DEVICE};
  ZE_CHECK(zeEventCreate(pool, &eventDescription, &filled));
  eventDescription.index = 1;
  ZE_CHECK(zeEventCreate(pool, &eventDescription, &read));
  const float three = 3.0f;
  ZE_CHECK(zeCommandListAppendMemoryFill(list, memory, &three, sizeof three, kBytes, filled, 0, nullptr));

  // The HIP part: the memory and the event under HIP's names. Both stay the application's.
  HIP_CHECK(hiplzCreateMemoryFromNative(memory, hiplzOwnershipKeep));
  hipEvent_t isFilled, isSquared;
  HIP_CHECK(hiplzCreateEventFromNative(&isFilled, 0, filled, hiplzOwnershipKeep));
  HIP_CHECK(hipEventCreateWithFlags(&isSquared, hipEventDisableTiming));
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipStreamWaitEvent(stream, isFilled, 0));
  square<<<(kCount + 255) / 256, 256, 0, stream>>>(static_cast<float *>(memory), kCount);
  HIP_CHECK(hipGetLastError());
  HIP_CHECK(hipEventRecord(isSquared, stream));

  // Level Zero again: it waits for HIP's event.
  ze_event_handle_t squared;
  HIP_CHECK(hiplzGetNativeEvent(isSquared, &squared));
  std::vector<float> result(kCount);
  ZE_CHECK(zeCommandListAppendMemoryCopy(list, result.data(), memory, kBytes, read, 1, &squared));
  ZE_CHECK(zeEventHostSynchronize(read, UINT64_MAX));

  bool passed = true;
  for (int index = 0; index < kCount; ++index)
    passed = passed && result[index] == 9.0f + static_cast<float>(index);

  // First HIP's objects, then what they were made from.
  HIP_CHECK(hipStreamDestroy(stream));
  HIP_CHECK(hipEventDestroy(isSquared));
  HIP_CHECK(hipEventDestroy(isFilled));
  HIP_CHECK(hiplzReleaseNativeMemory(memory));
  ZE_CHECK(zeEventDestroy(filled));
  ZE_CHECK(zeEventDestroy(read));
  ZE_CHECK(zeEventPoolDestroy(pool));
  ZE_CHECK(zeCommandListDestroy(list));
  ZE_CHECK(zeMemFree(context, memory));
  return sample::report("level_zero", passed, kBytes / 1e6, "MB");
}
