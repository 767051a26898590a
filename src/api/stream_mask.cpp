// SPDX-License-Identifier: MIT
// Streams on some of the compute units. The CPU device can restrict streams: its units are worker threads, which are not bound to
// processors, so what counts is how many there are. Other drivers take masks with all units alone.
#include "api/api_scope.h"
#include "api/current.h"
#include "lz/device/unit_set.h"

#include <algorithm>

using namespace hiplz;

extern "C" {

hipError_t hipExtStreamCreateWithCUMask(hipStream_t *stream, uint32_t cuMaskSize, const uint32_t *cuMask) {
  return HIPLZ_API(hipExtStreamCreateWithCUMask, stream, cuMaskSize, cuMask)([&] {
    if (!stream)
      return refuse(hipErrorInvalidHandle, "stream is null");
    HIPLZ_NOT_NULL(cuMask);
    if (cuMaskSize == 0)
      return refuse(hipErrorInvalidValue, "cuMaskSize is 0");
    LZDevice &device = currentDevice();
    const std::vector<uint32_t> all = UnitSet::allOf(device);
    // Units that are not mentioned are off, bits without a unit mean nothing. No unit at all means all of them.
    std::vector<uint32_t> mask(all.size());
    for (size_t word = 0; word < std::min<size_t>(all.size(), cuMaskSize); ++word)
      mask[word] = cuMask[word] & all[word];
    if (mask == all || std::all_of(mask.begin(), mask.end(), [](uint32_t word) { return word == 0; }))
      mask.clear();
    *stream = toHandle(LZDeviceQueues::of(device).createQueue(hipStreamDefault, 0, std::move(mask)));
    return hipSuccess;
  });
}

hipError_t hipExtStreamGetCUMask(hipStream_t stream, uint32_t cuMaskSize, uint32_t *cuMask) {
  return HIPLZ_API(hipExtStreamGetCUMask, stream, cuMaskSize, cuMask)([&] {
    const LZQueue &queue = anyQueueFrom(stream);
    HIPLZ_NOT_NULL(cuMask);
    const std::vector<uint32_t> mask = queue.unitMask().empty() ? UnitSet::allOf(queue.device()) : queue.unitMask();
    if (cuMaskSize < mask.size())
      return refuse(hipErrorInvalidValue, "cuMaskSize is too small for the device");
    std::fill(std::copy(mask.begin(), mask.end(), cuMask), cuMask + cuMaskSize, 0);
    return hipSuccess;
  });
}

} // extern "C"
