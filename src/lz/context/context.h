// SPDX-License-Identifier: MIT
// The top of the runtime: it opens the drivers, makes the devices and what stands on them, and says when they may be
// used. Created at the first HIP call that needs a device and never destroyed, because static destructors, threads and
// unloaded libraries may call HIP until the very end of the process. Tables of the process (allocations, handles)
// belong to their rooms; the context gives access to them only after initialisation.
#pragma once
#include "lz/core/handle_table.h"
#include "lz/device/driver.h"
#include "lz/memory/memory.h"
#include "lz/memory/range_attributes.h"

#include <atomic>
#include <memory>
#include <span>
#include <vector>

namespace hiplz {

class LZArray;
class LZDevice;
class LZDeviceQueues;
class LZEvent;
class LZMipmappedArray;
class LZQueue;
class LZTexture;

/// Thread-safe. After construction the drivers and devices never change.
class LZContext {
public:
  /// The context; the first call initialises Level Zero. Afterwards one acquire load. Throws
  /// HipError{hipErrorNoDevice} when there is no device (each time, the attempt is made once), and
  /// HipError{hipErrorNotInitialized} in a child of fork() whose parent had initialised the runtime, and
  /// HipError{hipErrorDeinitialized} once the process runs the exit handlers of what was there before the first call.
  static LZContext &instance() {
    LZContext *context = ready_.load(std::memory_order_acquire);
    return context ? *context : initialise();
  }

  /// The context if it may be used, else null. Never initialises.
  static LZContext *existing() noexcept { return ready_.load(std::memory_order_acquire); }

  std::span<LZDevice *const> devices() const { return devicePointers_; }

  /// Throws HipError{otherwise} for a number that no device has.
  LZDevice &device(int ordinal, hipError_t otherwise = hipErrorInvalidDevice) const;

  AllocationTable &allocations() { return AllocationTable::ofProcess(); }
  /// The application's hints about ranges of memory (hipMemAdvise, prefetches).
  RangeAttributes &ranges() { return ranges_; }

  /// The stream or event behind a handle of the application; null for one that was destroyed or never existed. Lock-free.
  LZQueue *findQueue(const void *handle) const { return queueHandles_.find(handle); }
  LZEvent *findEvent(const void *handle) const { return eventHandles_.find(handle); }
  /// The same for arrays and mipmapped arrays.
  LZArray *findArray(const void *handle) const { return HandleTable<LZArray>::ofProcess().find(handle); }
  LZMipmappedArray *findMipmappedArray(const void *handle) const {
    return HandleTable<LZMipmappedArray>::ofProcess().find(handle);
  }
  /// The texture or surface object whose descriptor is at this address.
  LZTexture *findTexture(const void *handle) const { return HandleTable<LZTexture>::ofProcess().find(handle); }

  /// Makes the address of a new object of the application's a handle.
  void addHandle(LZQueue &queue) { queueHandles_.add(queue); }
  void addHandle(LZEvent &event) {
    eventHandles_.add(event);
    OwnedObjects::made("an event", &event);
  }
  void addHandle(LZArray &array) {
    HandleTable<LZArray>::ofProcess().add(array);
    OwnedObjects::made("an array", &array);
  }
  void addHandle(LZMipmappedArray &array) {
    HandleTable<LZMipmappedArray>::ofProcess().add(array);
    OwnedObjects::made("a mipmapped array", &array);
  }
  void addHandle(LZTexture &texture);
  /// Withdraws a handle before its object is destroyed. False if it is none, so of two concurrent calls one succeeds.
  bool removeHandle(const LZQueue *queue) { return queueHandles_.remove(*queue); }
  bool removeHandle(const LZEvent *event) { return eventHandles_.remove(*event); }
  bool removeHandle(const LZArray *array) { return HandleTable<LZArray>::ofProcess().remove(*array); }
  bool removeHandle(const LZMipmappedArray *array) { return HandleTable<LZMipmappedArray>::ofProcess().remove(*array); }
  bool removeHandle(const LZTexture *texture);

private:
  explicit LZContext(std::string &whyNone);
  ~LZContext();
  static LZContext &initialise();
  static void endOfProcess() noexcept;

  static std::atomic<LZContext *> ready_; // stored (release) once the context is whole
  std::vector<std::unique_ptr<LZDriver>> drivers_;
  std::vector<std::unique_ptr<LZDevice>> devices_;
  std::vector<LZDevice *> devicePointers_;
  std::vector<std::unique_ptr<LZDeviceQueues>> queues_; // by device
  RangeAttributes ranges_;
  // Of the process; here so that a call with a stream or an event has one load to do.
  HandleTable<LZQueue> &queueHandles_ = HandleTable<LZQueue>::ofProcess();
  HandleTable<LZEvent> &eventHandles_ = HandleTable<LZEvent>::ofProcess();
};

} // namespace hiplz
