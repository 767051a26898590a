// SPDX-License-Identifier: MIT
// See command_list.h.
#include "opencl/command_list.h"

namespace hiplz::opencl {

Queue::Queue(Context &context, Device &device, ze_command_queue_mode_t mode)
    : context(context), device(device), memory_(context.driver.memory()), first_(make(false)), now_(first_.get()),
      isSynchronous_(mode == ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS),
      flushes_(isSynchronous_ || !device.abilities().startsUnflushed) {}

ClQueue Queue::make(bool takesTimes) const {
  const cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_int code = CL_SUCCESS;
  ClQueue queue(cl().clCreateCommandQueueWithProperties(context.handleOfCl(), device.id,
                                                        takesTimes ? properties : nullptr, &code));
  checkCl(code, "clCreateCommandQueueWithProperties");
  return queue;
}

// A thread that waits in the other queue meanwhile waits for all that was in it.
void Queue::change() {
  if (!timed_)
    timed_ = make(true);
  const cl_command_queue from = now(), to = from == first_.get() ? timed_.get() : first_.get();
  cl_event end = nullptr;
  checkCl(cl().clEnqueueMarkerWithWaitList(from, 0, nullptr, &end), "clEnqueueMarkerWithWaitList");
  const ClEvent owner(end);
  checkCl(cl().clFlush(from), "clFlush");
  checkCl(cl().clEnqueueBarrierWithWaitList(to, 1, &end, nullptr), "clEnqueueBarrierWithWaitList");
  now_.store(to, std::memory_order_release);
}

// Commands of Level Zero begin without anybody waiting for them; those of OpenCL may wait for a flush.
void Queue::flush() {
  checkCl(cl().clFlush(now()), "clFlush");
  if (isSynchronous_) [[unlikely]]
    checkCl(cl().clFinish(now()), "clFinish");
}

void Queue::submitted(EventState *signal, ClEvent done) {
  if (!signal)
    return submitted(std::move(done));
  endRow();
  submitted(ClEvent());
  signal->signalledBy(std::move(done));
}

void Queue::signal(EventState &event) {
  if (!end_ || event.isTimed())
    return run(nullptr, 0, &event, enqueueBarrier);
  endRow();
  event.signalledBy(std::move(end_));
}

void Queue::reset(EventState &event) {
  cl_event done = nullptr;
  checkCl(cl().clEnqueueMarkerWithWaitList(now(), 0, nullptr, &done), "clEnqueueMarkerWithWaitList");
  const ClEvent owner(done);
  submitted(nullptr, {});
  event.resetBy(owner);
}

ze_result_t Queue::synchronize(uint64_t timeout) {
  // Another thread may append meanwhile.
  cl_event done = nullptr;
  const cl_command_queue queue = now();
  enqueueBarrier({queue, memory_, 0, nullptr, &done});
  ClEvent end(done);
  checkCl(cl().clFlush(queue), "clFlush");
  if (isForever(timeout)) // by far the most frequent, and no event of Level Zero is needed for it
    return waitFor(end.get()) ? ZE_RESULT_SUCCESS : ZE_RESULT_ERROR_DEVICE_LOST;
  const auto state = std::make_shared<EventState>(context, false);
  state->signalledBy(std::move(end));
  return state->synchronize(timeout);
}

void Command::run(Queue &queue) const {
  if (reset)
    queue.reset(*reset);
  else
    queue.run(waits.data(), waits.size(), signal.get(), enqueue);
}

void CommandList::appendBarrier(ze_event_handle_t signal, uint32_t waitCount, ze_event_handle_t *waits) {
  if (immediate_ && signal && waitCount == 0)
    immediate_->signal(*Event::from(signal).state);
  else
    append(signal, waitCount, waits, enqueueBarrier);
}

void CommandList::appendReset(const std::shared_ptr<EventState> &event) {
  if (immediate_)
    immediate_->reset(*event);
  else
    record({{}, nullptr, event, {}});
}

void CommandList::record(Command command) {
  if (isClosed_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command list is closed"};
  commands_.push_back(std::move(command));
}

void CommandList::reset() {
  commands_.clear();
  isClosed_ = false;
}

void CommandList::execute(Queue &queue) const {
  if (immediate_)
    throw Error{ZE_RESULT_ERROR_INVALID_COMMAND_LIST_TYPE};
  if (!isClosed_)
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT, "the command list is not closed"};
  for (const Command &command : commands_)
    command.run(queue);
}

} // namespace hiplz::opencl
