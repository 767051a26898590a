// SPDX-License-Identifier: MIT
// A device: its properties, read once, and the fault that stays with it. What stands above it (its memory pools, the state
// that kernels share with the host, its streams) is not known here: a device has a place for one object of each of these
// kinds, and an interface for the work that its streams do for everybody.
#pragma once
#include "base/mutex.h"
#include "lz/device/device_work.h"
#include "lz/device/driver.h"

#include <hip/spirv/abort_state.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

namespace hiplz {

/// The kinds of objects that higher rooms keep for each device. A class whose objects are parts names its kind kDevicePart.
enum class DevicePart : uint8_t { memoryPools, graphMemory, textureSlots, abort, heap, printf, executionContext };
inline constexpr size_t kDeviceParts = 7;

/// Properties are immutable and free to read for every thread.
class LZDevice {
public:
  LZDevice(LZDriver &driver, ze_device_handle_t device, int ordinal);
  LZDevice(const LZDevice &) = delete;
  LZDevice &operator=(const LZDevice &) = delete;
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
  /// The same on every device (docs/design/modules.md).
  static constexpr uint32_t kWarpSize = 32;
  /// Bytes of dynamic shared memory that a kernel with `fixed` bytes of its own can have.
  uint32_t maxDynamicShared(size_t fixed) const;
  uint64_t totalMemory() const { return totalMemory_; }
  /// Bytes that the application can still have, as far as the driver knows of limits and other users.
  uint64_t remainingMemory() const;
  uint32_t memoryClockKHz() const { return memoryClockKHz_; }
  uint32_t memoryBusBits() const { return memoryBusBits_; }
  uint64_t cacheBytes() const; ///< the largest of the caches; asks the driver

  /// Text that changes whenever compiled binaries for this device may have to change: device, driver version.
  std::string binaryIdentity() const;

  /// Nanoseconds of a tick of its timestamps.
  double timestampPeriod() const { return timestampPeriod_; }
  /// Nanoseconds between two kernel timestamps of this device, given how far apart the host thinks they are: the
  /// counters are narrow and wrap within minutes, the host's estimate says how often.
  double elapsedNanoseconds(uint64_t from, uint64_t to, double hostNanoseconds) const;

  /// True if commands and kernels of this device can access all of the host's memory, however it was allocated.
  bool reachesAllMemory() const {
    constexpr auto kReadWrite = ZE_MEMORY_ACCESS_CAP_FLAG_RW;
    return (memoryAccess_.sharedSystemAllocCapabilities & kReadWrite) == kReadWrite;
  }

  /// True if its kernels reach the host's memory that the driver allocates. False for some devices of OpenCL.
  bool reachesHostMemory() const { return memoryAccess_.hostAllocCapabilities & ZE_MEMORY_ACCESS_CAP_FLAG_RW; }
  /// Throws HipError if they do not; `what` needs it.
  void requireHostMemory(const char *what) const;

  /// True if Intel made the device, and it is a GPU: native code and a driver that need special care.
  bool isIntelGpu() const;
  /// True if a hardware thread can have a larger register file, as far as the driver tells.
  bool mayHaveLargeRegisters() const { return mayHaveLargeRegisters_; }
  /// True if the memory of the device is the host's.
  bool usesHostMemory() const;

  /// True if kernels of this device can use memory of the other one, and atomic operations on it.
  bool canAccess(const LZDevice &peer) const;
  bool hasPeerAtomics(const LZDevice &peer) const;
  /// True if several devices can use atomic operations on the same memory of the host.
  bool sharesHostAtomics() const;

  /// True if arguments, grid and blocks of launches in closed lists can be changed (core/mutable_lists.h).
  bool changesLaunchesInLists() const { return changesLaunchesInLists_; }

  /// True if the queues that streams use take cooperative launches.
  bool launchesCooperatively() const { return launchesCooperatively_; }

  /// The flags of hipSetDeviceFlags; they change nothing but what hipGetDeviceFlags answers.
  std::atomic<unsigned> scheduleFlags{hipDeviceScheduleAuto};

  /// Bytes of device memory that the application holds; hipMemGetInfo is computed from it.
  std::atomic<uint64_t> allocatedBytes{0};

  /// Its part of a class, created as Part(device) at the first call and never destroyed, like the device. One acquire load
  /// when warm. A constructor may not ask for another part of the device. Throws what the constructor does.
  template <class Part> Part &part() {
    std::atomic<void *> &place = parts_[static_cast<size_t>(Part::kDevicePart)];
    if (void *known = place.load(std::memory_order_acquire)) [[likely]]
      return *static_cast<Part *>(known);
    Lock lock(partsMutex_);
    if (void *known = place.load(std::memory_order_relaxed))
      return *static_cast<Part *>(known);
    Part *made = new Part(*this);
    place.store(made, std::memory_order_release);
    return *made;
  }
  /// The same if it has been created, else null.
  template <class Part> Part *partIfCreated() const {
    return static_cast<Part *>(parts_[static_cast<size_t>(Part::kDevicePart)].load(std::memory_order_acquire));
  }

  /// The command queue that the next stream uses, an asynchronous one of normal priority: streams are spread over the compute engines.
  ze_command_queue_desc_t nextHardwareQueue();

  /// HIP's numbers for stream priorities; 0 is normal.
  static constexpr int kLeastPriority = 1, kGreatestPriority = -1;

  /// The work of its streams for everybody; set by LZContext before anybody else sees the device, and never destroyed.
  DeviceWork &work() const { return *work_; }
  void setWork(DeviceWork &work) { work_ = &work; }
  hipError_t synchronize() { return work_->synchronize(); }
  void copyBlocking(void *to, const void *from, size_t bytes) { work_->copyBlocking(to, from, bytes); }
  void copyBlocking(const CopyRegion &region) { work_->copyBlocking(region); }
  void fillBlocking(void *to, uint32_t pattern, size_t patternBytes, size_t bytes) {
    work_->fillBlocking(to, pattern, patternBytes, bytes);
  }
  void fillBlocking(const FillRegion &region) { work_->fillBlocking(region); }

  /// hipSuccess, or the error that every later call returns, because the device is lost or a kernel gave up.
  hipError_t fault() const {
    const hipError_t lost = this->lost();
    return lost ? lost : gaveUp();
  }
  /// The part of it that stays until the process ends: nothing can be submitted to the driver, or waited for.
  hipError_t lost() const { return lost_.load(std::memory_order_relaxed); }
  /// Notes that the driver says so, and returns the error: hipErrorIllegalAddress if it knows that a kernel used memory that is not
  /// there, else hipErrorLaunchFailure.
  hipError_t setLost();
  /// Runs a copy that a thread of the runtime makes in memory of the application, unless the device is lost: who has been told so may
  /// free the memory.
  template <class Copy> void copyUnlessLost(Copy copy) const {
    const SharedLock<SharedMutex> copying(hostCopies_);
    if (!lost())
      copy();
  }
  /// The other part: hipErrorLaunchFailure after a kernel has called assert, abort, __trap, or a function that its module
  /// does not have. After assert it is hipErrorAssert in HIP 6 and CUDA. hipDeviceReset ends it.
  hipError_t gaveUp() const {
    const GiveUpWord *word = giveUpWord_.load(std::memory_order_acquire);
    const uint32_t reason = word ? word->load(std::memory_order_acquire) : 0;
    return reason == 0 ? hipSuccess : explained(reason);
  }
  /// A word of the host's memory in which kernels that give up leave their __hiplz_end_reason, or 0.
  using GiveUpWord = std::atomic<uint32_t>;
  void setGiveUpWord(GiveUpWord &word) { giveUpWord_.store(&word, std::memory_order_release); }
  /// The next reason is explained in the log even if it is the same as the last one.
  void forgetReason() { explained_.store(0, std::memory_order_relaxed); }

private:
  hipError_t explained(uint32_t reason) const;
  void readProperties();

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
  double timestampPeriod_ = 1.0; // nanoseconds
  uint64_t timestampMask_ = UINT64_MAX;

  mutable SharedMutex hostCopies_{LockRank::hostCopies}; // held to change lost_, or so that it does not change
  std::atomic<hipError_t> lost_{hipSuccess};
  std::atomic<GiveUpWord *> giveUpWord_{nullptr};
  mutable std::atomic<uint32_t> explained_{0}; // the reason that the log has explained
  DeviceWork *work_ = nullptr;
  Mutex partsMutex_{LockRank::deviceParts}; // one thread creates a part
  std::array<std::atomic<void *>, kDeviceParts> parts_{};
  uint32_t computeOrdinal_ = 0, computeQueues_ = 1, copyEngines_ = 0;
  bool launchesCooperatively_ = false;
  bool changesLaunchesInLists_ = false;
  bool mayHaveLargeRegisters_ = false;
  std::atomic<uint32_t> nextIndex_{0};
};

} // namespace hiplz
