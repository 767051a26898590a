// SPDX-License-Identifier: MIT
// See context.h.
#include "cpu/objects/context.h"
#include "cpu/exec/futex.h"
#include "cpu/objects/driver.h"

#include <algorithm>

namespace hiplz::cpu {
namespace {
Priority toPriority(ze_command_queue_priority_t priority) {
  switch (priority) {
  case ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH: return Priority::high;
  case ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW: return Priority::low;
  default: return Priority::normal;
  }
}
} // namespace

Context::Context(Driver &driver, const std::vector<Device *> &devices) : driver_(driver) {
  for (Device *device : devices)
    devices_.push_back({device, std::make_shared<DeviceStatus>(device->lostContexts, device->fault)});
  driver.contexts().lock()->push_back(this);
}

Context::~Context() {
  std::erase(*driver_.contexts().lock(), this);
  for (const PerDevice &entry : devices_)
    entry.status->forget();
  const auto work = work_.lock();
  for (const Deferred &deferred : work->deferred)
    driver_.allocations().release(deferred.allocation);
  driver_.virtualMemory().freeAll(*this);
  driver_.allocations().freeAll(*this);
}

bool Context::Deferred::isOver() const {
  return std::all_of(users.begin(), users.end(), [](const Stream::Progress &user) { return user.isReached(); });
}

void Context::releaseLater(const Allocation &allocation) {
  const auto work = work_.lock();
  Deferred deferred{allocation, {}};
  for (const DeviceStream &entry : work->streams)
    if (Stream::Progress progress = entry.stream->progress(); !progress.isReached())
      deferred.users.push_back(progress);
  if (deferred.users.empty())
    return driver_.allocations().release(allocation);
  work->deferred.push_back(std::move(deferred));
  hasDeferred_.store(true);
}

void Context::releaseDeferred() {
  if (!hasDeferred_.load())
    return;
  const auto work = work_.lock();
  std::erase_if(work->deferred, [this](const Deferred &deferred) {
    if (!deferred.isOver())
      return false;
    driver_.allocations().release(deferred.allocation);
    return true;
  });
  hasDeferred_.store(!work->deferred.empty());
}

void Context::requireDevice(const Device &device) const {
  for (const PerDevice &entry : devices_)
    if (entry.device == &device)
      return;
  throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
}

ze_result_t Context::status() const {
  for (const PerDevice &entry : devices_)
    if (entry.status->isLost())
      return ZE_RESULT_ERROR_DEVICE_LOST;
  return ZE_RESULT_SUCCESS;
}

Stream *Context::createStream(Device &device, ze_command_queue_priority_t priority, uint32_t maxThreads) {
  auto found = std::find_if(devices_.begin(), devices_.end(), [&](auto &entry) { return entry.device == &device; });
  if (found == devices_.end())
    throw Error{ZE_RESULT_ERROR_INVALID_ARGUMENT};
  const auto work = work_.lock();
  work->streams.reserve(work->streams.size() + 1);
  work->streams.push_back({&device, Stream::create(found->status, toPriority(priority), maxThreads)});
  return work->streams.back().stream;
}

void Context::destroyStream(Stream *stream) {
  std::erase_if(work_.lock()->streams, [&](const DeviceStream &entry) { return entry.stream == stream; });
  stream->destroy();
}

void Context::addProgress(const Device &device, std::vector<Stream::Progress> &progress) const {
  const auto work = work_.lock();
  for (const DeviceStream &entry : work->streams)
    if (entry.device == &device)
      progress.push_back(entry.stream->progress());
}

void Context::drain() const {
  std::vector<Stream::Progress> submitted;
  for (const PerDevice &entry : devices_)
    addProgress(*entry.device, submitted);
  for (const Stream::Progress &progress : submitted)
    progress.wait();
}

} // namespace hiplz::cpu
