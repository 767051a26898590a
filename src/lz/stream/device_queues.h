// SPDX-License-Identifier: MIT
// The streams of a device: the default ones, those of the application, and one for the runtime itself; and what is done
// with all of them or with the last one, which the rooms below ask of the device (device/device_work.h).
#pragma once
#include "base/mutex.h"
#include "lz/core/big_reader_lock.h"
#include "lz/core/ze_handle.h"
#include "lz/device/device.h"
#include "lz/stream/queue.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <vector>

namespace hiplz {

/// Thread-safe. Never destroyed, like its device.
class LZDeviceQueues final : public DeviceWork {
public:
  explicit LZDeviceQueues(LZDevice &device) : device_(device) {}
  LZDeviceQueues(const LZDeviceQueues &) = delete;
  LZDeviceQueues &operator=(const LZDeviceQueues &) = delete;

  /// Those of a device, to which LZContext has given them.
  static LZDeviceQueues &of(const LZDevice &device) { return static_cast<LZDeviceQueues &>(device.work()); }

  /// The legacy default stream; created on first use. Throws HipError.
  LZQueue &nullQueue() {
    LZQueue *queue = nullQueueIfUsed();
    return queue ? *queue : onceQueue(nullQueue_, LZQueue::Kind::null);
  }
  /// The same if it has been used, else null. Lock-free.
  LZQueue *nullQueueIfUsed() const { return nullQueue_.load(std::memory_order_acquire); }

  /// The default stream of the calling thread; created on first use. When the thread ends, another may get it, and is
  /// then ordered after what the first one left behind. Throws HipError.
  LZQueue &perThreadQueue();
  /// Takes back what perThreadQueue() gave to a thread that has ended.
  void recycle(LZQueue &perThread) noexcept;

  /// The queue for what the runtime itself does; created on first use. Throws HipError.
  LZQueue &internalQueue() { return onceQueue(internalQueue_, LZQueue::Kind::internal); }

  /// A command queue of Level Zero that HIP itself does not use, for other libraries; created on first use. Throws HipError.
  ze_command_queue_handle_t spareNativeQueue();

  /// A new stream, registered as a live handle. `unitMask` as for LZQueue. Throws HipError.
  LZQueue &createQueue(unsigned flags, int priority, std::vector<uint32_t> unitMask = {});
  /// A stream on native handles, likewise; if `owned`, they are destroyed with it.
  LZQueue &createQueue(unsigned flags, const LZQueue::NativeStream &native, bool owned);
  /// Waits for the queue's work, then destroys it and its handle. Throws HipError{hipErrorContextIsDestroyed} if another
  /// thread was faster.
  hipError_t destroyQueue(LZQueue &queue);

  /// The queues that exist now, kept alive by the result.
  std::vector<std::shared_ptr<LZQueue>> all() const;

  /// How many blocking streams have work that the null stream has not been made to wait for: if there is none, it need not
  /// look for them. Counted by the streams.
  std::atomic<uint32_t> unjoinedQueues{0};
  /// Calls visit(LZQueue &) for each blocking queue, under the shared lock of the list.
  template <class Visit> void forEachBlockingQueue(Visit visit) const {
    std::shared_lock lock(mutex_);
    for (const std::shared_ptr<LZQueue> &queue : queues_)
      if (queue->kind() == LZQueue::Kind::blocking)
        visit(*queue);
  }

  /// Makes all queues drop their kernels of the module (LZQueue::forgetModule).
  void forgetModule(const LZModule &module) noexcept;

  hipError_t synchronize() override;
  bool idle() const override;
  void copyBlocking(void *to, const void *from, size_t bytes) override;
  void copyBlocking(const CopyRegion &region) override;
  void fillBlocking(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) override;
  void fillBlocking(const FillRegion &region) override;

private:
  LZQueue &add(LZQueue::Kind kind, unsigned flags, int priority);
  LZQueue &add(std::shared_ptr<LZQueue> queue);
  LZQueue &onceQueue(std::atomic<LZQueue *> &place, LZQueue::Kind kind);

  LZDevice &device_;                                  // non-owning
  std::atomic<LZQueue *> nullQueue_{nullptr};         // stored (release) once the queue is in queues_
  std::atomic<LZQueue *> internalQueue_{nullptr};     // likewise
  Mutex onceMutex_{LockRank::ownStreams};             // one thread creates the null queue or the internal queue
  ZeCommandQueue spareNativeQueue_;                   // guarded by onceMutex_
  mutable BigReaderLock mutex_{LockRank::streamList}; // guards what follows
  std::vector<std::shared_ptr<LZQueue>> queues_;
  std::vector<LZQueue *> idlePerThreadQueues_; // among queues_
};

} // namespace hiplz
