// SPDX-License-Identifier: MIT
// The list of streams, waiting for all of them, and the streams of threads.
#include "lz/stream/device_queues.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/core/handle_table.h"
#include "lz/device/device_list.h"
#include "lz/memory/copy_region.h"
#include "lz/memory/memory_pools.h"
#include "lz/stream/capture_sink.h"

#include <algorithm>
#include <new>
#include <utility>

namespace hiplz {
namespace {

/// The default streams of one thread, by the ordinals of the devices; null where it has none.
struct PerThreadQueues {
  // A plain pointer: destructors that run after the guard's below may still use default streams.
  static constinit thread_local std::vector<LZQueue *> *byDevice;

  struct ThreadEnd {
    ~ThreadEnd() {
      // In a forked child, and when the process ends, the queues are dead.
      if (runtimeUsable())
        for (LZQueue *queue : *byDevice)
          if (queue)
            LZDeviceQueues::of(queue->device()).recycle(*queue);
      delete std::exchange(byDevice, nullptr);
    }
  };

  static LZQueue *&placeFor(const LZDevice &device) {
    if (!byDevice) {
      byDevice = new std::vector<LZQueue *>(allDevices().size());
      thread_local ThreadEnd end;
    }
    return (*byDevice)[device.ordinal()];
  }
};
constinit thread_local std::vector<LZQueue *> *PerThreadQueues::byDevice = nullptr;

} // namespace

LZQueue &LZDeviceQueues::add(LZQueue::Kind kind, unsigned flags, int priority) {
  return add(std::make_shared<LZQueue>(device_, kind, flags, priority));
}

LZQueue &LZDeviceQueues::add(std::shared_ptr<LZQueue> queue) {
  std::lock_guard lock(mutex_);
  queues_.push_back(queue);
  return *queue;
}

LZQueue &LZDeviceQueues::onceQueue(std::atomic<LZQueue *> &place, LZQueue::Kind kind) {
  if (LZQueue *queue = place.load(std::memory_order_acquire))
    return *queue;
  std::lock_guard lock(onceMutex_);
  if (LZQueue *queue = place.load(std::memory_order_acquire))
    return *queue;
  LZQueue &queue = add(kind, hipStreamDefault, 0);
  place.store(&queue, std::memory_order_release);
  return queue;
}

LZQueue &LZDeviceQueues::perThreadQueue() {
  LZQueue *&place = PerThreadQueues::placeFor(device_);
  if (!place) {
    {
      std::lock_guard lock(mutex_);
      if (!idlePerThreadQueues_.empty()) {
        place = idlePerThreadQueues_.back();
        idlePerThreadQueues_.pop_back();
      }
    }
    if (!place)
      place = &add(LZQueue::Kind::blocking, hipStreamDefault, 0);
  }
  return *place;
}

void LZDeviceQueues::recycle(LZQueue &queue) noexcept {
  if (CaptureSink *sink = queue.captured())
    sink->abandon(queue);
  std::lock_guard lock(mutex_);
  try {
    idlePerThreadQueues_.push_back(&queue);
  } catch (const std::bad_alloc &) {
    // The queue stays in queues_ and is synchronised with the device; no thread will use it again.
    HIPLZ_LOG_ERROR("out of memory while a thread ended; its default stream is not reused");
  }
}

LZQueue &LZDeviceQueues::createQueue(unsigned flags, int priority, std::vector<uint32_t> unitMask) {
  const auto kind = flags & hipStreamNonBlocking ? LZQueue::Kind::nonBlocking : LZQueue::Kind::blocking;
  LZQueue &queue = add(std::make_shared<LZQueue>(
      device_, kind, flags, std::clamp(priority, LZDevice::kGreatestPriority, LZDevice::kLeastPriority),
      std::move(unitMask)));
  HandleTable<LZQueue>::ofProcess().add(queue);
  OwnedObjects::made("a stream", &queue);
  return queue;
}

ze_command_queue_handle_t LZDeviceQueues::spareNativeQueue() {
  const std::lock_guard lock(onceMutex_);
  if (!spareNativeQueue_.get()) {
    const ze_command_queue_desc_t description = device_.nextHardwareQueue();
    zeCheck(spareNativeQueue_.create(zeCommandQueueCreate, device_.zeContext(), device_.ze(), &description),
            "zeCommandQueueCreate");
  }
  return spareNativeQueue_.get();
}

LZQueue &LZDeviceQueues::createQueue(unsigned flags, const LZQueue::NativeStream &native, bool owned) {
  LZQueue &queue = add(std::make_shared<LZQueue>(device_, flags, native));
  HandleTable<LZQueue>::ofProcess().add(queue);
  OwnedObjects::made("a stream", &queue);
  if (owned)
    queue.ownNative();
  return queue;
}

hipError_t LZDeviceQueues::destroyQueue(LZQueue &queue) {
  if (!HandleTable<LZQueue>::ofProcess().remove(queue))
    throw HipError(hipErrorContextIsDestroyed, "another thread has destroyed the stream meanwhile");
  // A fault was or will be reported by others; the stream is destroyed nevertheless.
  queue.finish();
  queue.withdrawIfJoined();
  std::shared_ptr<LZQueue> last; // destroyed after the lock is released
  std::lock_guard lock(mutex_);
  auto entry = std::find_if(queues_.begin(), queues_.end(), [&](const auto &q) { return q.get() == &queue; });
  last = std::move(*entry);
  queues_.erase(entry);
  return hipSuccess;
}

std::vector<std::shared_ptr<LZQueue>> LZDeviceQueues::all() const {
  std::shared_lock lock(mutex_);
  return queues_;
}

void LZDeviceQueues::forgetModule(const LZModule &module) noexcept {
  // One after the other by their ids, as a copy of the list could fail.
  const auto after = [&](uint64_t id) {
    std::shared_ptr<LZQueue> next;
    std::shared_lock lock(mutex_);
    for (const std::shared_ptr<LZQueue> &queue : queues_)
      if (queue->id() > id && (!next || queue->id() < next->id()))
        next = queue;
    return next;
  };
  for (std::shared_ptr<LZQueue> queue = after(0); queue; queue = after(queue->id()))
    queue->forgetModule(module);
}

bool LZDeviceQueues::idle() const {
  std::shared_lock lock(mutex_);
  return std::all_of(queues_.begin(), queues_.end(), [](const auto &queue) { return queue->idle(); });
}

hipError_t LZDeviceQueues::synchronize() {
  hipError_t first = device_.fault();
  if (!idle())
    for (const std::shared_ptr<LZQueue> &queue : all())
      if (hipError_t error = queue->finish(); error && !first)
        first = error;
  LZMemoryPools::of(device_).synchronised();
  return first;
}

void LZDeviceQueues::copyBlocking(void *to, const void *from, size_t bytes) {
  copyBlocking(linearRegion(to, from, bytes, hipMemcpyDefault));
}

void LZDeviceQueues::copyBlocking(const CopyRegion &region) {
  if (hipError_t error = internalQueue().copyRegion(region, memoryOf(region), true))
    throw HipError(error, "a copy of the runtime failed");
}

void LZDeviceQueues::fillBlocking(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) {
  fillBlocking(linearFill(to, pattern, patternBytes, bytes / patternBytes));
}

void LZDeviceQueues::fillBlocking(const FillRegion &region) {
  hipError_t error = internalQueue().fillRegion(region, memoryOf(region));
  if (!error)
    error = internalQueue().synchronize();
  if (error)
    throw HipError(error, "a fill of the runtime failed");
}

} // namespace hiplz
