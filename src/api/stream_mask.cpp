// SPDX-License-Identifier: MIT
// Streams on some of the compute units. Level Zero gives a stream all of them, so only a mask with all of them is
// accepted.
#include "api/api_scope.h"
#include "api/current.h"

using namespace hiplz;

namespace {

constexpr uint32_t kMaskBits = 32;

/// The word of a mask in which each compute unit of the device has a bit.
uint32_t allUnits(const LZDevice &device, uint32_t word) {
  const uint32_t units = device.multiprocessors(), first = word * kMaskBits;
  if (first >= units)
    return 0;
  return units - first >= kMaskBits ? UINT32_MAX : (1u << (units - first)) - 1;
}

} // namespace

extern "C" {

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t cuMaskSize, const uint32_t *cuMask) {
  return HIPLZ_API(hipExtStreamCreateWithCUMask, stream, cuMaskSize, cuMask)([&] {
    if (!stream)
      return refuse(hipErrorInvalidHandle, "stream is null");
    HIPLZ_NOT_NULL(cuMask);
    if (cuMaskSize == 0)
      return refuse(hipErrorInvalidValue, "cuMaskSize is 0");
    LZDevice &device = currentDevice();
    for (uint32_t word = 0; word * kMaskBits < device.multiprocessors(); ++word) {
      const uint32_t all = allUnits(device, word);
      if (word >= cuMaskSize || (cuMask[word] & all) != all)
        throw HipError(hipErrorNotSupported,
                       "a stream uses all compute units of its device: Level Zero cannot restrict it");
    }
    *stream = toHandle(LZDeviceQueues::of(device).createQueue(hipStreamDefault, 0));
    return hipSuccess;
  });
}

hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask) {
  return HIPLZ_API(hipExtStreamGetCUMask, stream, cuMaskSize, cuMask)([&] {
    const LZDevice &device = queueFrom(stream).device();
    HIPLZ_NOT_NULL(cuMask);
    if (uint64_t{cuMaskSize} * kMaskBits < device.multiprocessors())
      return refuse(hipErrorInvalidValue, "cuMaskSize is too small for the device");
    for (uint32_t word = 0; word < cuMaskSize; ++word)
      cuMask[word] = allUnits(device, word);
    return hipSuccess;
  });
}

} // extern "C"
