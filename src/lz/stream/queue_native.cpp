// SPDX-License-Identifier: MIT
// Streams that are made from native handles, and native events in streams.
#include "lz/context/context.h"
#include "lz/module/grid.h"
#include "lz/stream/callback.h"
#include "lz/stream/queue_lists.h"
#include "lz/stream/queue_submit.h"
#include "lz/sync/event.h"

namespace hiplz {

LZQueueLists::~LZQueueLists() {
  if (queue_ && !submitted_.empty())
    zeCommandQueueSynchronize(queue_.get(), UINT64_MAX);
}

ZeCommandList LZQueueLists::next(uint64_t drained) {
  // A list is over for certain when a command of a later one is complete.
  if (!submitted_.empty() && submitted_.front().count < drained) {
    ZeCommandList list = std::move(submitted_.front().list);
    submitted_.pop_front();
    LZ_CALL(zeCommandListReset, (list.get()));
    return list;
  }
  ze_command_list_desc_t description{};
  description.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC;
  description.commandQueueGroupOrdinal = ordinal_;
  ZeCommandList list;
  LZ_CALL(zeCommandListCreate, (device_.zeContext(), device_.ze(), &description, list.receive()));
  return list;
}

ze_result_t LZQueueLists::submit(ZeCommandList list, uint64_t count) {
  ze_command_list_handle_t handle = list.get();
  submitted_.push_back({count, std::move(list)});
  if (ze_result_t result = zeCommandListClose(handle))
    return result;
  return zeCommandQueueExecuteCommandLists(queue_.get(), 1, &handle, nullptr);
}

// Commands of the application in the same list or queue are not chained by the runtime's events, so only a driver whose
// lists are always in order keeps them in order with HIP's.
LZQueue::LZQueue(LZDevice &device, unsigned flags, const NativeStream &native)
    : device_(device), kind_(flags & hipStreamNonBlocking ? Kind::nonBlocking : Kind::blocking), flags_(flags),
      priority_(0), inOrder_(device.driver().hasExtension(kZeInOrderListsExtension)), native_(true),
      list_(native.list, false) {
  if (!native.queue)
    return;
  lists_ = std::make_unique<LZQueueLists>(device, native.queue, native.ordinal);
  list_ = lists_->next(0);
}

void LZQueue::ownNative() {
  if (lists_)
    lists_->own();
  else
    list_.own();
}

ze_command_list_handle_t LZQueue::nativeList() const { return lists_ ? nullptr : list_.get(); }
ze_command_queue_handle_t LZQueue::nativeQueue() const { return lists_ ? lists_->ze() : nullptr; }

ze_result_t LZQueue::submitListLocked(uint64_t count) {
  const ze_result_t result = lists_->submit(std::move(list_), count);
  list_ = lists_->next(drained());
  return result;
}

// Each question would be one more command, so it is asked once: calls go on looking at the same event until it is
// signalled.
hipError_t LZQueue::queryNative() {
  Held mark;
  {
    std::lock_guard lock(mutex_);
    if (!asked_.event) {
      signalLocked(device_.driver().events().acquire(), Counts::no);
      asked_ = markerLocked();
    }
    mark = asked_;
    const ze_result_t result = mark.event.query();
    if (result == ZE_RESULT_NOT_READY)
      return hipErrorNotReady;
    asked_ = {};
    if (result != ZE_RESULT_SUCCESS)
      return failed(result, "zeEventQueryStatus");
  }
  return waitFor(mark);
}

// Closed lists go into immediate lists. A queue has none, so the graph is launched beside it, in order with it.
hipError_t LZQueue::launchBeside(LZGraphExec &exec) {
  LZQueue &beside = device_.internalQueue();
  const LZEventRef before = record(false);
  if (hipError_t error = beside.wait(before))
    return error;
  if (hipError_t error = beside.launch(exec))
    return error;
  return wait(beside.record(false));
}

LZEvent::LZEvent(LZDevice &device, LZEventRef native) : device_(device), flags_(hipEventDefault), native_(native) {
  recording_.event = std::move(native);
}

// There is one Level Zero event for all recordings, so one has to be over before the next begins.
hipError_t LZEvent::recordNative(LZQueue &queue) {
  LZEventRef over;
  {
    std::lock_guard lock(mutex_);
    over = recorded_;
  }
  if (over)
    if (hipError_t error = outcome(over.wait(), "zeEventHostSynchronize"))
      return error;
  LZ_CALL(zeEventHostReset, (native_.ze()));
  if (hipError_t error = queue.signal(native_, &over))
    return error;
  // The application may signal its event, too: that it is signalled says nothing about the queue.
  setRecording({.event = native_, .hostTime = std::chrono::steady_clock::now()});
  std::lock_guard lock(mutex_);
  std::swap(recorded_, over);
  return hipSuccess;
}

LZQueue &LZDevice::createQueue(unsigned flags, const LZQueue::NativeStream &native, bool owned) {
  LZQueue &queue = addQueue(std::make_shared<LZQueue>(*this, flags, native));
  LZContext::instance().addHandle(queue);
  if (owned)
    queue.ownNative();
  return queue;
}

} // namespace hiplz
