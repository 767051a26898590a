// SPDX-License-Identifier: MIT
// Lists, queues and events of the fake. A list keeps the order of its commands, which the specification allows; a command whose
// events are not signalled holds it up.
#include "objects.h"

#include <algorithm>
#include <chrono>

namespace fake_ze {
namespace {

std::vector<Stream *> streams; // those that are alive

uint64_t now() { return static_cast<uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count()); }

bool isReady(const Command &command) {
  return std::all_of(command.waits.begin(), command.waits.end(), [](const Event *event) { return event->signalled; });
}

void use(const Command &command, int change) {
  for (Event *event : command.waits)
    event->users += change;
  if (command.signal)
    command.signal->users += change;
}

void submitLocked(Stream &stream, const Command &command) {
  use(command, 1);
  stream.pending.push_back(command);
}

/// True if the first command of the stream has been executed.
bool step(Stream &stream) {
  if (stream.pending.empty() || !isReady(stream.pending.front()))
    return false;
  Command &command = stream.pending.front();
  const uint64_t begin = now();
  if (command.run && !command.run())
    return false;
  if (command.signal) {
    command.signal->signalled = true;
    command.signal->begin = begin;
    command.signal->end = now();
  }
  use(command, -1);
  stream.pending.pop_front();
  return true;
}

ze_result_t commandOf(ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits, std::function<bool()> run,
                      Command &command) {
  command.run = std::move(run);
  if (signal && !(command.signal = findLocked<Event>(signal)))
    return ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT;
  for (uint32_t i = 0; i < waitCount; ++i) {
    command.waits.push_back(findLocked<Event>(waits[i]));
    if (!command.waits.back())
      return ZE_RESULT_ERROR_INVALID_SYNCHRONIZATION_OBJECT;
  }
  return ZE_RESULT_SUCCESS;
}

template <class Kind, class Handle> ze_result_t destroyStream(Handle handle) {
  return destroy<Kind>(handle, [](Kind &stream) {
    if (!stream.pending.empty() && !isLost())
      noteMistake("it still has commands to execute");
    for (const Command &command : stream.pending)
      use(command, -1);
    std::erase(streams, &stream);
  });
}

/// Waits until it is true, while other threads let commands execute, or the host changes words in memory.
template <class Done> ze_result_t waitLocked(std::unique_lock<std::mutex> &lock, uint64_t timeout, Done done) {
  const uint64_t begin = now();
  for (progressLocked(); !done(); progressLocked()) {
    if (isLost())
      return ZE_RESULT_ERROR_DEVICE_LOST;
    if (timeout != UINT64_MAX && now() - begin >= timeout)
      return ZE_RESULT_NOT_READY;
    state().changed.wait_for(lock, std::chrono::milliseconds(1));
  }
  return ZE_RESULT_SUCCESS;
}

} // namespace

void progressLocked() {
  for (bool moved = !isLost(); moved;) {
    moved = false;
    for (size_t i = 0; i < streams.size(); ++i)
      while (step(*streams[i]))
        moved = true;
  }
  state().changed.notify_all();
}

ze_result_t append(ze_command_list_handle_t handle, ze_event_handle_t signal, uint32_t waitCount,
                   ze_event_handle_t *waits, std::function<bool()> run) {
  std::unique_lock<std::mutex> lock;
  CommandList *list = begin<CommandList>(lock, handle);
  if (!list)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  Command command;
  if (const ze_result_t result = commandOf(signal, waitCount, waits, std::move(run), command))
    return result;
  if (list->closed) {
    noteMistake("the list is closed");
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  if (!list->immediate) {
    list->recorded.push_back(std::move(command));
    return ZE_RESULT_SUCCESS;
  }
  submitLocked(*list, command);
  progressLocked();
  return ZE_RESULT_SUCCESS;
}

/// The commands of closed lists into a stream.
ze_result_t submitLists(Stream &stream, uint32_t count, ze_command_list_handle_t *handles) {
  for (uint32_t i = 0; i < count; ++i) {
    const CommandList *list = findLocked<CommandList>(handles[i]);
    if (!list)
      return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
    if (!list->closed)
      noteMistake("a list is not closed");
    for (const Command &command : list->recorded)
      submitLocked(stream, command);
  }
  return ZE_RESULT_SUCCESS;
}

ze_result_t appendLists(ze_command_list_handle_t handle, uint32_t count, ze_command_list_handle_t *lists,
                        ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  if (const ze_result_t result = append(handle, nullptr, waitCount, waits, {}))
    return result;
  {
    std::unique_lock<std::mutex> lock;
    if (const ze_result_t result = submitLists(*begin<CommandList>(lock, handle), count, lists))
      return result;
  }
  return append(handle, signal, 0, nullptr, {});
}

namespace calls {

ze_result_t zeCommandListCreate(ze_context_handle_t, ze_device_handle_t, const ze_command_list_desc_t *,
                                ze_command_list_handle_t *list) {
  const std::lock_guard lock(state().mutex);
  *list = reinterpret_cast<ze_command_list_handle_t>(&makeLocked<CommandList>(false));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListCreateImmediate(ze_context_handle_t, ze_device_handle_t, const ze_command_queue_desc_t *,
                                         ze_command_list_handle_t *list) {
  const std::lock_guard lock(state().mutex);
  CommandList &made = makeLocked<CommandList>(true);
  streams.push_back(&made);
  *list = reinterpret_cast<ze_command_list_handle_t>(&made);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListDestroy(ze_command_list_handle_t list) { return destroyStream<CommandList>(list); }

ze_result_t zeCommandListClose(ze_command_list_handle_t handle) {
  std::unique_lock<std::mutex> lock;
  CommandList *list = begin<CommandList>(lock, handle);
  if (!list)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  list->closed = true;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandListReset(ze_command_list_handle_t handle) {
  std::unique_lock<std::mutex> lock;
  CommandList *list = begin<CommandList>(lock, handle);
  if (!list)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  list->closed = false;
  list->recorded.clear();
  list->changeable.clear();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueCreate(ze_context_handle_t, ze_device_handle_t, const ze_command_queue_desc_t *,
                                 ze_command_queue_handle_t *queue) {
  const std::lock_guard lock(state().mutex);
  CommandQueue &made = makeLocked<CommandQueue>();
  streams.push_back(&made);
  *queue = reinterpret_cast<ze_command_queue_handle_t>(&made);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeCommandQueueDestroy(ze_command_queue_handle_t queue) { return destroyStream<CommandQueue>(queue); }

ze_result_t zeCommandQueueExecuteCommandLists(ze_command_queue_handle_t handle, uint32_t count,
                                              ze_command_list_handle_t *lists, ze_fence_handle_t) {
  std::unique_lock<std::mutex> lock;
  CommandQueue *queue = begin<CommandQueue>(lock, handle);
  if (!queue)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  const ze_result_t result = submitLists(*queue, count, lists);
  progressLocked();
  return result;
}

ze_result_t zeCommandQueueSynchronize(ze_command_queue_handle_t handle, uint64_t timeout) {
  std::unique_lock<std::mutex> lock;
  CommandQueue *queue = begin<CommandQueue>(lock, handle);
  if (!queue)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return waitLocked(lock, timeout, [&] { return queue->pending.empty(); });
}

ze_result_t zeCommandListAppendBarrier(ze_command_list_handle_t list, ze_event_handle_t signal, uint32_t waitCount,
                                       ze_event_handle_t *waits) {
  return append(list, signal, waitCount, waits, {});
}

ze_result_t zeCommandListAppendWaitOnEvents(ze_command_list_handle_t list, uint32_t count, ze_event_handle_t *events) {
  return append(list, nullptr, count, events, {});
}

ze_result_t zeCommandListAppendEventReset(ze_command_list_handle_t list, ze_event_handle_t handle) {
  Event *event;
  {
    std::unique_lock<std::mutex> lock;
    event = begin<Event>(lock, handle);
  }
  if (!event)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return append(list, nullptr, 0, nullptr, [event] {
    event->signalled = false;
    return true;
  });
}

ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to, const void *from, size_t bytes,
                                          ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  return append(list, signal, waitCount, waits, [=] {
    std::memmove(to, from, bytes);
    return true;
  });
}

ze_result_t zeCommandListAppendMemoryCopyRegion(ze_command_list_handle_t list, void *to, const ze_copy_region_t *toBox,
                                                uint32_t toPitch, uint32_t toSlice, const void *from,
                                                const ze_copy_region_t *fromBox, uint32_t fromPitch, uint32_t fromSlice,
                                                ze_event_handle_t signal, uint32_t waitCount,
                                                ze_event_handle_t *waits) {
  return append(list, signal, waitCount, waits, [=, toBox = *toBox, fromBox = *fromBox] {
    for (uint32_t z = 0; z < std::max(1u, toBox.depth); ++z)
      for (uint32_t y = 0; y < toBox.height; ++y)
        std::memmove(static_cast<char *>(to) + toBox.originX + (toBox.originY + y) * size_t{toPitch} +
                         (toBox.originZ + z) * size_t{toSlice},
                     static_cast<const char *>(from) + fromBox.originX + (fromBox.originY + y) * size_t{fromPitch} +
                         (fromBox.originZ + z) * size_t{fromSlice},
                     toBox.width);
    return true;
  });
}

ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *to, const void *pattern,
                                          size_t patternBytes, size_t bytes, ze_event_handle_t signal,
                                          uint32_t waitCount, ze_event_handle_t *waits) {
  const std::string repeated(static_cast<const char *>(pattern), patternBytes);
  return append(list, signal, waitCount, waits, [=] {
    for (size_t at = 0; at < bytes; at += repeated.size())
      std::memcpy(static_cast<char *>(to) + at, repeated.data(), std::min(repeated.size(), bytes - at));
    return true;
  });
}

ze_result_t zeCommandListAppendMemoryPrefetch(ze_command_list_handle_t list, const void *, size_t) {
  return append(list, nullptr, 0, nullptr, {});
}

ze_result_t zeCommandListAppendMemAdvise(ze_command_list_handle_t list, ze_device_handle_t, const void *, size_t,
                                         ze_memory_advice_t) {
  return append(list, nullptr, 0, nullptr, {});
}

ze_result_t zeCommandListAppendQueryKernelTimestamps(ze_command_list_handle_t list, uint32_t count,
                                                     ze_event_handle_t *handles, void *to, const size_t *offsets,
                                                     ze_event_handle_t signal, uint32_t waitCount,
                                                     ze_event_handle_t *waits) {
  std::vector<Event *> events;
  {
    const std::lock_guard lock(state().mutex);
    for (uint32_t i = 0; i < count; ++i)
      if (Event *event = findLocked<Event>(handles[i]))
        events.push_back(event);
  }
  const std::vector<size_t> places = offsets ? std::vector<size_t>(offsets, offsets + count) : std::vector<size_t>();
  return append(list, signal, waitCount, waits, [=] {
    for (size_t i = 0; i < events.size(); ++i) {
      const ze_kernel_timestamp_result_t times{{events[i]->begin, events[i]->end}, {events[i]->begin, events[i]->end}};
      std::memcpy(static_cast<char *>(to) + (places.empty() ? i * sizeof times : places[i]), &times, sizeof times);
    }
    return true;
  });
}

ze_result_t zeEventPoolCreate(ze_context_handle_t, const ze_event_pool_desc_t *description, uint32_t,
                              ze_device_handle_t *, ze_event_pool_handle_t *pool) {
  const std::lock_guard lock(state().mutex);
  const bool timed = description->flags & ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP;
  *pool = reinterpret_cast<ze_event_pool_handle_t>(&makeLocked<EventPool>(description->count, timed, "event pool"));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolDestroy(ze_event_pool_handle_t handle) {
  return destroy<EventPool>(handle, [](EventPool &pool) {
    if (std::find(pool.taken.begin(), pool.taken.end(), true) != pool.taken.end())
      noteMistake("the pool still has events");
  });
}

ze_result_t zeEventPoolGetIpcHandle(ze_event_pool_handle_t handle, ze_ipc_event_pool_handle_t *ipc) {
  std::unique_lock<std::mutex> lock;
  const EventPool *pool = begin<EventPool>(lock, handle);
  if (!pool)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  const uint64_t count = pool->taken.size();
  std::memcpy(ipc->data, &count, sizeof count);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolOpenIpcHandle(ze_context_handle_t, ze_ipc_event_pool_handle_t ipc,
                                     ze_event_pool_handle_t *pool) {
  const std::lock_guard lock(state().mutex);
  uint64_t count;
  std::memcpy(&count, ipc.data, sizeof count);
  *pool = reinterpret_cast<ze_event_pool_handle_t>(
      &makeLocked<EventPool>(static_cast<uint32_t>(count), false, "opened event pool"));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventPoolCloseIpcHandle(ze_event_pool_handle_t pool) { return calls::zeEventPoolDestroy(pool); }

ze_result_t zeEventCreate(ze_event_pool_handle_t handle, const ze_event_desc_t *description, ze_event_handle_t *event) {
  std::unique_lock<std::mutex> lock;
  EventPool *pool = begin<EventPool>(lock, handle);
  if (!pool)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (description->index >= pool->taken.size() || pool->taken[description->index]) {
    noteMistake("the pool does not have this event, or it exists already");
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  pool->taken[description->index] = true;
  *event = reinterpret_cast<ze_event_handle_t>(&makeLocked<Event>(*pool, description->index));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventDestroy(ze_event_handle_t handle) {
  return destroy<Event>(handle, [](Event &event) {
    if (event.users && !isLost())
      noteMistake("commands still use the event");
    event.pool.taken[event.index] = false;
  });
}

ze_result_t zeEventHostSignal(ze_event_handle_t handle) {
  std::unique_lock<std::mutex> lock;
  Event *event = begin<Event>(lock, handle);
  if (!event)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  event->signalled = true;
  event->begin = event->end = now();
  progressLocked();
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostReset(ze_event_handle_t handle) {
  std::unique_lock<std::mutex> lock;
  Event *event = begin<Event>(lock, handle);
  if (!event)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  event->signalled = false;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeEventHostSynchronize(ze_event_handle_t handle, uint64_t timeout) {
  std::unique_lock<std::mutex> lock;
  const Event *event = begin<Event>(lock, handle);
  if (!event)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  return waitLocked(lock, timeout, [&] { return event->signalled; });
}

ze_result_t zeEventQueryStatus(ze_event_handle_t handle) { return calls::zeEventHostSynchronize(handle, 0); }

ze_result_t zeEventQueryKernelTimestamp(ze_event_handle_t handle, ze_kernel_timestamp_result_t *times) {
  std::unique_lock<std::mutex> lock;
  const Event *event = begin<Event>(lock, handle);
  if (!event)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (!event->pool.timed)
    noteMistake("the event has no timestamps");
  if (!event->signalled)
    return ZE_RESULT_NOT_READY;
  *times = {{event->begin, event->end}, {event->begin, event->end}};
  return ZE_RESULT_SUCCESS;
}

} // namespace calls
} // namespace fake_ze
