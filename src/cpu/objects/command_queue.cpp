// SPDX-License-Identifier: MIT
// See command_queue.h.
#include "cpu/objects/command_queue.h"
#include "cpu/check/stream_checks.h"
#include "cpu/exec/futex.h"
#include "cpu/objects/command_list.h"
#include "cpu/objects/context.h"

namespace hiplz::cpu {

ze_command_queue_desc_t withoutExtensions(ze_command_queue_desc_t desc) {
  desc.pNext = nullptr;
  return desc;
}

ze_result_t synchronizeStream(Stream &stream, const Goal &goal, uint64_t timeout) {
  if (!Stream::wait(&stream, goal, deadlineAfter(timeout)))
    return ZE_RESULT_NOT_READY;
  return stream.isLost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

CommandQueue::CommandQueue(Context &context, Device &device, const ze_command_queue_desc_t &desc, uint32_t maxThreads)
    : device(device), desc(withoutExtensions(desc)), context_(context),
      stream_(context.createStream(device, desc.priority, maxThreads)),
      synchronous_(desc.mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS) {}

CommandQueue::~CommandQueue() { context_.destroyStream(stream_); }

ze_result_t CommandQueue::execute(std::span<CommandList *const> lists, Fence *fence) {
  for (const CommandList *list : lists)
    list->requireExecutable(device, desc.ordinal);
  if (stream_->isLost())
    return ZE_RESULT_ERROR_DEVICE_LOST;
  if (!synchronous_)
    requireThreads();
  uint64_t target;
  {
    Lock lock(mutex_);
    for (CommandList *list : lists)
      appendExecution(*stream_, *list);
    if (fence) {
      stream_->arena().append<SignalFenceRecord>(Op::signalFence, nullptr, 0, nullptr).fence = &fence->state;
      fence->state.retain();
    }
    stream_->commit(lists.size() + (fence ? 1 : 0));
    target = stream_->committed();
  }
  return synchronous_ ? synchronizeStream(*stream_, Goal{nullptr, stream_, target}, kForever) : ZE_RESULT_SUCCESS;
}

ze_result_t CommandQueue::synchronize(uint64_t timeout) {
  return synchronizeStream(*stream_, Goal{nullptr, stream_, stream_->committed()}, timeout);
}

ze_result_t CommandQueue::synchronize(Fence &fence, uint64_t timeout) {
  Goal goal;
  goal.signal = &fence.state.signal;
  const ze_result_t result = synchronizeStream(*stream_, goal, timeout);
  check::hostWaitedForAnything();
  return result;
}

ze_result_t CommandQueue::query(const Fence &fence) const {
  if (!fence.state.signal.isSignalled())
    return ZE_RESULT_NOT_READY;
  check::hostWaitedForAnything();
  return stream_->isLost() ? ZE_RESULT_ERROR_DEVICE_LOST : ZE_RESULT_SUCCESS;
}

} // namespace hiplz::cpu
