// SPDX-License-Identifier: MIT
// Everything the runtime knows: drivers, devices, allocations, live handles. Created at the first HIP call that needs a
// device and never destroyed, because static destructors, threads and unloaded libraries may call HIP until the very end
// of the process.
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
class LZEvent;
class LZMipmappedArray;
class LZModule;
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

  /// Throws HipError{hipErrorInvalidDevice}.
  LZDevice &device(int ordinal) const;

  AllocationTable &allocations() { return allocations_; }
  /// What the application has said about ranges of memory.
  RangeAttributes &ranges() { return ranges_; }

  /// The stream or event behind a handle of the application; null for one that was destroyed or never existed. Lock-free.
  LZQueue *findQueue(const void *handle) const { return queueHandles_.find(handle); }
  LZEvent *findEvent(const void *handle) const { return eventHandles_.find(handle); }
  /// The same for arrays and mipmapped arrays.
  LZArray *findArray(const void *handle) const { return arrayHandles_.find(handle); }
  LZMipmappedArray *findMipmappedArray(const void *handle) const { return mipmappedArrayHandles_.find(handle); }
  /// The texture or surface object whose descriptor is at this address.
  LZTexture *findTexture(const void *handle) const { return textureHandles_.find(handle); }

  /// Makes a new object's address a handle.
  void addHandle(LZQueue &queue) { queueHandles_.add(queue); }
  void addHandle(LZEvent &event) { eventHandles_.add(event); }
  void addHandle(LZArray &array) { arrayHandles_.add(array); }
  void addHandle(LZMipmappedArray &array) { mipmappedArrayHandles_.add(array); }
  void addHandle(LZTexture &texture);
  /// Withdraws a handle before its object is destroyed. False if it is none, so of two concurrent calls one succeeds.
  bool removeHandle(const LZQueue *queue) { return queueHandles_.remove(*queue); }
  bool removeHandle(const LZEvent *event) { return eventHandles_.remove(*event); }
  bool removeHandle(const LZArray *array) { return arrayHandles_.remove(*array); }
  bool removeHandle(const LZMipmappedArray *array) { return mipmappedArrayHandles_.remove(*array); }
  bool removeHandle(const LZTexture *texture);

  /// Every queue and executable graph that has used a kernel of the module is synchronised and drops its handles of it.
  /// Call before the module's Level Zero objects are destroyed; where the module goes with them, after its life() has expired.
  /// Throws nothing; faults stay with their device.
  void dropKernels(const LZModule &module) noexcept;

private:
  LZContext();
  ~LZContext();
  static LZContext &initialise();
  static void endOfProcess() noexcept;

  static std::atomic<LZContext *> ready_; // stored (release) once the context is whole
  std::vector<std::unique_ptr<LZDriver>> drivers_;
  std::vector<std::unique_ptr<LZDevice>> devices_;
  std::vector<LZDevice *> devicePointers_;
  AllocationTable allocations_;
  RangeAttributes ranges_;
  HandleTable<LZQueue> queueHandles_;
  HandleTable<LZEvent> eventHandles_;
  HandleTable<LZArray> arrayHandles_;
  HandleTable<LZMipmappedArray> mipmappedArrayHandles_;
  HandleTable<LZTexture> textureHandles_; // by the address of the descriptor
};

} // namespace hiplz
