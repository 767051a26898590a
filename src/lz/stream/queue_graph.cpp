// SPDX-License-Identifier: MIT
// Launching a recorded graph: a few submissions, whatever the number of its nodes.
#include "lz/core/serialization.h"
#include "lz/core/ze_extensions.h"
#include "lz/graph/capture.h"
#include "lz/graph/graph_exec.h"
#include "lz/graph/graph_recording.h"
#include "lz/module/printf.h"
#include "lz/stream/queue_submit.h"
#include "lz/sync/event.h"

namespace hiplz {

hipError_t LZQueue::launch(LZGraphExec &exec) {
  if (captured()) [[unlikely]]
    return LZCapture::launchGraph(*this, exec);
  if (const Serialization &serial = Serialization::ofKernels(); serial.any()) [[unlikely]]
    return serial.around(*this, [&] { return launchNow(exec); });
  return launchNow(exec);
}

hipError_t LZQueue::launchNow(LZGraphExec &exec) {
  if (lists_) [[unlikely]]
    return launchBeside(exec);
  return exec.launchIn(*this);
}

// One lock for all steps, so that nothing of another thread comes between them. `done` is signalled when everything has
// completed.
hipError_t LZQueue::submitGraph(const LZGraphRecording &recording, LZGraphLanes &lanes, const LZEventRef &previous,
                                LZEventRef &done) {
  if (hipError_t error = prepare())
    return error;
  for (LZDevice *device : recording.printing())
    LZPrintf::of(*device).expect();
  std::lock_guard lock(mutex_);
  if (previous)
    if (hipError_t error = appendWaitLocked(previous))
      return error;
  for (const GraphStep &step : recording.steps()) {
    hipError_t error = hipSuccess;
    switch (step.kind) {
    case GraphStep::Kind::lists:
      error = step.lane == GraphPlan::kStream ? appendListsLocked(step, lanes, &step == &recording.steps().back())
                                              : executeLists(step, lanes);
      break;
    case GraphStep::Kind::sync: error = appendSyncLocked(step); break;
    case GraphStep::Kind::record: {
      LZEventRef event = (step.event->timed() ? device_.driver().timedEvents() : device_.driver().events()).acquire();
      const uint64_t count = submitted();
      signalLocked(event, Counts::yes);
      step.event->setRecording(std::move(event), *this, count);
      break;
    }
    case GraphStep::Kind::wait:
      if (const LZEventRef event = step.event->lastEvent())
        error = appendWaitLocked(event);
      break;
    }
    if (error)
      return error;
  }
  done = markerLocked().event;
  for (LZDevice *device : recording.printing()) {
    mayPrint_ = true;
    device->expectOutput();
  }
  return hipSuccess;
}

// Lists in the stream itself, which keeps the order of its commands. The last ones signal the event that tells the end.
hipError_t LZQueue::appendListsLocked(const GraphStep &step, LZGraphLanes &lanes, bool last) {
  LZEventRef event;
  if (last)
    event = device_.driver().events().acquire();
  const ze_result_t result = lanes.appendLists()(driverHandle(list_.get()), static_cast<uint32_t>(step.lists.size()),
                                                 const_cast<ze_command_list_handle_t *>(step.lists.data()),
                                                 event ? driverHandle(event.ze()) : nullptr, 0, nullptr);
  if (result != ZE_RESULT_SUCCESS) {
    hipError_t error = failed(result, "zeCommandListImmediateAppendCommandListsExp");
    return result == ZE_RESULT_ERROR_DEVICE_LOST ? hipSuccess : error;
  }
  countLocked();
  if (event)
    advanceLocked(event);
  return hipSuccess;
}

hipError_t LZQueue::executeLists(const GraphStep &step, LZGraphLanes &lanes) {
  const ze_result_t result =
      zeCommandQueueExecuteCommandLists(lanes.lane(step.lane).queue.get(), static_cast<uint32_t>(step.lists.size()),
                                        const_cast<ze_command_list_handle_t *>(step.lists.data()), nullptr);
  if (result == ZE_RESULT_SUCCESS)
    return hipSuccess;
  hipError_t error = failed(result, "zeCommandQueueExecuteCommandLists");
  return result == ZE_RESULT_ERROR_DEVICE_LOST ? hipSuccess : error;
}

// Waits, resets and signals between lists, in this order.
hipError_t LZQueue::appendSyncLocked(const GraphStep &step) {
  return appendLocked([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    ze_command_list_handle_t list = list_.get();
    ze_result_t result = ZE_RESULT_SUCCESS;
    auto append = [&](auto call) {
      if (result == ZE_RESULT_SUCCESS)
        result = call();
    };
    auto barrier = [&](ze_event_handle_t event, uint32_t count, const ze_event_handle_t *events) {
      append([&] { return zeCommandListAppendBarrier(list, event, count, const_cast<ze_event_handle_t *>(events)); });
    };
    if (waitCount)
      barrier(nullptr, waitCount, waits);
    if (!step.waits.empty())
      barrier(nullptr, static_cast<uint32_t>(step.waits.size()), step.waits.data());
    for (ze_event_handle_t event : step.resets)
      append([&] { return zeCommandListAppendEventReset(list, event); });
    for (ze_event_handle_t event : step.signals)
      barrier(event, 0, nullptr);
    if (signal)
      barrier(signal, 0, nullptr);
    return result;
  });
}

} // namespace hiplz
