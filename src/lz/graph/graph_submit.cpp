// SPDX-License-Identifier: MIT
// Launching a recorded graph: a few submissions, whatever the number of its nodes.
#include "lz/graph/graph_submit.h"
#include "lz/core/ze_extensions.h"
#include "lz/graph/graph_recording.h"
#include "lz/module/hostcall.h"
#include "lz/module/printf.h"
#include "lz/stream/event.h"
#include "lz/stream/queue.h"

namespace hiplz {
namespace {

// Lists in the stream itself, which keeps the order of its commands. The last ones signal the event that marks the end.
hipError_t appendListsLocked(LZAppender &stream, const GraphStep &step, LZGraphLanes &lanes, bool last) {
  stream.order().reserveLocked();
  LZEventRef event;
  if (last)
    event = stream.device().driver().events().acquire();
  const ze_result_t result =
      lanes.appendLists()(stream.listLocked(), static_cast<uint32_t>(step.lists.size()),
                          const_cast<ze_command_list_handle_t *>(step.lists.data()), event ? event.ze() : nullptr, 0u,
                          static_cast<ze_event_handle_t *>(nullptr));
  if (result != ZE_RESULT_SUCCESS)
    return stream.failedToAppend(result, "zeCommandListImmediateAppendCommandListsExp");
  stream.appendedLocked(event);
  return hipSuccess;
}

hipError_t executeLists(LZAppender &stream, const GraphStep &step, LZGraphLanes &lanes) {
  const ze_result_t result =
      zeCommandQueueExecuteCommandLists(lanes.lane(step.lane).queue.get(), static_cast<uint32_t>(step.lists.size()),
                                        const_cast<ze_command_list_handle_t *>(step.lists.data()), nullptr);
  if (result == ZE_RESULT_SUCCESS)
    return hipSuccess;
  return stream.failedToAppend(result, "zeCommandQueueExecuteCommandLists");
}

// Waits, resets and signals between lists, in this order.
hipError_t appendSyncLocked(LZAppender &stream, const GraphStep &step) {
  return stream.appendLocked([&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    ze_command_list_handle_t list = stream.listLocked();
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

// The launch is in the profile, with the times of its nodes, which the next launch overwrites.
hipError_t recordLocked(const ProfilerHooks &hooks, LZQueue &queue, const LZGraphRecording &recording,
                        LZEventRef begin) {
  LZAppender &appender = queue.appender();
  LZDevice &device = queue.device();
  std::shared_ptr<NodeTimes> times;
  if (recording.profiledNodes()) {
    const size_t bytes = recording.nodeTimestampBytes();
    times = std::make_shared<NodeTimes>();
    times->nodes = recording.profiledNodes();
    times->timestamps = ZeMemory::onHost(device.zeContext(), bytes, alignof(ze_kernel_timestamp_result_t));
    if (hipError_t error =
            appender.appendLocked([&](ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits) {
              return zeCommandListAppendMemoryCopy(appender.listLocked(), times->timestamps.get(),
                                                   recording.nodeTimestamps(), bytes, signal, count, waits);
            }))
      return error;
  }
  LZEventRef end = device.driver().timedEvents().acquire();
  appender.signalLocked(end, LZAppender::Counts::no);
  recordGraphLaunch(hooks, device, queue.id(), std::move(begin), std::move(end), std::move(times));
  return hipSuccess;
}

} // namespace

// One lock for all steps, so that nothing of another thread comes between them. `done` is signalled when everything has
// completed.
hipError_t submitGraph(LZQueue &queue, const LZGraphRecording &recording, LZGraphLanes &lanes,
                       const LZEventRef &previous, LZEventRef &done) {
  if (hipError_t error = queue.joinDefault())
    return error;
  for (LZDevice *device : recording.printing()) {
    LZPrintf::of(*device).expect();
    if (LZHostcall *hostcall = LZHostcall::existing(*device))
      hostcall->expect();
  }
  LZAppender &appender = queue.appender();
  LZDriver &driver = queue.device().driver();
  const ProfilerHooks *hooks = profilerOf(trace::kCommands);
  LZEventRef begin;
  std::lock_guard lock(appender.mutex());
  if (previous)
    if (hipError_t error = appender.appendWaitLocked(previous))
      return error;
  if (hooks) [[unlikely]]
    appender.signalLocked(begin = driver.timedEvents().acquire(), LZAppender::Counts::no);
  for (const GraphStep &step : recording.steps()) {
    hipError_t error = hipSuccess;
    switch (step.kind) {
    case GraphStep::Kind::lists:
      error = step.lane == GraphPlan::kStream
                  ? appendListsLocked(appender, step, lanes, &step == &recording.steps().back())
                  : executeLists(appender, step, lanes);
      break;
    case GraphStep::Kind::sync: error = appendSyncLocked(appender, step); break;
    case GraphStep::Kind::record: {
      LZEventRef event = (step.event->timed() ? driver.timedEvents() : driver.events()).acquire();
      const uint64_t count = queue.submitted();
      appender.signalLocked(event, LZAppender::Counts::yes);
      step.event->setRecording(std::move(event), queue, count);
      break;
    }
    case GraphStep::Kind::wait:
      if (const LZEventRef event = step.event->lastEvent())
        error = appender.appendWaitLocked(event);
      break;
    }
    if (error)
      return error;
  }
  if (hooks) [[unlikely]]
    if (hipError_t error = recordLocked(*hooks, queue, recording, std::move(begin)))
      return error;
  done = appender.markerLocked().event;
  for (LZDevice *device : recording.printing()) {
    queue.notePrintingLocked();
    LZPrintf::launched(*device);
  }
  return hipSuccess;
}

} // namespace hiplz
