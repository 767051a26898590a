// SPDX-License-Identifier: MIT
// Resources of devices, which are compute units alone, and execution contexts with streams on some of them: additions of HIP 7.14.
#include "lz/stream/execution_context.h"
#include "api/api_scope.h"
#include "api/current.h"

#include <algorithm>
#include <atomic>
#include <cstring>

using namespace hiplz;

namespace {

/// Units are independent of each other, so each count of them is a part.
constexpr uint32_t kAlignment = 1;

/// The runtime's data in the padding of a resource.
struct Tag {
  uint32_t units;  ///< UnitSet::number()
  uint32_t family; ///< the split that made it; 0: none
  uint32_t isRemainder;
};

hipDevResource makeResource(const UnitSet &units, uint32_t family = 0, uint32_t alignment = kAlignment,
                            uint32_t flags = 0, bool isRemainder = false) {
  hipDevResource resource{};
  resource.type = hipDevResourceTypeSm;
  resource.sm = {units.count(), alignment, alignment, flags};
  const Tag tag{units.number(), family, isRemainder};
  std::memcpy(resource._internal_padding, &tag, sizeof tag);
  return resource;
}

Tag tagOf(const hipDevResource &resource) {
  Tag tag;
  std::memcpy(&tag, resource._internal_padding, sizeof tag);
  return tag;
}

/// The units of a resource that one of the functions below has made. Throws HipError.
const UnitSet &unitsOf(const hipDevResource &resource) {
  if (resource.type != hipDevResourceTypeSm)
    throw HipError(hipErrorInvalidResourceType, "the resource has no compute units");
  const UnitSet *units = UnitSet::find(tagOf(resource).units);
  if (!units || units->count() != resource.sm.smCount || units->count() == 0 || resource.sm.smCoscheduledAlignment == 0)
    throw HipError(hipErrorInvalidResourceConfiguration, "the resource does not come from the runtime");
  return *units;
}

uint32_t nextFamily() {
  static std::atomic<uint32_t> last{0};
  uint32_t next;
  do
    next = last.fetch_add(1, std::memory_order_relaxed) + 1;
  while (next == 0);
  return next;
}

void storeRemainder(hipDevResource *remainder, const UnitSet &units, uint32_t used, uint32_t family) {
  if (!remainder)
    return;
  if (used == units.count())
    *remainder = {};
  else
    *remainder = makeResource(units.part(used, units.count() - used), family, kAlignment, 0, true);
}

void requireUnits(hipDevResourceType type) {
  if (type != hipDevResourceTypeSm)
    throw HipError(hipErrorInvalidResourceType, "devices have no resources but compute units");
}

LZExecutionContext &executionContextFrom(hipExecutionCtx_t handle) {
  LZExecutionContext *context = LZContext::existing() ? LZExecutionContext::find(handle) : nullptr;
  if (!context)
    throw HipError(hipErrorInvalidValue, "the execution context does not exist, or it has been destroyed");
  return *context;
}

hipError_t splitByCount(hipDevResource *result, unsigned &groups, const hipDevResource &input,
                        hipDevResource *remainder, unsigned flags, unsigned minCount) {
  const UnitSet &units = unitsOf(input);
  if (flags & hipDevSmResourceSplitIgnoreSmCoscheduling)
    return refuse(hipErrorNotSupported, "hipDevSmResourceSplitIgnoreSmCoscheduling is not supported");
  if (flags & ~unsigned{hipDevSmResourceSplitMaxPotentialClusterSize})
    return refuse(hipErrorInvalidValue, "flags has bits that HIP does not know");
  const uint64_t alignment = input.sm.smCoscheduledAlignment;
  const uint64_t size = (std::max<uint64_t>(minCount, 1) + alignment - 1) / alignment * alignment;
  const auto possible = static_cast<uint32_t>(units.count() / size);
  if (!result) {
    groups = possible;
    return hipSuccess;
  }
  groups = std::min(groups, possible);
  const uint32_t family = nextFamily();
  uint32_t used = 0;
  for (unsigned group = 0; group < groups; ++group, used += static_cast<uint32_t>(size))
    result[group] =
        makeResource(units.part(used, static_cast<uint32_t>(size)), family, input.sm.smCoscheduledAlignment);
  storeRemainder(remainder, units, used, family);
  return hipSuccess;
}

/// Completes what the application has left open; `left` units are there for it. Throws HipError.
void completeGroup(hipDevSmResourceGroupParams &group, uint32_t alignment, uint32_t left) {
  if (group.flags & ~unsigned{hipDevSmResourceGroupBackfill})
    throw HipError(hipErrorInvalidValue, "a group has flags that HIP does not know");
  if (group.coscheduledSmCount == 0)
    group.coscheduledSmCount = alignment;
  if (group.preferredCoscheduledSmCount == 0)
    group.preferredCoscheduledSmCount = group.coscheduledSmCount;
  const bool takesAll = group.flags & hipDevSmResourceGroupBackfill;
  const uint32_t step = group.coscheduledSmCount;
  if (group.smCount == 0)
    group.smCount = takesAll ? left : left / step * step;
  if (group.smCount > left)
    throw HipError(hipErrorInvalidResourceConfiguration, "the groups have more compute units than the input");
}

hipError_t split(hipDevResource *result, unsigned count, const hipDevResource &input, hipDevResource *remainder,
                 hipDevSmResourceGroupParams *parameters) {
  const UnitSet &units = unitsOf(input);
  std::vector<hipDevSmResourceGroupParams> groups(parameters, parameters + count);
  uint32_t used = 0;
  for (hipDevSmResourceGroupParams &group : groups) {
    completeGroup(group, input.sm.smCoscheduledAlignment, units.count() - used);
    used += group.smCount;
    const bool fits = group.smCount >= group.coscheduledSmCount &&
                      (group.smCount % group.coscheduledSmCount == 0 || group.flags & hipDevSmResourceGroupBackfill);
    if (result && (group.smCount == 0 || !fits))
      return refuse(hipErrorInvalidResourceConfiguration, "a group is empty, or no multiple of coscheduledSmCount");
  }
  const uint32_t family = nextFamily();
  uint32_t first = 0;
  for (unsigned group = 0; result && group < count; first += groups[group++].smCount)
    result[group] = makeResource(units.part(first, groups[group].smCount), family, groups[group].coscheduledSmCount,
                                 groups[group].flags);
  std::copy(groups.begin(), groups.end(), parameters);
  storeRemainder(remainder, units, used, family);
  return hipSuccess;
}

/// All units of resources that may be used together. Throws HipError.
const UnitSet &unite(const hipDevResource *resources, unsigned count) {
  const UnitSet *units = &unitsOf(resources[0]);
  const hipDevResource *group = nullptr; // one that is no remainder
  for (unsigned index = 0; index < count; ++index) {
    const UnitSet &more = unitsOf(resources[index]);
    if (&more.device() != &units->device() || tagOf(resources[index]).family != tagOf(resources[0]).family)
      throw HipError(hipErrorInvalidResourceConfiguration, "the resources come from different devices or splits");
    if (!tagOf(resources[index]).isRemainder) {
      if (group && group->sm.smCoscheduledAlignment != resources[index].sm.smCoscheduledAlignment)
        throw HipError(hipErrorInvalidResourceConfiguration, "the resources differ in smCoscheduledAlignment");
      group = &resources[index];
    }
    units = &units->with(more);
  }
  return *units;
}

} // namespace

extern "C" {

hipError_t hipDeviceGetDevResource(hipDevice_t device, hipDevResource *resource, hipDevResourceType type) {
  return HIPLZ_API(hipDeviceGetDevResource, device, resource, type)([&] {
    HIPLZ_NOT_NULL(resource);
    requireUnits(type);
    *resource = makeResource(UnitSet::all(LZContext::instance().device(device)));
    return hipSuccess;
  });
}

hipError_t hipDevSmResourceSplitByCount(hipDevResource *result, unsigned int *nbGroups, const hipDevResource *input,
                                        hipDevResource *remainder, unsigned int flags, unsigned int minCount) {
  return HIPLZ_API(hipDevSmResourceSplitByCount, result, nbGroups, input, remainder, flags, minCount)([&] {
    HIPLZ_NOT_NULL(nbGroups, input);
    return splitByCount(result, *nbGroups, hipDevResource(*input), remainder, flags, minCount);
  });
}

hipError_t hipDevSmResourceSplit(hipDevResource *result, unsigned int nbGroups, const hipDevResource *input,
                                 hipDevResource *remainder, unsigned int flags,
                                 hipDevSmResourceGroupParams *groupParams) {
  return HIPLZ_API(hipDevSmResourceSplit, result, nbGroups, input, remainder, flags, groupParams)([&] {
    HIPLZ_NOT_NULL(input, groupParams);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    return split(result, nbGroups, hipDevResource(*input), remainder, groupParams);
  });
}

hipError_t hipDevResourceGenerateDesc(hipDevResourceDesc_t *phDesc, hipDevResource *resources,
                                      unsigned int nbResources) {
  return HIPLZ_API(hipDevResourceGenerateDesc, phDesc, resources, nbResources)([&] {
    HIPLZ_NOT_NULL(phDesc, resources);
    if (nbResources == 0)
      return refuse(hipErrorInvalidValue, "nbResources is 0");
    const UnitSet &units = unite(resources, nbResources);
    *phDesc = reinterpret_cast<hipDevResourceDesc_t>(const_cast<UnitSet *>(&units));
    return hipSuccess;
  });
}

hipError_t hipGreenCtxCreate(hipExecutionCtx_t *ctx, hipDevResourceDesc_t desc, int device, unsigned int flags) {
  return HIPLZ_API(hipGreenCtxCreate, ctx, desc, device, flags)([&] {
    HIPLZ_NOT_NULL(ctx, desc);
    if (flags != 0)
      return refuse(hipErrorInvalidValue, "flags is not 0");
    LZDevice &owner = LZContext::instance().device(device);
    const UnitSet *units = UnitSet::find(desc);
    if (!units)
      return refuse(hipErrorInvalidValue, "desc is no descriptor");
    if (&units->device() != &owner)
      return refuse(hipErrorInvalidDevice, "the resources are those of another device");
    *ctx = reinterpret_cast<hipExecutionCtx_t>(&LZExecutionContext::create(*units));
    return hipSuccess;
  });
}

hipError_t hipExecutionCtxDestroy(hipExecutionCtx_t ctx) {
  return HIPLZ_API(hipExecutionCtxDestroy, ctx)([&] { return LZExecutionContext::destroy(executionContextFrom(ctx)); });
}

hipError_t hipDeviceGetExecutionCtx(hipExecutionCtx_t *ctx, int device) {
  return HIPLZ_API(hipDeviceGetExecutionCtx, ctx, device)([&] {
    HIPLZ_NOT_NULL(ctx);
    *ctx = reinterpret_cast<hipExecutionCtx_t>(&LZExecutionContext::of(LZContext::instance().device(device)));
    return hipSuccess;
  });
}

hipError_t hipExecutionCtxStreamCreate(hipStream_t *stream, hipExecutionCtx_t greenctx, unsigned int flags,
                                       int priority) {
  return HIPLZ_API(hipExecutionCtxStreamCreate, stream, greenctx, flags, priority)([&] {
    HIPLZ_NOT_NULL(stream);
    LZExecutionContext &context = executionContextFrom(greenctx);
    if (flags != hipStreamDefault && flags != hipStreamNonBlocking)
      return refuse(hipErrorInvalidValue, "flags is neither hipStreamDefault nor hipStreamNonBlocking");
    *stream = toHandle(context.createStream(flags, priority));
    return hipSuccess;
  });
}

hipError_t hipExecutionCtxGetDevResource(hipExecutionCtx_t ctx, hipDevResource *resource, hipDevResourceType type) {
  return HIPLZ_API(hipExecutionCtxGetDevResource, ctx, resource, type)([&] {
    HIPLZ_NOT_NULL(resource);
    const LZExecutionContext &context = executionContextFrom(ctx);
    requireUnits(type);
    *resource = makeResource(context.units());
    return hipSuccess;
  });
}

hipError_t hipExecutionCtxGetDevice(int *device, hipExecutionCtx_t ctx) {
  return HIPLZ_API(hipExecutionCtxGetDevice, device, ctx)([&] {
    HIPLZ_NOT_NULL(device);
    *device = executionContextFrom(ctx).device().ordinal();
    return hipSuccess;
  });
}

hipError_t hipExecutionCtxGetId(hipExecutionCtx_t ctx, unsigned long long *ctxId) {
  return HIPLZ_API(hipExecutionCtxGetId, ctx, ctxId)([&] {
    HIPLZ_NOT_NULL(ctxId);
    *ctxId = executionContextFrom(ctx).id();
    return hipSuccess;
  });
}

hipError_t hipStreamGetDevResource(hipStream_t hStream, hipDevResource *resource, hipDevResourceType type) {
  return HIPLZ_API(hipStreamGetDevResource, hStream, resource, type)([&] {
    HIPLZ_NOT_NULL(resource);
    requireUnits(type);
    const LZQueue &queue = anyQueueFrom(hStream, NullStream::legacy, hipErrorInvalidHandle);
    LZDevice &device = queue.device();
    *resource = makeResource(queue.unitMask().empty() ? UnitSet::all(device) : UnitSet::of(device, queue.unitMask()));
    return hipSuccess;
  });
}

hipError_t hipExecutionCtxRecordEvent(hipExecutionCtx_t ctx, hipEvent_t event) {
  return HIPLZ_API(hipExecutionCtxRecordEvent, ctx,
                   event)([&] { return executionContextFrom(ctx).record(eventFrom(event)); });
}

hipError_t hipExecutionCtxSynchronize(hipExecutionCtx_t ctx) {
  return HIPLZ_API(hipExecutionCtxSynchronize, ctx)([&] { return executionContextFrom(ctx).synchronize(); });
}

hipError_t hipExecutionCtxWaitEvent(hipExecutionCtx_t ctx, hipEvent_t event) {
  return HIPLZ_API(hipExecutionCtxWaitEvent, ctx,
                   event)([&] { return executionContextFrom(ctx).waitFor(eventFrom(event)); });
}

} // extern "C"
