// SPDX-License-Identifier: MIT
// The functions zeCommandListAppend* of commands that do something: copies, fills, launches and times.
#include "opencl/entry_points.h"

#include <algorithm>
#include <cstring>

namespace hiplz::opencl {

ze_result_t commandListAppendMemoryCopy(ze_command_list_handle_t list, void *to, const void *from, size_t size,
                                        ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(to && from, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    on.append(signal, waitCount, waits, [=](const Enqueuing &with) { enqueueCopy(with, to, from, size); });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to, const ze_copy_region_t *toRegion,
                                              uint32_t toPitch, uint32_t toSlicePitch, const void *from,
                                              const ze_copy_region_t *fromRegion, uint32_t fromPitch,
                                              uint32_t fromSlicePitch, ze_event_handle_t signal, uint32_t waitCount,
                                              ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(to && from, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    const ze_copy_region_t &in = deref(fromRegion), &out = deref(toRegion);
    const auto begin = [](const ze_copy_region_t &region, size_t pitch, size_t slicePitch) {
      return region.originX + region.originY * pitch + region.originZ * slicePitch;
    };
    // A depth of 0 means a box of two dimensions.
    const CopyBox box{static_cast<std::byte *>(to) + begin(out, toPitch, toSlicePitch),
                      static_cast<const std::byte *>(from) + begin(in, fromPitch, fromSlicePitch),
                      toPitch,
                      toSlicePitch,
                      fromPitch,
                      fromSlicePitch,
                      out.width,
                      out.height,
                      std::max(out.depth, 1u)};
    on.append(signal, waitCount, waits, [=](const Enqueuing &with) { enqueueCopy(with, box); });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendMemoryFill(ze_command_list_handle_t list, void *to, const void *pattern,
                                        size_t patternSize, size_t size, ze_event_handle_t signal, uint32_t waitCount,
                                        ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(to && pattern, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(patternSize != 0, ZE_RESULT_ERROR_INVALID_SIZE);
    const auto *bytes = static_cast<const std::byte *>(pattern);
    const auto memory = on.context.find(to);
    const bool isHost =
        !memory || (memory->type == ZE_MEMORY_TYPE_HOST && !sharesWithHost(on.context.driver.memoryAccess()));
    on.append(signal, waitCount, waits,
              [=, kept = std::vector<std::byte>(bytes, bytes + patternSize)](const Enqueuing &with) {
                enqueueFill(with, to, isHost, kept, size);
              });
    return ZE_RESULT_SUCCESS;
  });
}

// Hints, which implementations of OpenCL may take but need not have.
ze_result_t commandListAppendMemoryPrefetch(ze_command_list_handle_t list, const void *pointer, size_t) {
  return guarded([&] {
    CommandList::from(list);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendMemAdvise(ze_command_list_handle_t list, ze_device_handle_t device, const void *pointer,
                                       size_t, ze_memory_advice_t) {
  return guarded([&] {
    CommandList::from(list);
    Device::from(device);
    require(pointer, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendLaunchKernel(ze_command_list_handle_t list, ze_kernel_handle_t kernel,
                                          const ze_group_count_t *count, ze_event_handle_t signal, uint32_t waitCount,
                                          ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    Kernel &launched = Kernel::from(kernel);
    const ze_group_count_t groups = deref(count);
    const LaunchShape shape = launched.shape();
    if (on.immediate()) {
      launched.allowIndirect();
      const auto enqueue = [&](const Enqueuing &with) { enqueueLaunch(with, launched.own(), shape, groups); };
      if (!signal && waitCount == 0) [[likely]]
        on.immediate()->run(enqueue);
      else
        on.append(signal, waitCount, waits, enqueue);
      return ZE_RESULT_SUCCESS;
    }
    struct Copy {
      explicit Copy(ClKernel copied) : kernel(std::move(copied)) {}
      const ClKernel kernel;
      uint64_t known = 0;
    };
    Context *owner = launched.indirectAccess ? &launched.module.context : nullptr;
    on.append(signal, waitCount, waits,
              [kept = std::make_shared<Copy>(launched.copy()), shape, groups, owner](const Enqueuing &with) {
                if (owner)
                  owner->allowAll(kept->kernel.get(), kept->known);
                enqueueLaunch(with, kept->kernel.get(), shape, groups);
              });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendWriteGlobalTimestamp(ze_command_list_handle_t list, uint64_t *to, ze_event_handle_t signal,
                                                  uint32_t waitCount, ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    deref(to);
    on.append(signal, waitCount, waits,
              [to, device = &on.device, context = on.context.handleOfCl()](const Enqueuing &with) {
                enqueueWrite(with, context, to, sizeof *to, [device](std::byte *out) {
                  const uint64_t now = device->now();
                  std::memcpy(out, &now, sizeof now);
                });
              });
    return ZE_RESULT_SUCCESS;
  });
}

ze_result_t commandListAppendQueryKernelTimestamps(ze_command_list_handle_t list, uint32_t count,
                                                   ze_event_handle_t *events, void *to, const size_t *offsets,
                                                   ze_event_handle_t signal, uint32_t waitCount,
                                                   ze_event_handle_t *waits) {
  return guarded([&] {
    CommandList &on = CommandList::from(list);
    require(to, ZE_RESULT_ERROR_INVALID_NULL_POINTER);
    require(!offsets, ZE_RESULT_ERROR_UNSUPPORTED_FEATURE, "results cannot be written to places of their own");
    auto states = std::make_shared<std::vector<std::shared_ptr<EventState>>>();
    for (Event *event : objectsFrom<Event>(count, events)) {
      require(event->state->isTimed(), ZE_RESULT_ERROR_INVALID_ARGUMENT, "the event's pool has no timestamps");
      states->push_back(event->state);
    }
    on.append(signal, waitCount, waits, [=, context = on.context.handleOfCl()](const Enqueuing &with) {
      auto commands = std::make_shared<std::vector<ClEvent>>();
      for (const auto &state : *states)
        commands->push_back(state->lastCommand());
      enqueueWrite(with, context, to, states->size() * sizeof(ze_kernel_timestamp_result_t),
                   [commands](std::byte *out) {
                     for (const ClEvent &command : *commands) {
                       if (command) {
                         const ze_kernel_timestamp_result_t times = timesOf(command.get());
                         std::memcpy(out, &times, sizeof times);
                       }
                       out += sizeof(ze_kernel_timestamp_result_t);
                     }
                   });
    });
    return ZE_RESULT_SUCCESS;
  });
}

} // namespace hiplz::opencl
