// SPDX-License-Identifier: MIT
// Lists of streams, their events, and what happens when one fails.
#include "lz/stream/appender.h"
#include "base/log.h"
#include "lz/core/ze_extensions.h"

namespace hiplz {
namespace {

ze_command_queue_priority_t zePriority(int priority) {
  if (priority == 0)
    return ZE_COMMAND_QUEUE_PRIORITY_NORMAL;
  return priority < 0 ? ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH : ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW;
}

} // namespace

LZAppender::LZAppender(LZDevice &device, StreamOrder::Side side, std::atomic<uint32_t> &unjoined, int priority,
                       uint32_t units)
    : device_(device), order_(side, !device.driver().inOrderLists(), unjoined) {
  ze_command_queue_desc_t description = device.nextHardwareQueue();
  // Where lists are in order anyway the flag says nothing new, and older layers of the loader refuse what they don't know.
  if (!device.driver().hasExtension(kZeInOrderListsExtension) && device.driver().apiVersion() >= kZeApiVersionInOrder)
    description.flags = kZeCommandQueueFlagInOrder;
  const ZexCopyOffload offload;
  if ((description.flags & kZeCommandQueueFlagInOrder) && device.copyEngines() != 0 &&
      device.driver().hasExtension(kZexCopyOffloadExtension))
    description.pNext = &offload;
  ZeQueueUnits some;
  if (units != 0) {
    if (!device.driver().hasExtension(kZeQueueUnitsExtension))
      throw HipError(hipErrorNotSupported, "the driver cannot restrict a stream to some of the compute units");
    some.units = units;
    some.pNext = description.pNext;
    description.pNext = &some;
  }
  description.priority = zePriority(priority);
  zeCheck(list_.create(zeCommandListCreateImmediate, device.zeContext(), device.ze(), &description),
          "zeCommandListCreateImmediate");
}

// Commands of the application in the same list or queue are not chained by the runtime's events, so only a driver whose
// lists are always in order keeps them in order with HIP's.
LZAppender::LZAppender(LZDevice &device, StreamOrder::Side side, std::atomic<uint32_t> &unjoined,
                       ze_command_list_handle_t list, ze_command_queue_handle_t queue, uint32_t ordinal)
    : device_(device), order_(side, !device.driver().hasExtension(kZeInOrderListsExtension), unjoined), native_(true),
      list_(list, false) {
  if (!queue)
    return;
  lists_ = std::make_unique<LZClosedLists>(device, queue, ordinal);
}

void LZAppender::ownNative() {
  if (lists_)
    lists_->own();
  else
    list_.own();
}

ze_result_t LZAppender::submitListLocked(uint64_t count) { return lists_->submit(std::move(list_), count); }

void LZAppender::signalLocked(const LZEventRef &event, Counts counts) {
  readyLocked();
  Links links = linksLocked();
  ze_result_t result = ZE_RESULT_SUCCESS;
  if (native_ && order_.chained()) // what the application has appended
    result = zeCommandListAppendBarrier(list_.get(), nullptr, 0, nullptr);
  if (result == ZE_RESULT_SUCCESS)
    result = zeCommandListAppendBarrier(list_.get(), event.ze(), links.count, links.list());
  if (lists_ && result == ZE_RESULT_SUCCESS)
    result = submitListLocked(order_.submitted() + (counts == Counts::yes));
  if (result != ZE_RESULT_SUCCESS)
    throw HipError(failed(result, "zeCommandListAppendBarrier"), {}, result);
  if (counts == Counts::yes)
    order_.countLocked();
  order_.advanceLocked(event, *this);
}

hipError_t LZAppender::signalForeignLocked(const LZEventRef &event, LZEventRef &behind) {
  readyLocked();
  Links links = linksLocked();
  // The event may be reset or signalled for another recording at any time, so it must not stand for this moment: one of
  // the runtime's own does, and the barrier without a list of events waits for everything before it.
  behind = device_.driver().events().acquire();
  ze_result_t result = zeCommandListAppendBarrier(list_.get(), event.ze(), links.count, links.list());
  if (result == ZE_RESULT_SUCCESS)
    result = zeCommandListAppendBarrier(list_.get(), behind.ze(), 0, nullptr);
  if (lists_ && result == ZE_RESULT_SUCCESS)
    result = submitListLocked(order_.submitted() + 1);
  if (result != ZE_RESULT_SUCCESS)
    return failed(result, "zeCommandListAppendBarrier");
  order_.countLocked();
  order_.holdLocked(event, *this);
  order_.advanceLocked(behind, *this);
  return hipSuccess;
}

hipError_t LZAppender::appendWaitLocked(const LZEventRef &event, Profiled profiled) {
  auto append = [&](ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
    // A barrier with a wait list waits for that list alone, so what precedes the barrier has to be in the list.
    ze_event_handle_t both[] = {event.ze(), waitCount ? *waits : nullptr};
    return zeCommandListAppendBarrier(list_.get(), signal, 1 + waitCount, both);
  };
  hipError_t error = profiled == Profiled::yes
                         ? appendLocked(append, [] { return commandNote(trace::CommandType::wait); })
                         : appendLocked(append);
  if (!error)
    order_.holdLocked(event, *this);
  return error;
}

StreamMarker LZAppender::marker() {
  std::lock_guard lock(mutex_);
  if (native_) // there may be commands of the application behind the last one
    signalLocked(device_.driver().events().acquire(), Counts::no);
  return markerLocked();
}

hipError_t LZAppender::failed(ze_result_t result, const char *call) {
  const hipError_t error = zeOutcome(result, call);
  return result == ZE_RESULT_ERROR_DEVICE_LOST ? device_.setLost() : error;
}

} // namespace hiplz
