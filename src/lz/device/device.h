// SPDX-License-Identifier: MIT
// A device: its properties, read once, and its queues.
#pragma once
#include "lz/core/big_reader_lock.h"
#include "lz/device/driver.h"
#include "lz/memory/memory_pools.h"
#include "lz/module/abort.h"
#include "lz/module/device_heap.h"
#include "lz/stream/queue.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

namespace hiplz {

/// Properties are immutable and free to read for every thread; the list of queues has a lock of its own.
class LZDevice {
public:
  LZDevice(LZDriver &driver, ze_device_handle_t device, int ordinal);
  LZDevice(const LZDevice &) = delete;
  LZDevice &operator=(const LZDevice &) = delete;
  ~LZDevice();

  LZDriver &driver() const { return driver_; }
  ze_device_handle_t ze() const { return ze_; }
  ze_context_handle_t zeContext() const { return driver_.zeContext(); }
  int ordinal() const { return ordinal_; }

  const ze_device_properties_t &properties() const { return properties_; }
  const ze_device_compute_properties_t &compute() const { return compute_; }
  const ze_device_module_properties_t &moduleProperties() const { return module_; }
  const ze_device_memory_access_properties_t &memoryAccess() const { return memoryAccess_; }
  const ze_pci_ext_properties_t &pci() const { return pci_; }
  /// Engines that only copy, beside the ones that run kernels.
  uint32_t copyEngines() const { return copyEngines_; }
  uint32_t computeEngines() const { return computeQueues_; }
  /// Sub-slices: what HIP calls multiprocessors or compute units.
  uint32_t multiprocessors() const { return std::max(1u, properties_.numSlices * properties_.numSubslicesPerSlice); }
  /// Work-items that one of them holds at the same time; at least a block of the largest size.
  uint32_t residentThreads() const {
    // A hardware thread executes one warp at a time.
    return std::max(properties_.numEUsPerSubslice * properties_.numThreadsPerEU * kWarpSize,
                    compute_.maxTotalGroupSize);
  }
  /// The same on every device (docs/architecture.md, seam 1).
  static constexpr uint32_t kWarpSize = 32;
  /// Bytes of dynamic shared memory that a kernel with `fixed` bytes of its own can have.
  uint32_t maxDynamicShared(size_t fixed) const;
  /// How often the device's clock ticks in a second.
  double timestampHertz() const { return 1e9 / timestampPeriod_; }
  uint64_t totalMemory() const { return totalMemory_; }
  /// Bytes that the application can still have, as far as the driver knows of limits and other users.
  uint64_t remainingMemory() const;
  uint32_t memoryClockKHz() const { return memoryClockKHz_; }
  uint32_t memoryBusBits() const { return memoryBusBits_; }
  uint64_t cacheBytes() const { return cacheBytes_; }

  /// Text that changes whenever compiled binaries for this device may have to change: device, driver version.
  std::string binaryIdentity() const;

  /// Nanoseconds between two kernel timestamps of this device, given how far apart the host thinks they are: the
  /// counters are narrow and wrap within minutes, the host's estimate says how often.
  double elapsedNanoseconds(uint64_t from, uint64_t to, double hostNanoseconds) const;

  /// Whether commands and kernels of this device read and write all of the host's memory, allocated by whomever.
  bool reachesAllMemory() const {
    constexpr auto kReadWrite = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    return (memoryAccess_.sharedSystemAllocCapabilities & kReadWrite) == kReadWrite;
  }

  /// Whether kernels of this device can use memory of the other one, and atomic operations on it.
  bool canAccess(const LZDevice &peer) const;
  bool hasPeerAtomics(const LZDevice &peer) const;
  /// Whether several devices can use atomic operations on the same memory of the host.
  bool sharesHostAtomics() const;

  /// Whether the queues that streams use take cooperative launches.
  bool launchesCooperatively() const { return launchesCooperatively_; }

  /// The flags of hipSetDeviceFlags; they change nothing but what hipGetDeviceFlags answers.
  std::atomic<unsigned> scheduleFlags{hipDeviceScheduleAuto};

  /// Bytes of device memory that the application holds; hipMemGetInfo is computed from it.
  std::atomic<uint64_t> allocatedBytes{0};

  /// Where its memory comes from.
  LZMemoryPools &pools() { return pools_; }

  /// Where kernels allocate.
  LZDeviceHeap &heap() { return heap_; }

  /// The legacy default stream; created on first use. Throws HipError.
  LZQueue &nullQueue();

  /// The default stream of the calling thread; created on first use. When the thread ends, another may get it, and is
  /// then ordered after what the first one left behind. Throws HipError.
  LZQueue &perThreadQueue();
  /// A queue that perThreadQueue() gave to a thread which has ended.
  void recyclePerThreadQueue(LZQueue &queue) noexcept;

  /// Ordinal and index of the command queue that the next stream uses: streams are spread over the compute engines.
  std::pair<uint32_t, uint32_t> nextHardwareQueue();

  /// The queue for what the runtime itself does; created on first use. Throws HipError.
  LZQueue &internalQueue() { return onceQueue(internalQueue_, LZQueue::Kind::internal); }

  /// A new stream, registered as a live handle. Throws HipError.
  LZQueue &createQueue(unsigned flags, int priority);
  /// A stream on native handles, likewise; if `owned`, they are destroyed with it.
  LZQueue &createQueue(unsigned flags, const LZQueue::NativeStream &native, bool owned);
  /// Waits for the queue's work, then destroys it and its handle. Throws HipError{hipErrorContextIsDestroyed} if another
  /// thread was faster.
  hipError_t destroyQueue(LZQueue &queue);

  /// HIP's numbers for stream priorities; 0 is normal.
  static constexpr int kLeastPriority = 1, kGreatestPriority = -1;

  /// Waits for everything submitted to any queue of the device; costs next to nothing when all are known to be idle.
  /// Returns the first error, all queues are waited for.
  hipError_t synchronize();

  /// The queues that exist now, kept alive by the result.
  std::vector<std::shared_ptr<LZQueue>> queues() const;

  /// How many blocking streams have work that the null stream has not been made to wait for: if there is none, it has not
  /// to look for them. Counted by the streams.
  std::atomic<uint32_t> unjoinedQueues{0};
  /// Calls visit(LZQueue &) for each blocking queue, under the shared lock of the list.
  template <class Visit> void forEachBlockingQueue(Visit visit) const {
    std::shared_lock lock(queuesMutex_);
    for (const std::shared_ptr<LZQueue> &queue : queues_)
      if (queue->kind() == LZQueue::Kind::blocking)
        visit(*queue);
  }
  /// The null queue if it has been used, else null. Lock-free.
  LZQueue *nullQueueIfUsed() const { return nullQueue_.load(std::memory_order_acquire); }

  /// hipSuccess, or the error that every later call returns, because the device is lost or a kernel gave up.
  hipError_t fault() const {
    const hipError_t lost = this->lost();
    return lost ? lost : abort_.reason();
  }
  /// The part of it that stays until the process ends: nothing can be submitted to the driver, or waited for.
  hipError_t lost() const { return lost_.load(std::memory_order_relaxed); }
  void setLost(hipError_t error) { lost_.store(error, std::memory_order_relaxed); }
  /// The other part: kernels that called assert, abort or __trap. hipDeviceReset ends it.
  LZAbort &abort() { return abort_; }

  /// A kernel that prints has been launched: from now on printOutput() looks for output.
  void expectOutput() { prints_.store(true, std::memory_order_release); }
  /// Prints what finished kernels have printed. Call after the host has waited for them. A failure is only logged.
  void printOutput() noexcept;

  /// hipDeviceReset: waits for the queues, forgets why a kernel gave up, frees the device's allocations, gives the variables
  /// of modules their initial values, and takes back the flags and the choice of a memory pool. Streams and events stay
  /// usable. Returns the error that the wait met; a lost device stays lost, because Level Zero cannot revive it. Throws
  /// HipError.
  hipError_t reset();

  /// Copies or fills right now, in no order with any stream: for globals and tables of the runtime itself. Either side
  /// of a copy may be any host memory. Throws HipError.
  void copyBlocking(void *to, const void *from, size_t bytes);
  void copyBlocking(const CopyRegion &region);
  void fillBlocking(void *to, uint32_t pattern, size_t patternBytes, size_t bytes);
  void fillBlocking(const FillRegion &region);

private:
  void readProperties();
  LZQueue &addQueue(LZQueue::Kind kind, unsigned flags, int priority);
  LZQueue &addQueue(std::shared_ptr<LZQueue> queue);
  LZQueue &onceQueue(std::atomic<LZQueue *> &place, LZQueue::Kind kind);

  LZDriver &driver_;      // non-owning
  ze_device_handle_t ze_; // belongs to the driver
  int ordinal_;
  ze_device_properties_t properties_{};
  ze_device_compute_properties_t compute_{};
  ze_device_module_properties_t module_{};
  ze_device_memory_access_properties_t memoryAccess_{};
  ze_pci_ext_properties_t pci_{};
  uint64_t totalMemory_ = 0;
  uint32_t memoryClockKHz_ = 0;
  uint32_t memoryBusBits_ = 0;
  uint64_t cacheBytes_ = 0;
  double timestampPeriod_ = 1.0; // nanoseconds
  uint64_t timestampMask_ = UINT64_MAX;

  std::atomic<hipError_t> lost_{hipSuccess};
  LZAbort abort_{*this};
  std::atomic<bool> prints_{false};
  std::atomic<LZQueue *> nullQueue_{nullptr};     // stored (release) once the queue is in queues_
  std::atomic<LZQueue *> internalQueue_{nullptr}; // likewise
  uint32_t computeOrdinal_ = 0, computeQueues_ = 1, copyEngines_ = 0;
  bool launchesCooperatively_ = false;
  std::atomic<uint32_t> nextIndex_{0};
  std::mutex onceMutex_; // one thread creates the null queue or the internal queue; taken before queuesMutex_
  mutable BigReaderLock queuesMutex_; // guards what follows
  std::vector<std::shared_ptr<LZQueue>> queues_;
  std::vector<LZQueue *> idlePerThreadQueues_; // among queues_
  LZMemoryPools pools_{*this};
  LZDeviceHeap heap_{*this};
};

} // namespace hiplz
