// SPDX-License-Identifier: MIT
// Virtual memory management: physical memory without an address, reserved addresses without memory, and mappings of one
// to the other. Level Zero does the work; what it leaves to its users is counted and checked here: who holds physical
// memory, what is mapped where, which devices may access it.
#pragma once
#include "base/mutex.h"
#include "lz/core/error.h"
#include "lz/core/ze_handle.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>

namespace hiplz {

class LZDevice;

/// The object behind hipMemGenericAllocationHandle_t. The memory is freed when no handle and no mapping is left. Thread-safe
/// after construction.
class LZPhysicalMemory {
public:
  /// Throws HipError: hipErrorOutOfMemory, hipErrorNotSupported if the driver has no such memory. With a descriptor that
  /// is not negative, it is the memory that another process exported; the descriptor stays the caller's.
  LZPhysicalMemory(LZDevice &device, size_t bytes, const hipMemAllocationProp &properties, int import = -1);
  LZPhysicalMemory(const LZPhysicalMemory &) = delete;
  LZPhysicalMemory &operator=(const LZPhysicalMemory &) = delete;
  ~LZPhysicalMemory();

  LZDevice &device() const { return device_; }
  size_t bytes() const { return bytes_; }
  const hipMemAllocationProp &properties() const { return properties_; }
  ze_physical_mem_handle_t ze() const { return ze_; }

  /// A new file descriptor that another process can import; the caller closes it. Throws HipError
  /// (hipErrorNotSupported if the driver exports none).
  int exportDescriptor() const;

private:
  LZDevice &device_; // non-owning
  const size_t bytes_;
  const hipMemAllocationProp properties_;
  const bool imported_;
  ze_physical_mem_handle_t ze_ = nullptr;
};

/// All reservations, mappings and handles of the process. Thread-safe; the lock is held while the driver maps and unmaps.
/// Every method throws HipError, hipErrorInvalidValue for addresses, sizes and handles that are none of its own.
class LZVirtualMemory {
public:
  static LZVirtualMemory &instance();

  /// The unit of sizes and addresses on the device. recommended: for fast access.
  static size_t granularity(const LZDevice &device, bool recommended);

  void *reserve(LZDevice &device, size_t bytes, size_t alignment, void *hint);
  /// Exactly what reserve() returned, with nothing mapped.
  void release(void *address, size_t bytes);

  /// Makes a handle with one reference.
  hipMemGenericAllocationHandle_t create(std::shared_ptr<LZPhysicalMemory> memory);
  /// The same for memory that another process exported; the descriptor stays the caller's.
  hipMemGenericAllocationHandle_t import(LZDevice &device, int descriptor);
  /// Drops a reference; with the last one the handle ends.
  void drop(hipMemGenericAllocationHandle_t handle);
  /// The handle of what is mapped at the address, with one more reference.
  hipMemGenericAllocationHandle_t retain(const void *address);
  std::shared_ptr<LZPhysicalMemory> find(hipMemGenericAllocationHandle_t handle);

  /// Maps all bytes of the memory from offset on; no device has access yet.
  void map(void *address, size_t bytes, size_t offset, hipMemGenericAllocationHandle_t handle);
  /// A range of whole mappings. Waits for the devices.
  void unmap(void *address, size_t bytes);

  /// A range of whole mappings. All devices of a driver have the same access, so granting it to one grants it to all.
  void setAccess(void *address, size_t bytes, const hipMemAccessDesc *access, size_t count);
  hipMemAccessFlags access(const void *address, int device);

private:
  struct Handle {
    std::shared_ptr<LZPhysicalMemory> memory;
    size_t references;
  };
  struct Mapping {
    size_t bytes;
    std::shared_ptr<LZPhysicalMemory> memory;
    std::map<int, hipMemAccessFlags> access; // by device
  };
  using Mappings = std::map<uintptr_t, Mapping>;
  struct Reservation {
    size_t bytes;
    LZDevice *device;                     // of the driver whose addresses they are
    std::pair<void *, size_t> fromDriver; // what the driver reserved, which may be more
    Mappings mappings;
  };
  struct Range {
    Reservation &reservation;
    Mappings::iterator begin, end;
  };
  Reservation *reservationLocked(uintptr_t address, size_t bytes) HIPLZ_REQUIRES(mutex_);
  Range wholeLocked(uintptr_t address, size_t bytes) HIPLZ_REQUIRES(mutex_);
  Mapping &mappingLocked(uintptr_t address) HIPLZ_REQUIRES(mutex_);

  Mutex mutex_{
      LockRank::virtualMemory}; // not a Lockable: an iterator of one table is made in one method and used in another
  std::map<uintptr_t, Reservation> reservations_ HIPLZ_GUARDED_BY(mutex_);
  std::map<const void *, Handle> handles_ HIPLZ_GUARDED_BY(mutex_); // by the address of the LZPhysicalMemory
};

} // namespace hiplz
