// SPDX-License-Identifier: MIT
// Pinning host memory of the application.
#include "lz/memory/host_register.h"
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/graph/capture.h"

using namespace hiplz;

namespace {

// hipExtHostRegisterCoarseGrained has the value of hipHostRegisterReadOnly.
constexpr unsigned kRegisterFlags =
    hipHostRegisterPortable | hipHostRegisterMapped | hipHostRegisterIoMemory | hipHostRegisterReadOnly;

} // namespace

extern "C" {

hipError_t hipHostRegister(void *hostPtr, size_t sizeBytes, unsigned int flags) {
  return HIPLZ_API(hipHostRegister, hostPtr, sizeBytes, flags)([&] {
    HIPLZ_NOT_NULL(hostPtr);
    if (sizeBytes == 0)
      return refuse(hipErrorInvalidValue, "sizeBytes is 0");
    // HIP 7 has uncached memory as well, which for a host means coherent memory.
    if (flags & ~(kRegisterFlags | (followsHip7() ? hipExtHostRegisterUncached : 0)))
      return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know");
    LZCapture::forbidUnsafe();
    LZDevice &device = currentDevice();
    registerHostMemory(device, hostPtr, sizeBytes, flags);
    return hipSuccess;
  });
}

hipError_t hipHostUnregister(void *hostPtr) {
  return HIPLZ_API(hipHostUnregister, hostPtr)([&] {
    if (!hostPtr)
      return refuse(hipErrorInvalidValue, "hostPtr is null");
    LZCapture::forbidUnsafe();
    unregisterHostMemory(hostPtr);
    return hipSuccess;
  });
}

} // extern "C"
