// SPDX-License-Identifier: MIT
// zeCommandList* (without images) and zeCommandQueue*.
#include "base/driver_extensions.h"
#include "cpu/check/uninitialized.h"
#include "cpu/ddi/entry_points.h"
#include "cpu/ddi/later_types.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace hiplz::cpu::ddi {
namespace {

// Flags of later versions are accepted: in-order execution is what every list does, the others are hints.
constexpr ze_command_queue_flags_t kQueueFlags = 0x7;
constexpr ze_command_list_flags_t kListFlags = 0x3f;

// Longer ones than kMaxFillPattern are what programs try that expect a slower way, as Intel's driver has one.
constexpr size_t kLongestFillPattern = 1 << 30;

void checkQueueDesc(const ze_command_queue_desc_t *desc) {
  const ze_command_queue_desc_t &in = deref(desc);
  require(in.flags <= kQueueFlags && in.mode <= ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS &&
              in.priority <= ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH,
          ZE_RESULT_ERROR_INVALID_ENUMERATION);
  require(in.ordinal < kQueueGroups && in.index < queuesOfGroup(in.ordinal), ZE_RESULT_ERROR_INVALID_ARGUMENT);
}

/// How many worker threads a queue may occupy at once. One without threads would never end.
uint32_t maxThreadsOf(const ze_command_queue_desc_t &desc) {
  const auto *some = findInChain<const ZeQueueUnits>(const_cast<void *>(desc.pNext),
                                                     static_cast<ze_structure_type_t>(ZeQueueUnits::kType));
  return some ? std::max(some->units, 1u) : UINT32_MAX;
}

/// One row, slice or volume of bytes has no padding; zero pitches mean that.
struct RegionLayout {
  RegionLayout(const ze_copy_region_t &region, uint32_t givenPitch, uint32_t givenSlicePitch)
      : pitch(givenPitch ? givenPitch : region.width),
        slicePitch(givenSlicePitch ? givenSlicePitch : pitch * region.height),
        offset(region.originX + region.originY * pitch + region.originZ * slicePitch) {}
  size_t pitch, slicePitch, offset;
};

ze_result_t appendLaunch(ze_command_list_handle_t list, ze_kernel_handle_t kernel, const ze_group_count_t *groups,
                         bool cooperative, ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    Kernel &object = Kernel::from(kernel);
    return commands.appendLaunch(object, deref(groups), cooperative, EventArguments(signal, waitCount, waits));
  });
}

} // namespace

ze_result_t commandQueueCreate(ze_context_handle_t context, ze_device_handle_t device,
                               const ze_command_queue_desc_t *desc, ze_command_queue_handle_t *queue) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &target = Device::from(device);
    checkQueueDesc(desc);
    deref(queue) = (new CommandQueue(owner, target, *desc, maxThreadsOf(*desc)))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueDestroy(ze_command_queue_handle_t queue) {
  return guarded([&] {
    delete &CommandQueue::from(queue);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandQueueExecuteCommandLists(ze_command_queue_handle_t queue, uint32_t count,
                                            ze_command_list_handle_t *lists, ze_fence_handle_t fence) {
  return guarded([&] {
    CommandQueue &object = CommandQueue::from(queue);
    deref(lists);
    require(count != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    ObjectList<CommandList> objects(count, lists);
    return object.execute(objects, fence ? &Fence::from(fence) : nullptr);
  });
}

ze_result_t commandQueueSynchronize(ze_command_queue_handle_t queue, uint64_t timeout) {
  return guarded([&] { return CommandQueue::from(queue).synchronize(timeout); });
}

ze_result_t commandListCreate(ze_context_handle_t context, ze_device_handle_t device,
                              const ze_command_list_desc_t *desc, ze_command_list_handle_t *list) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &target = Device::from(device);
    owner.requireDevice(target);
    require(deref(desc).flags <= kListFlags, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    require(desc->commandQueueGroupOrdinal < kQueueGroups, ZE_RESULT_ERROR_INVALID_ARGUMENT);
    auto made = std::make_unique<CommandList>(owner, target, *desc);
    if (findInChain<const MutableListDesc>(const_cast<void *>(desc->pNext), MutableListDesc::kType))
      made->makeMutable();
    deref(list) = made->handle();
    (void)made.release(); // the application's
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListCreateImmediate(ze_context_handle_t context, ze_device_handle_t device,
                                       const ze_command_queue_desc_t *desc, ze_command_list_handle_t *list) {
  return guarded([&] {
    Context &owner = Context::from(context);
    Device &target = Device::from(device);
    checkQueueDesc(desc);
    deref(list) = (new CommandList(owner, target, *desc, maxThreadsOf(*desc)))->handle();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListDestroy(ze_command_list_handle_t list) {
  return guarded([&] {
    delete &CommandList::from(list);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListClose(ze_command_list_handle_t list) {
  return guarded([&] {
    CommandList::from(list).close();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListReset(ze_command_list_handle_t list) {
  return guarded([&] {
    CommandList::from(list).reset();
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list, uint64_t *to, ze_event_handle_t signal,
                                                  uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    deref(to);
    return commands.append<WriteTimestampRecord>(Op::writeTimestamp, EventArguments(signal, waitCount, waits),
                                                 [&](WriteTimestampRecord &record) { record.to = to; });
  });
}

ze_result_t commandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t waitCount,
                                     ze_event_handle_t *waits) {
  return guarded([&] { return CommandList::from(list).appendNothing(EventArguments(signal, waitCount, waits)); });
}

ze_result_t commandListAppendMemoryRangesBarrier(ze_command_list_handle_t list, uint32_t /*count*/, const size_t *sizes,
                                                 const void **ranges, ze_event_handle_t signal, uint32_t waitCount,
                                                 ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    deref(sizes);
    deref(ranges);
    return commands.appendNothing(EventArguments(signal, waitCount, waits));
  });
}

ze_result_t commandListAppendMemoryCopy(ze_command_list_handle_t list, void *to, const void *from, size_t size,
                                        ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    require(to && from, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    EventArguments events(signal, waitCount, waits);
    if (size == 0)
      return commands.appendNothing(events);
    check::noteCopy(to, from);
    return commands.append<CopyRecord>(Op::copy, events, [&](CopyRecord &record) {
      record.to = static_cast<std::byte *>(to);
      record.from = static_cast<const std::byte *>(from);
      record.size = size;
    });
  });
}

ze_result_t commandListAppendMemoryCopyFromContext(ze_command_list_handle_t list, void *to, ze_context_handle_t context,
                                                   const void *from, size_t size, ze_event_handle_t signal,
                                                   uint32_t waitCount, ze_event_handle_t *waits) {
  // The source's context makes no difference: there is one address space.
  ze_result_t result = guarded([&] {
    CommandList::from(list);
    Context::from(context);
    return ZE_RESULT_SUCCESS;
  });
  return result == ZE_RESULT_SUCCESS ? commandListAppendMemoryCopy(list, to, from, size, signal, waitCount, waits)
                                     : result;
}

ze_result_t commandListAppendMemoryFill(ze_command_list_handle_t list, void *to, const void *pattern,
                                        size_t patternSize, size_t size, ze_event_handle_t signal, uint32_t waitCount,
                                        ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    require(to && pattern, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(std::has_single_bit(patternSize), ZE_RESULT_ERROR_INVALID_SIZE);
    require(patternSize <= kLongestFillPattern, ZE_RESULT_ERROR_UNSUPPORTED_SIZE);
    EventArguments events(signal, waitCount, waits);
    if (size == 0)
      return commands.appendNothing(events);
    const bool isLong = patternSize > sizeof FillRecord::pattern;
    auto fill = [&](FillRecord &record) {
      record.to = static_cast<std::byte *>(to);
      record.size = size;
      record.patternSize = patternSize;
      for (size_t at = 0; !isLong && at < sizeof record.pattern; at += patternSize)
        std::memcpy(record.pattern + at, pattern, patternSize);
      if (isLong)
        record.longPattern = static_cast<std::byte *>(std::memcpy(RecordArena::extra(record), pattern, patternSize));
    };
    return commands.append<FillRecord>(Op::fill, events, fill, isLong ? patternSize : 0);
  });
}

ze_result_t commandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to, const ze_copy_region_t *toRegion,
                                              uint32_t toPitch, uint32_t toSlicePitch, const void *from,
                                              const ze_copy_region_t *fromRegion, uint32_t fromPitch,
                                              uint32_t fromSlicePitch, ze_event_handle_t signal, uint32_t waitCount,
                                              ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    require(to && from, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const ze_copy_region_t &target = deref(toRegion), &source = deref(fromRegion);
    require(target.width == source.width && target.height == source.height && target.depth == source.depth,
            ZE_RESULT_ERROR_INVALID_SIZE);
    EventArguments events(signal, waitCount, waits);
    // Programs describe two-dimensional regions with a depth of zero as well as of one.
    uint64_t rows = std::max(target.height, 1u), slices = std::max(target.depth, 1u);
    if (target.width == 0)
      return commands.appendNothing(events);
    RegionLayout toLayout(target, toPitch, toSlicePitch), fromLayout(source, fromPitch, fromSlicePitch);
    return commands.append<CopyRegionRecord>(Op::copyRegion, events, [&](CopyRegionRecord &record) {
      record.to = static_cast<std::byte *>(to) + toLayout.offset;
      record.from = static_cast<const std::byte *>(from) + fromLayout.offset;
      check::noteCopy(record.to, record.from);
      record.width = target.width;
      record.rows = rows;
      record.slices = slices;
      record.toPitch = toLayout.pitch;
      record.toSlicePitch = toLayout.slicePitch;
      record.fromPitch = fromLayout.pitch;
      record.fromSlicePitch = fromLayout.slicePitch;
    });
  });
}

// Everything is in memory that every device reaches equally well.
ze_result_t commandListAppendMemoryPrefetch(ze_command_list_handle_t list, const void *pointer, size_t /*size*/) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    return commands.appendNothing({});
  });
}

ze_result_t commandListAppendMemAdvise(ze_command_list_handle_t list, ze_device_handle_t device, const void *pointer,
                                       size_t /*size*/, ze_memory_advice_t advice) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    Device::from(device);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    constexpr uint32_t kLastAdvice = 9; // that host memory is not preferred any more, of specification 1.9
    require(static_cast<uint32_t>(advice) <= kLastAdvice, ZE_RESULT_ERROR_INVALID_ENUMERATION);
    return commands.appendNothing({});
  });
}

ze_result_t commandListAppendSignalEvent(ze_command_list_handle_t list, ze_event_handle_t event) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    return commands.appendNothing(EventArguments(event, 0, nullptr));
  });
}

ze_result_t commandListAppendWaitOnEvents(ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    deref(events);
    return commands.appendNothing(EventArguments(nullptr, count, events));
  });
}

ze_result_t commandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t event) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    EventState &state = Event::from(event).ordinary();
    return commands.append<ResetRecord>(Op::resetEvent, {}, [&](ResetRecord &record) {
      record.event = &state;
      commands.hold(state);
    });
  });
}

ze_result_t commandListAppendQueryKernelTimestamps(ze_command_list_handle_t list, uint32_t count,
                                                   ze_event_handle_t *events, void *to, const size_t *offsets,
                                                   ze_event_handle_t signal, uint32_t waitCount,
                                                   ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    require(to, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    std::vector<Event *> queried = objectsFrom<Event>(count, &deref(events));
    for (Event *event : queried)
      require(event->isTimed() && !event->isCounterBased(), ZE_RESULT_ERROR_INVALID_ARGUMENT);
    size_t bytes = count * (sizeof(EventState *) + sizeof(size_t));
    auto fill = [&](QueryTimestampsRecord &record) {
      record.to = static_cast<std::byte *>(to);
      record.count = count;
      record.events = reinterpret_cast<EventState **>(RecordArena::extra(record));
      size_t *copied = reinterpret_cast<size_t *>(record.events + count);
      for (uint32_t index = 0; index < count; ++index) {
        record.events[index] = &queried[index]->ordinary();
        commands.hold(*record.events[index]);
        copied[index] = offsets ? offsets[index] : index * sizeof(ze_kernel_timestamp_result_t);
      }
      record.offsets = copied;
    };
    return commands.append<QueryTimestampsRecord>(Op::queryTimestamps, EventArguments(signal, waitCount, waits), fill,
                                                  bytes);
  });
}

ze_result_t commandListAppendLaunchKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                          const ze_group_count_t *groups, ze_event_handle_t signal, uint32_t waitCount,
                                          ze_event_handle_t *waits) {
  return appendLaunch(list, kernel, groups, false, signal, waitCount, waits);
}

ze_result_t commandListAppendLaunchCooperativeKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                     const ze_group_count_t *groups, ze_event_handle_t signal,
                                                     uint32_t waitCount, ze_event_handle_t *waits) {
  return appendLaunch(list, kernel, groups, true, signal, waitCount, waits);
}

ze_result_t commandListAppendLaunchKernelIndirect(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                                  const ze_group_count_t *groups, ze_event_handle_t signal,
                                                  uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &commands = CommandList::from(list);
    Kernel &object = Kernel::from(kernel);
    deref(groups);
    EventArguments events(signal, waitCount, waits);
    return commands.appendLaunchIndirect(object, groups, nullptr, 0, events->signal, events);
  });
}

ze_result_t commandListAppendLaunchMultipleKernelsIndirect(ze_command_list_handle_t list, uint32_t count,
                                                           ze_kernel_handle_t *kernels, const uint32_t *countBuffer,
                                                           const ze_group_count_t *groups, ze_event_handle_t signal,
                                                           uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&]() -> ze_result_t {
    CommandList &commands = CommandList::from(list);
    deref(kernels);
    deref(countBuffer);
    deref(groups);
    std::vector<Kernel *> objects = objectsFrom<Kernel>(count, kernels);
    EventArguments events(signal, waitCount, waits);
    if (count == 0)
      return commands.appendNothing(events);
    // One record each: the first one waits and takes the start time, the last one signals.
    ze_result_t result = ZE_RESULT_SUCCESS;
    for (uint32_t index = 0; index < count && result == ZE_RESULT_SUCCESS; ++index) {
      bool first = index == 0, last = index + 1 == count;
      Events part{last ? events->signal : nullptr, first ? events->waits : std::span<EventState *const>()};
      result = commands.appendLaunchIndirect(*objects[index], groups + index, countBuffer, index,
                                             first ? events->signal : nullptr, part);
    }
    return result;
  });
}

} // namespace hiplz::cpu::ddi
