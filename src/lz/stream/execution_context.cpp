// SPDX-License-Identifier: MIT
// Work for all streams of an execution context.
#include "lz/stream/execution_context.h"
#include "lz/core/handle_table.h"
#include "lz/core/numbering.h"
#include "lz/stream/capture_sink.h"
#include "lz/stream/device_queues.h"
#include "lz/stream/event.h"

#include <algorithm>

namespace hiplz {

LZExecutionContext::LZExecutionContext(LZDevice &device)
    : units_(UnitSet::all(device)), id_(newNumber<LZExecutionContext>()), isDevice_(true) {
  HandleTable<LZExecutionContext>::ofProcess().add(*this);
}

LZExecutionContext::LZExecutionContext(Part, const UnitSet &units)
    : units_(units), id_(newNumber<LZExecutionContext>()), isDevice_(false) {}

LZExecutionContext &LZExecutionContext::create(const UnitSet &units) {
  std::unique_ptr<LZExecutionContext> context(new LZExecutionContext(Part{}, units));
  HandleTable<LZExecutionContext>::ofProcess().add(*context);
  OwnedObjects::made("an execution context", context.get());
  return *context.release();
}

hipError_t LZExecutionContext::destroy(LZExecutionContext &context) {
  if (context.isDevice_)
    return refuse(hipErrorInvalidValue, "the execution context of a device cannot be destroyed");
  if (!HandleTable<LZExecutionContext>::ofProcess().remove(context))
    return refuse(hipErrorInvalidValue, "another thread has destroyed the execution context meanwhile");
  const std::unique_ptr<LZExecutionContext> last(&context);
  for (const std::shared_ptr<LZQueue> &queue : context.streams()) {
    if (CaptureSink *sink = queue->captured())
      (void)sink->refuse(*queue); // what captures it becomes invalid
    queue->detach();
  }
  // A fault was or will be reported by others.
  for (const Own *own : {&context.joint_, &context.gate_})
    if (own->queue)
      (void)own->queue->finish();
  return hipSuccess;
}

LZQueue &LZExecutionContext::Own::get(LZDevice &device) {
  std::call_once(
      once, [&] { queue = std::make_unique<LZQueue>(device, LZQueue::Kind::nonBlocking, hipStreamNonBlocking, 0); });
  return *queue;
}

std::vector<std::shared_ptr<LZQueue>> LZExecutionContext::streams() const {
  std::vector<std::shared_ptr<LZQueue>> all = LZDeviceQueues::of(device()).all();
  std::erase_if(all, [&](const std::shared_ptr<LZQueue> &queue) {
    return isDevice_ ? queue->kind() == LZQueue::Kind::internal : queue->executionContext() != id_;
  });
  return all;
}

hipError_t LZExecutionContext::refuseCaptured(const std::vector<std::shared_ptr<LZQueue>> &streams) {
  hipError_t first = hipSuccess;
  for (const std::shared_ptr<LZQueue> &queue : streams)
    if (CaptureSink *sink = queue->captured())
      if (hipError_t error = sink->refuse(*queue); !first)
        first = error;
  return first;
}

LZQueue &LZExecutionContext::createStream(unsigned flags, int priority) {
  LZDeviceQueues &queues = LZDeviceQueues::of(device());
  LZQueue *queue;
  if (isDevice_) {
    queue = &queues.createQueue(flags, priority);
  } else {
    std::vector<uint32_t> mask = units_.mask();
    if (units_.count() == device().multiprocessors())
      mask.clear();
    queue = &queues.createQueue(hipStreamNonBlocking, priority, std::move(mask));
    queue->setExecutionContext(id_);
  }
  // After the stream can be found: waitFor() either finds it, or has passed its event to the gate before.
  if (gated_.load(std::memory_order_acquire))
    if (hipError_t error = queue->wait(gate_.get(device()).record(false))) {
      queues.destroyQueue(*queue);
      throw HipError(error, "a stream cannot wait for the events that its execution context waits for");
    }
  return *queue;
}

hipError_t LZExecutionContext::synchronize() {
  const std::vector<std::shared_ptr<LZQueue>> all = streams();
  if (hipError_t error = refuseCaptured(all))
    return error;
  if (isDevice_)
    return device().synchronize();
  hipError_t first = hipSuccess;
  for (const std::shared_ptr<LZQueue> &queue : all)
    if (hipError_t error = queue->finish(); !first)
      first = error;
  return first;
}

hipError_t LZExecutionContext::record(LZEvent &event) {
  const std::vector<std::shared_ptr<LZQueue>> all = streams();
  if (hipError_t error = refuseCaptured(all))
    return error;
  LZQueue &joint = joint_.get(device());
  for (const std::shared_ptr<LZQueue> &queue : all)
    if (!queue->idle())
      if (hipError_t error = joint.wait(queue->record(false)))
        return error;
  return event.record(joint);
}

hipError_t LZExecutionContext::waitFor(LZEvent &event) {
  if (hipError_t error = event.refuseCaptured())
    return error;
  if (hipError_t error = refuseCaptured(streams()))
    return error;
  gated_.store(true, std::memory_order_release);
  if (hipError_t error = event.waitIn(gate_.get(device())))
    return error;
  hipError_t first = hipSuccess;
  for (const std::shared_ptr<LZQueue> &queue : streams())
    if (hipError_t error = event.waitIn(*queue); !first)
      first = error;
  return first;
}

} // namespace hiplz
