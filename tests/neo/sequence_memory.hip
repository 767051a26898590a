// SPDX-License-Identifier: MIT
// Allocation in stream order, virtual memory and exports of memory and events on Intel's driver in capture mode. Nothing is
// executed, so no data is looked at. Without hardware the driver refuses some exports: then the runtime must say so.
#include "sequence.h"

#include <unistd.h>
#include <vector>

namespace {

__global__ void touch(char *data, size_t bytes) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < bytes)
    data[i] = 1;
}

constexpr size_t kMiB = 1 << 20;

// hipSuccess, or that the driver cannot do it.
#define TAKEN_OR_NOT_SUPPORTED(call)                                                                                   \
  [&] {                                                                                                                \
    const hipError_t error = (call);                                                                                   \
    if (error != hipSuccess && error != hipErrorNotSupported) {                                                        \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, hipGetErrorName(error));                               \
      std::exit(1);                                                                                                    \
    }                                                                                                                  \
    if (error)                                                                                                         \
      std::printf("%s: not supported by this driver\n", #call);                                                        \
    return error == hipSuccess;                                                                                        \
  }()

int pools() {
  hipStream_t a, b;
  hipEvent_t event;
  MUST(hipStreamCreateWithFlags(&a, hipStreamNonBlocking));
  MUST(hipStreamCreate(&b));
  MUST(hipEventCreateWithFlags(&event, hipEventDisableTiming));
  hipMemPool_t pool;
  hipMemPoolProps properties{};
  properties.allocType = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  MUST(hipMemPoolCreate(&pool, &properties));
  for (size_t bytes : {size_t{100}, 64 * size_t{1024}, kMiB, 3 * kMiB, 40 * kMiB})
    for (hipStream_t stream : {a, b, static_cast<hipStream_t>(nullptr)})
      for (hipStream_t other : {b, a}) {
        char *first = nullptr, *second = nullptr;
        MUST(hipMallocAsync(reinterpret_cast<void **>(&first), bytes, stream));
        MUST(hipMallocFromPoolAsync(reinterpret_cast<void **>(&second), bytes, pool, stream));
        touch<<<1, 64, 0, stream>>>(first, bytes);
        MUST(hipMemcpyAsync(second, first, bytes, hipMemcpyDeviceToDevice, stream));
        MUST(hipFreeAsync(first, stream));
        MUST(hipEventRecord(event, stream));
        MUST(hipStreamWaitEvent(other, event, 0));
        touch<<<1, 64, 0, other>>>(second, bytes);
        MUST(hipFreeAsync(second, other));
        MUST(hipMalloc(reinterpret_cast<void **>(&first), bytes));
        touch<<<1, 64, 0, other>>>(first, bytes);
        MUST(hipFree(first));
      }
  MUST(hipDeviceSynchronize());
  MUST(hipMemPoolTrimTo(pool, 0));
  uint64_t reserved = 1;
  MUST(hipMemPoolGetAttribute(pool, hipMemPoolAttrReservedMemCurrent, &reserved));
  if (reserved != 0) {
    std::printf("%llu bytes are left in an empty pool\n", static_cast<unsigned long long>(reserved));
    return 1;
  }
  MUST(hipMemPoolDestroy(pool));
  MUST(hipEventDestroy(event));
  MUST(hipStreamDestroy(a));
  MUST(hipStreamDestroy(b));
  return 0;
}

int virtualMemory() {
  hipMemAllocationProp properties{};
  properties.type = hipMemAllocationTypePinned;
  properties.location = {hipMemLocationTypeDevice, 0};
  size_t minimum = 0, part = 0;
  if (!TAKEN_OR_NOT_SUPPORTED(
          hipMemGetAllocationGranularity(&minimum, &properties, hipMemAllocationGranularityMinimum)))
    return 0;
  MUST(hipMemGetAllocationGranularity(&part, &properties, hipMemAllocationGranularityRecommended));
  std::printf("granularity %zu, %zu\n", minimum, part);
  void *range = nullptr;
  hipMemGenericAllocationHandle_t handle;
  if (!TAKEN_OR_NOT_SUPPORTED(hipMemAddressReserve(&range, 2 * part, 0, nullptr, 0)))
    return 0;
  if (TAKEN_OR_NOT_SUPPORTED(hipMemCreate(&handle, part, &properties, 0))) {
    // Newer drivers make mapped memory resident at once, which they cannot without a device if no capture is written.
    if (hipMemMap(range, part, 0, handle, 0) == hipErrorNotInitialized) {
      std::printf("hipMemMap: not in capture mode\n");
    } else {
      MUST(hipGetLastError());
      hipMemAccessDesc access{properties.location, hipMemAccessFlagsProtReadWrite};
      MUST(hipMemSetAccess(range, part, &access, 1));
      touch<<<1, 64>>>(static_cast<char *>(range), part);
      MUST(hipMemset(range, 0, part));
      MUST(hipMemUnmap(range, part));
    }
    MUST(hipMemRelease(handle));
  }
  MUST(hipMemAddressFree(range, 2 * part));
  properties.requestedHandleType = hipMemHandleTypePosixFileDescriptor;
  if (TAKEN_OR_NOT_SUPPORTED(hipMemCreate(&handle, part, &properties, 0))) {
    int descriptor = -1;
    if (TAKEN_OR_NOT_SUPPORTED(
            hipMemExportToShareableHandle(&descriptor, handle, hipMemHandleTypePosixFileDescriptor, 0)))
      close(descriptor);
    MUST(hipMemRelease(handle));
  }
  return 0;
}

int exports() {
  void *memory = nullptr;
  MUST(hipMalloc(&memory, kMiB));
  hipIpcMemHandle_t handle;
  if (TAKEN_OR_NOT_SUPPORTED(hipIpcGetMemHandle(&handle, memory)))
    if (hipIpcOpenMemHandle(&memory, handle, 0) != hipErrorInvalidContext) {
      std::printf("memory of the same process was opened\n");
      return 1;
    }
  MUST(hipFree(memory));
  hipEvent_t event;
  if (TAKEN_OR_NOT_SUPPORTED(hipEventCreateWithFlags(&event, hipEventInterprocess | hipEventDisableTiming))) {
    hipIpcEventHandle_t eventHandle;
    MUST(hipIpcGetEventHandle(&eventHandle, event));
    for (int i = 0; i < 40; ++i)
      MUST(hipEventRecord(event, nullptr));
    MUST(hipEventSynchronize(event));
    MUST(hipEventDestroy(event));
  }
  return 0;
}

} // namespace

int main() {
  if (int code = requireIntel())
    return code;
  if (pools() || virtualMemory() || exports())
    return 1;
  std::printf("all calls were taken\n");
  return 0;
}
