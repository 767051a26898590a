// SPDX-License-Identifier: MIT
// Queues of a device, waiting for all of them, reset.
#include "lz/device/device.h"
#include "base/log.h"
#include "lz/context/context.h"
#include "lz/core/error.h"
#include "lz/core/thread_state.h"
#include "lz/core/ze_extensions.h"
#include "lz/graph/capture.h"
#include "lz/memory/copy_region.h"
#include "lz/module/printf.h"
#include "lz/module/registry.h"

#include <algorithm>
#include <cmath>
#include <mutex>

namespace hiplz {

LZDevice::LZDevice(LZDriver &driver, ze_device_handle_t device, int ordinal)
    : driver_(driver), ze_(device), ordinal_(ordinal) {
  readProperties();
}

LZDevice::~LZDevice() = default;

double LZDevice::elapsedNanoseconds(uint64_t from, uint64_t to, double hostNanoseconds) const {
  const double ticks = static_cast<double>((to - from) & timestampMask_);
  if (timestampMask_ == UINT64_MAX)
    return static_cast<double>(static_cast<int64_t>(to - from)) * timestampPeriod_;
  const double period = (static_cast<double>(timestampMask_) + 1.0) * timestampPeriod_;
  const double elapsed = ticks * timestampPeriod_;
  return elapsed + std::round((hostNanoseconds - elapsed) / period) * period;
}

std::pair<uint32_t, uint32_t> LZDevice::nextHardwareQueue() {
  return {computeOrdinal_, nextIndex_.fetch_add(1, std::memory_order_relaxed) % computeQueues_};
}

LZQueue &LZDevice::addQueue(LZQueue::Kind kind, unsigned flags, int priority) {
  return addQueue(std::make_shared<LZQueue>(*this, kind, flags, priority));
}

LZQueue &LZDevice::addQueue(std::shared_ptr<LZQueue> queue) {
  std::lock_guard lock(queuesMutex_);
  queues_.push_back(queue);
  return *queue;
}

LZQueue &LZDevice::onceQueue(std::atomic<LZQueue *> &place, LZQueue::Kind kind) {
  if (LZQueue *queue = place.load(std::memory_order_acquire))
    return *queue;
  std::lock_guard lock(onceMutex_);
  if (LZQueue *queue = place.load(std::memory_order_acquire))
    return *queue;
  LZQueue &queue = addQueue(kind, hipStreamDefault, 0);
  place.store(&queue, std::memory_order_release);
  return queue;
}

uint64_t LZDevice::remainingMemory() const {
  uint64_t usable = totalMemory_, reported = 0;
  if (auto ask = reinterpret_cast<HiplzDeviceGetUsableMemory>(driver_.extensionFunction("hiplzDeviceGetUsableMemory"));
      ask && ask(driverHandle(ze_), &reported) == ZE_RESULT_SUCCESS)
    usable = std::min(usable, reported);
  return usable - std::min(usable, allocatedBytes.load(std::memory_order_relaxed));
}

LZQueue &LZDevice::nullQueue() { return onceQueue(nullQueue_, LZQueue::Kind::null); }

LZQueue &LZDevice::perThreadQueue() {
  LZQueue *&place = perThreadQueueOf(ordinal_);
  if (!place) {
    {
      std::lock_guard lock(queuesMutex_);
      if (!idlePerThreadQueues_.empty()) {
        place = idlePerThreadQueues_.back();
        idlePerThreadQueues_.pop_back();
      }
    }
    if (!place)
      place = &addQueue(LZQueue::Kind::blocking, hipStreamDefault, 0);
  }
  return *place;
}

void LZDevice::recyclePerThreadQueue(LZQueue &queue) noexcept {
  LZCapture::abandon(queue);
  std::lock_guard lock(queuesMutex_);
  try {
    idlePerThreadQueues_.push_back(&queue);
  } catch (const std::bad_alloc &) {
    // The queue stays in queues_ and is synchronised with the device; no thread will use it again.
    HIPLZ_LOG_ERROR("out of memory while a thread ended; its default stream is not reused");
  }
}

LZQueue &LZDevice::createQueue(unsigned flags, int priority) {
  const auto kind = flags & hipStreamNonBlocking ? LZQueue::Kind::nonBlocking : LZQueue::Kind::blocking;
  LZQueue &queue = addQueue(kind, flags, std::clamp(priority, kGreatestPriority, kLeastPriority));
  LZContext::instance().addHandle(queue);
  return queue;
}

hipError_t LZDevice::destroyQueue(LZQueue &queue) {
  if (!LZContext::instance().removeHandle(&queue))
    throw HipError(hipErrorContextIsDestroyed, "another thread has destroyed the stream meanwhile");
  // A fault was or will be reported by others; the stream is destroyed nevertheless.
  queue.finish();
  queue.noteJoined();
  std::shared_ptr<LZQueue> last; // destroyed after the lock is released
  std::lock_guard lock(queuesMutex_);
  auto entry = std::find_if(queues_.begin(), queues_.end(), [&](const auto &q) { return q.get() == &queue; });
  last = std::move(*entry);
  queues_.erase(entry);
  return hipSuccess;
}

std::vector<std::shared_ptr<LZQueue>> LZDevice::queues() const {
  std::shared_lock lock(queuesMutex_);
  return queues_;
}

hipError_t LZDevice::synchronize() {
  hipError_t first = fault();
  bool idle;
  {
    std::shared_lock lock(queuesMutex_);
    idle = std::all_of(queues_.begin(), queues_.end(), [](const auto &queue) { return queue->idle(); });
  }
  if (!idle)
    for (const std::shared_ptr<LZQueue> &queue : queues())
      if (hipError_t error = queue->finish(); error && !first)
        first = error;
  pools_.synchronised();
  return first;
}

void LZDevice::printOutput() noexcept {
  if (!prints_.load(std::memory_order_acquire))
    return;
  try {
    LZPrintf::of(*this).drain();
  } catch (const std::exception &error) {
    HIPLZ_LOG_ERROR("the output of printf in kernels cannot be read: %s", error.what());
  }
}

void LZDevice::copyBlocking(void *to, const void *from, size_t bytes) {
  copyBlocking(linearRegion(to, from, bytes, hipMemcpyDefault));
}

void LZDevice::copyBlocking(const CopyRegion &region) {
  if (hipError_t error = internalQueue().copyRegion(region, true))
    throw HipError(error, "a copy of the runtime failed");
}

void LZDevice::fillBlocking(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) {
  fillBlocking(linearFill(to, pattern, patternBytes, bytes / patternBytes));
}

void LZDevice::fillBlocking(const FillRegion &region) {
  hipError_t error = internalQueue().fillRegion(region);
  if (!error)
    error = internalQueue().synchronize();
  if (error)
    throw HipError(error, "a fill of the runtime failed");
}

hipError_t LZDevice::reset() {
  const hipError_t error = synchronize();
  LZContext &context = LZContext::instance();
  while (std::optional<Allocation> allocation = context.allocations().anyOf(*this))
    freeMemory(context, allocation->base);
  pools_.setCurrent(pools_.standard());
  pools_.trim();
  scheduleFlags = hipDeviceScheduleAuto;
  const hipError_t gaveUp = abort_.reason();
  if (!lost())
    abort_.clear();
  if (!fault()) {
    heap_.clear();
    LZRegistry::instance().reload(*this);
  }
  return error == gaveUp ? lost() : error;
}

} // namespace hiplz
