// SPDX-License-Identifier: MIT
// Advice for managed memory, its prefetch, and what was said about its ranges. Registered memory may be advised as
// well, and where devices reach all of the host's memory, any memory.
#include "api/api_scope.h"
#include "api/current.h"
#include "base/hip_version.h"
#include "lz/graph/capture.h"

#include <algorithm>
#include <cstring>

using namespace hiplz;

namespace {

bool advisable(const Allocation &memory) {
  return memory.kind == MemoryKind::managed || memory.owner == MemoryOwner::registered;
}

// The memory of a range; an empty allocation stands for memory that HIP did not allocate.
hipError_t findRange(Allocation &memory, const void *pointer, size_t bytes) {
  HIPLZ_NOT_NULL(pointer);
  if (bytes == 0)
    return refuse(hipErrorInvalidValue, "bytes is 0");
  const std::optional<Allocation> known = LZContext::instance().allocations().find(pointer);
  if (!known) {
    const bool fits = reinterpret_cast<uintptr_t>(pointer) <= UINTPTR_MAX / 2 && bytes <= UINTPTR_MAX / 2;
    return fits && currentDevice().reachesAllMemory()
               ? hipSuccess
               : refuse(hipErrorInvalidValue, "the memory is not HIP's, and the device does not reach all memory");
  }
  if (!advisable(*known) || !known->contains(pointer, bytes))
    return refuse(hipErrorInvalidValue, "the range is not managed or registered memory");
  memory = *known;
  return hipSuccess;
}

// Null stands for the host. Throws HipError{hipErrorInvalidDevice}.
LZDevice *location(int device) { return device == hipCpuDeviceId ? nullptr : &LZContext::instance().device(device); }

// True if Level Zero can move the memory to the device.
bool moves(const Allocation &memory, const LZDevice *to) {
  return to && memory.kind == MemoryKind::managed && &memory.device->driver() == &to->driver();
}

hipError_t advise(const void *pointer, size_t bytes, hipMemoryAdvise advice, int device) {
  if (followsHip7())
    LZCapture::forbidUnsafe();
  // AMD's library looks at the device first, and at that of every other advice, even where it does not matter.
  if (advice != hipMemAdviseSetReadMostly && advice != hipMemAdviseUnsetReadMostly)
    location(device);
  Allocation memory;
  if (hipError_t error = findRange(memory, pointer, bytes))
    return error;
  LZContext &context = LZContext::instance();
  LZDevice *const home = memory.device;
  auto note = [&](auto change) { context.ranges().change(memory, pointer, bytes, change); };
  auto tell = [&](LZDevice *to, ze_memory_advice_t what) {
    return moves(memory, to) ? LZDeviceQueues::of(*to).internalQueue().advise(pointer, bytes, what) : hipSuccess;
  };
  switch (advice) {
  case hipMemAdviseSetReadMostly:
  case hipMemAdviseUnsetReadMostly: {
    const bool set = advice == hipMemAdviseSetReadMostly;
    note([&](RangeState &state) { state.readMostly = set; });
    return tell(home, set ? ZE_MEMORY_ADVICE_SET_READ_MOSTLY : ZE_MEMORY_ADVICE_CLEAR_READ_MOSTLY);
  }
  case hipMemAdviseSetPreferredLocation:
  case hipMemAdviseUnsetPreferredLocation: {
    const bool set = advice == hipMemAdviseSetPreferredLocation;
    LZDevice *const to = set ? location(device) : nullptr;
    const int before = context.ranges().common(memory, pointer, bytes).preferred;
    note([&](RangeState &state) { state.preferred = set ? device : hipInvalidDeviceId; });
    if (before >= 0 && before != device)
      if (hipError_t error = tell(&context.device(before), ZE_MEMORY_ADVICE_CLEAR_PREFERRED_LOCATION))
        return error;
    return tell(to, ZE_MEMORY_ADVICE_SET_PREFERRED_LOCATION);
  }
  case hipMemAdviseSetAccessedBy:
  case hipMemAdviseUnsetAccessedBy: {
    note([&](RangeState &state) {
      std::erase(state.accessedBy, device);
      if (advice == hipMemAdviseSetAccessedBy)
        state.accessedBy.push_back(device);
    });
    return hipSuccess; // every device of Level Zero maps shared memory in any case
  }
  case hipMemAdviseSetCoarseGrain:
  case hipMemAdviseUnsetCoarseGrain: {
    const bool set = advice == hipMemAdviseSetCoarseGrain;
    note([&](RangeState &state) {
      state.coherency = set ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
    });
    return tell(home, set ? ZE_MEMORY_ADVICE_SET_NON_ATOMIC_MOSTLY : ZE_MEMORY_ADVICE_CLEAR_NON_ATOMIC_MOSTLY);
  }
  }
  return refuse(hipErrorInvalidValue, "advice is not one of hipMemoryAdvise");
}

hipError_t prefetch(const void *pointer, size_t bytes, int device, LZQueue &queue) {
  Allocation memory;
  if (hipError_t error = findRange(memory, pointer, bytes))
    return error;
  LZDevice *const to = location(device);
  // No command moves memory to the host: it goes there page by page as the host touches it.
  if (moves(memory, to) && &queue.device().driver() == &to->driver())
    if (hipError_t error = queue.prefetch(pointer, bytes, *to))
      return error;
  LZContext::instance().ranges().change(memory, pointer, bytes,
                                        [&](RangeState &state) { state.lastPrefetch = device; });
  return hipSuccess;
}

/// The number of the device that a location means; every place of the host is one. Throws HipError{hipErrorInvalidValue}.
int deviceAt(const hipMemLocation &location) {
  switch (location.type) {
  case hipMemLocationTypeDevice: return location.id;
  case hipMemLocationTypeHost:
  case hipMemLocationTypeHostNuma:
  case hipMemLocationTypeHostNumaCurrent: return hipCpuDeviceId;
  default: throw HipError(hipErrorInvalidValue, "the location is neither a device nor the host");
  }
}

/// The common arguments of functions that take a batch of ranges.
struct Ranges {
  void *const *pointers;
  const size_t *sizes;
  size_t count;
};

/// The stream of a batch whose arguments hold. Throws HipError.
LZQueue &rangesQueue(const Ranges &ranges, unsigned long long flags, hipStream_t stream) {
  if (!ranges.pointers || !ranges.sizes || ranges.count == 0)
    throw HipError(hipErrorInvalidValue, "there are no ranges");
  if (flags != 0)
    throw HipError(hipErrorInvalidValue, "flags is not 0");
  if (!stream)
    throw HipError(hipErrorInvalidValue, "ranges are not prefetched or discarded in the null stream");
  return queueFrom(stream, NullStream::legacy, hipErrorInvalidValue);
}

/// Checks all ranges before something is done with one. Graphs have no nodes for them.
hipError_t checkRanges(const Ranges &ranges, LZQueue &queue) {
  Allocation memory;
  for (size_t index = 0; index < ranges.count; ++index)
    if (hipError_t error = findRange(memory, ranges.pointers[index], ranges.sizes[index]))
      return error;
  return queue.captured() ? LZCapture::refuse(queue) : queue.device().fault();
}

/// The device to which each range goes: of the last location whose index is not above the range's. Throws HipError.
std::vector<int> destinations(size_t count, const hipMemLocation *locations, const size_t *firsts, size_t number) {
  if (!locations || !firsts || number == 0 || number > count || firsts[0] != 0)
    throw HipError(hipErrorInvalidValue, "there are no locations or more than ranges, or the first range has none");
  std::vector<int> devices(count);
  for (size_t index = 0; index < number; ++index) {
    if (firsts[index] >= count || (index != 0 && firsts[index] <= firsts[index - 1]))
      throw HipError(hipErrorInvalidValue, "the indices of locations do not rise, or name a range that is not there");
    const int device = deviceAt(locations[index]);
    if (device != hipCpuDeviceId)
      LZContext::instance().device(device, hipErrorInvalidValue);
    std::fill(devices.begin() + static_cast<ptrdiff_t>(firsts[index]), devices.end(), device);
  }
  return devices;
}

/// Discarding changes nothing beside it: Level Zero has no command that lets contents go, and keeping them is right.
hipError_t prefetchBatch(const Ranges &ranges, const hipMemLocation *locations, const size_t *firsts, size_t number,
                         unsigned long long flags, hipStream_t stream) {
  LZQueue &queue = rangesQueue(ranges, flags, stream);
  const std::vector<int> devices = destinations(ranges.count, locations, firsts, number);
  if (hipError_t error = checkRanges(ranges, queue))
    return error;
  for (size_t index = 0; index < ranges.count; ++index)
    if (hipError_t error = prefetch(ranges.pointers[index], ranges.sizes[index], devices[index], queue))
      return error;
  return hipSuccess;
}

hipError_t discardBatch(const Ranges &ranges, unsigned long long flags, hipStream_t stream) {
  return checkRanges(ranges, rangesQueue(ranges, flags, stream));
}

// Every attribute is a number of four bytes, or several.
bool sizeFits(hipMemRangeAttribute attribute, size_t bytes) {
  switch (attribute) {
  case hipMemRangeAttributeReadMostly:
  case hipMemRangeAttributePreferredLocation:
  case hipMemRangeAttributeLastPrefetchLocation:
  case hipMemRangeAttributeCoherencyMode: return bytes == sizeof(int32_t);
  case hipMemRangeAttributeAccessedBy: return bytes != 0 && bytes % sizeof(int32_t) == 0;
  }
  return false;
}

void store(void *data, size_t bytes, hipMemRangeAttribute attribute, const RangeState &state) {
  int32_t value = 0;
  switch (attribute) {
  case hipMemRangeAttributeReadMostly: value = state.readMostly; break;
  case hipMemRangeAttributePreferredLocation: value = state.preferred; break;
  case hipMemRangeAttributeLastPrefetchLocation: value = state.lastPrefetch; break;
  case hipMemRangeAttributeCoherencyMode: value = state.coherency; break;
  case hipMemRangeAttributeAccessedBy: {
    std::vector<int32_t> devices(bytes / sizeof(int32_t), hipInvalidDeviceId);
    std::copy_n(state.accessedBy.begin(), std::min(devices.size(), state.accessedBy.size()), devices.begin());
    std::memcpy(data, devices.data(), bytes);
    return;
  }
  }
  std::memcpy(data, &value, sizeof value);
}

hipError_t getAttributes(void *const *data, const size_t *sizes, const hipMemRangeAttribute *attributes, size_t count,
                         const void *pointer, size_t bytes) {
  HIPLZ_NOT_NULL(data, sizes, attributes);
  if (count == 0)
    return refuse(hipErrorInvalidValue, "count is 0");
  for (size_t index = 0; index < count; ++index)
    if (!data[index] || !sizeFits(attributes[index], sizes[index]))
      return refuse(hipErrorInvalidValue, "an attribute's destination is null or has the wrong size");
  Allocation memory;
  if (hipError_t error = findRange(memory, pointer, bytes))
    return error;
  const RangeState state = LZContext::instance().ranges().common(memory, pointer, bytes);
  for (size_t index = 0; index < count; ++index)
    store(data[index], sizes[index], attributes[index], state);
  return hipSuccess;
}

// Memory that takes no advice has the coherency that it was allocated with. AMD's library tells it by this function alone, not
// by hipMemRangeGetAttributes.
hipError_t getAttribute(void *data, size_t size, hipMemRangeAttribute attribute, const void *pointer, size_t bytes) {
  if (data && pointer && bytes && attribute == hipMemRangeAttributeCoherencyMode && sizeFits(attribute, size)) {
    const std::optional<Allocation> known = LZContext::instance().allocations().find(pointer);
    if (known && !advisable(*known) && known->contains(pointer, bytes)) {
      const bool coarse = known->kind == MemoryKind::device || known->flags & hipHostMallocNonCoherent;
      RangeState state;
      state.coherency = coarse ? hipMemRangeCoherencyModeCoarseGrain : hipMemRangeCoherencyModeFineGrain;
      store(data, size, attribute, state);
      return hipSuccess;
    }
  }
  return getAttributes(&data, &size, &attribute, 1, pointer, bytes);
}

} // namespace

extern "C" {

hipError_t hipMemAdvise(const void *dev_ptr, size_t count, hipMemoryAdvise advice, int device) {
  return HIPLZ_API(hipMemAdvise, dev_ptr, count, advice,
                   device)([&] { return advise(dev_ptr, count, advice, device); });
}

hipError_t hipMemPrefetchAsync(const void *dev_ptr, size_t count, int device, hipStream_t stream) {
  return HIPLZ_API(hipMemPrefetchAsync, dev_ptr, count, device,
                   stream)([&] { return prefetch(dev_ptr, count, device, queueFrom(stream)); });
}

hipError_t hipMemAdvise_v2(const void *dev_ptr, size_t count, hipMemoryAdvise advice, hipMemLocation location) {
  return HIPLZ_API(hipMemAdvise_v2, dev_ptr, count, advice,
                   location)([&] { return advise(dev_ptr, count, advice, deviceAt(location)); });
}

hipError_t hipMemPrefetchAsync_v2(const void *dev_ptr, size_t count, hipMemLocation location, unsigned int flags,
                                  hipStream_t stream) {
  return HIPLZ_API(hipMemPrefetchAsync_v2, dev_ptr, count, location, flags, stream)([&] {
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    return prefetch(dev_ptr, count, deviceAt(location), queueFrom(stream));
  });
}

hipError_t hipMemPrefetchBatchAsync(void **dev_ptrs, size_t *sizes, size_t count, hipMemLocation *prefetch_locs,
                                    size_t *prefetch_loc_idxs, size_t num_prefetch_locs, unsigned long long flags,
                                    hipStream_t stream) {
  return HIPLZ_API(hipMemPrefetchBatchAsync, dev_ptrs, sizes, count, prefetch_locs, prefetch_loc_idxs,
                   num_prefetch_locs, flags, stream)([&] {
    return prefetchBatch({dev_ptrs, sizes, count}, prefetch_locs, prefetch_loc_idxs, num_prefetch_locs, flags, stream);
  });
}

hipError_t hipMemDiscardBatchAsync(void **dev_ptrs, size_t *sizes, size_t count, unsigned long long flags,
                                   hipStream_t stream) {
  return HIPLZ_API(hipMemDiscardBatchAsync, dev_ptrs, sizes, count, flags, stream)([&] {
    return discardBatch({dev_ptrs, sizes, count}, flags, stream);
  });
}

hipError_t hipDrvMemDiscardBatchAsync(hipDeviceptr_t *dptrs, size_t *sizes, size_t count, unsigned long long flags,
                                      hipStream_t stream) {
  return HIPLZ_API(hipDrvMemDiscardBatchAsync, dptrs, sizes, count, flags, stream)([&] {
    return discardBatch({dptrs, sizes, count}, flags, stream);
  });
}

hipError_t hipMemDiscardAndPrefetchBatchAsync(void **dptrs, size_t *sizes, size_t count, hipMemLocation *prefetchLocs,
                                              size_t *prefetchLocIdxs, size_t numPrefetchLocs, unsigned long long flags,
                                              hipStream_t stream) {
  return HIPLZ_API(hipMemDiscardAndPrefetchBatchAsync, dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                   numPrefetchLocs, flags, stream)([&] {
    return prefetchBatch({dptrs, sizes, count}, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  });
}

hipError_t hipDrvMemDiscardAndPrefetchBatchAsync(hipDeviceptr_t *dptrs, size_t *sizes, size_t count,
                                                 hipMemLocation *prefetchLocs, size_t *prefetchLocIdxs,
                                                 size_t numPrefetchLocs, unsigned long long flags, hipStream_t stream) {
  return HIPLZ_API(hipDrvMemDiscardAndPrefetchBatchAsync, dptrs, sizes, count, prefetchLocs, prefetchLocIdxs,
                   numPrefetchLocs, flags, stream)([&] {
    return prefetchBatch({dptrs, sizes, count}, prefetchLocs, prefetchLocIdxs, numPrefetchLocs, flags, stream);
  });
}

hipError_t hipMemRangeGetAttribute(void *data, size_t data_size, hipMemRangeAttribute attribute, const void *dev_ptr,
                                   size_t count) {
  return HIPLZ_API(hipMemRangeGetAttribute, data, data_size, attribute, dev_ptr,
                   count)([&] { return getAttribute(data, data_size, attribute, dev_ptr, count); });
}

hipError_t hipMemRangeGetAttributes(void **data, size_t *data_sizes, hipMemRangeAttribute *attributes,
                                    size_t num_attributes, const void *dev_ptr, size_t count) {
  return HIPLZ_API(hipMemRangeGetAttributes, data, data_sizes, attributes, num_attributes, dev_ptr,
                   count)([&] { return getAttributes(data, data_sizes, attributes, num_attributes, dev_ptr, count); });
}

} // extern "C"
