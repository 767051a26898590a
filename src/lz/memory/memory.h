// SPDX-License-Identifier: MIT
// Memory that devices can reach, and the table that says what any pointer is. Every copy asks it, so a lookup takes no
// exclusive lock.
#pragma once
#include "base/lockable.h"
#include "base/profiler.h"
#include "lz/core/big_reader_lock.h"
#include "lz/core/runtime.h"
#include "lz/sync/stream_point.h"

#include <level_zero/ze_api.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

namespace hiplz {

class AllocatingStream;
class LZDevice;
class LZMemoryPool;
class PoolBlock;

enum class MemoryKind {
  device,  // on one device
  host,    // on the host, reachable by every device
  managed, // moves between host and device
};

/// The party that takes an allocation out of the table again.
enum class MemoryOwner {
  application,    // hipMalloc and its like: hipFree, hipFreeAsync; hipHostFree if it is host memory
  pool,           // allocated in stream order: hipFree, hipFreeAsync
  importedPool,   // of a pool of another process: hipFree, hipFreeAsync
  moduleVariable, // the module
  array,          // the array
  mapping,        // virtual memory: hipMemUnmap
  ipc,            // opened from another process: hipIpcCloseMemHandle
  registered,     // hipHostUnregister
  external,       // an imported object
  graph,          // the graph
  native,         // made from a native pointer that its maker keeps
};

/// One allocation. A plain value: the table hands out copies.
struct Allocation {
  void *base = nullptr;
  size_t bytes = 0;
  MemoryKind kind = MemoryKind::device;
  LZDevice *device = nullptr; // non-owning; where it was allocated
  unsigned flags = 0;         // as the application asked for
  MemoryOwner owner = MemoryOwner::application;
  size_t following = 0;        // of a mapping, how many bytes are mapped behind it without a gap; find() fills it
  PoolBlock *block = nullptr;  // of a pool; null: a driver's allocation, or a part of one
  bool syncOperations = false; // HIP_POINTER_ATTRIBUTE_SYNC_MEMOPS: synchronous copies and fills always wait
  uint64_t id = 0;             // unique in the process; the table gives it

  bool contains(const void *pointer, size_t length) const {
    const size_t offset = static_cast<const char *>(pointer) - static_cast<const char *>(base);
    return offset <= bytes && length <= bytes - offset + following;
  }
};

/// Thread-safe. Allocations do not overlap.
class AllocationTable {
public:
  /// The one of the process, for those who hold a device or a pointer of the runtime. Never destroyed.
  static AllocationTable &ofProcess() {
    static auto &table = *new AllocationTable;
    return table;
  }

  void insert(const Allocation &allocation);

  /// The same if the memory overlaps nothing that is in the table; else returns what it overlaps.
  std::optional<Allocation> insertIfFree(const Allocation &allocation);

  /// Calls change(Allocation &) for the allocation that the pointer points into, which must keep its address and size;
  /// false if there is none.
  template <class Change> bool change(const void *pointer, Change change) {
    const auto entries = entries_.lock();
    auto entry = entries->of(pointer);
    if (entry == entries->byBase.end())
      return false;
    change(entries->byBase.at(entry->first));
    return true;
  }

  /// Takes the allocation that begins at base out of the table if accept(allocation) is true; nothing if there is none
  /// of that kind. Of two concurrent calls only one gets it, so a double free is noticed.
  template <class Accept> std::optional<Allocation> removeIf(const void *base, Accept accept) {
    const auto entries = entries_.lock();
    auto entry = entries->byBase.find(reinterpret_cast<uintptr_t>(base));
    if (entry == entries->byBase.end() || !accept(std::as_const(entry->second)))
      return std::nullopt;
    const Allocation allocation = entry->second;
    entries->byBase.erase(entry);
    if (profiler()) [[unlikely]]
      noteInProfile(allocation, false);
    if (!allocation.block)
      addressesChanged();
    return allocation;
  }

  /// The same for the allocations of one owner.
  std::optional<Allocation> remove(const void *base, MemoryOwner owner) {
    return removeIf(base, [=](const Allocation &allocation) { return allocation.owner == owner; });
  }

  /// Grows whenever memory goes back to a driver: what it knew of an address may be false afterwards.
  uint64_t frees() const { return frees_.load(std::memory_order_relaxed); }
  void addressesChanged() { frees_.fetch_add(1, std::memory_order_relaxed); }

  /// The allocation that the pointer points into; nothing if it is ordinary (pageable) memory or no memory at all.
  std::optional<Allocation> find(const void *pointer) const;

  /// Any one allocation of the device that hipFree would accept, or nothing.
  std::optional<Allocation> anyOf(const LZDevice &device) const;

  /// All that hipFree or hipHostFree would accept, in the order of their addresses.
  std::vector<Allocation> ofApplication() const;

private:
  struct Entries {
    std::map<uintptr_t, Allocation> byBase;
    uint64_t lastId = 0;
    std::map<uintptr_t, Allocation>::const_iterator of(const void *pointer) const;
    void insert(const Allocation &allocation);
  };
  static void noteInProfile(const Allocation &allocation, bool added);
  Lockable<Entries, BigReaderLock> entries_{LockRank::allocationTable};
  std::atomic<uint64_t> frees_{0};
};

/// The table of the process. Initialises the runtime. Throws HipError as LZContext::instance().
inline AllocationTable &allocationTable() {
  requireRuntime();
  return AllocationTable::ofProcess();
}

/// Allocates and enters the allocation into the table; memory of a device comes from its pool. bytes is not 0.
/// Throws HipError, hipErrorOutOfMemory when the memory is exhausted.
void *allocateMemory(LZDevice &device, MemoryKind kind, size_t bytes, unsigned flags,
                     MemoryOwner owner = MemoryOwner::application);

/// Frees what allocateMemory returned, after all devices that may use it have finished their work. Throws HipError
/// {hipErrorInvalidValue} for any other pointer, also for one that was freed before or has another owner.
void freeMemory(void *pointer, MemoryOwner owner = MemoryOwner::application);

/// Allocates memory of a pool that the commands submitted to the stream from now on may use, and enters it into the table.
/// bytes is not 0. Throws HipError.
void *allocateFromPool(LZMemoryPool &pool, size_t bytes, AllocatingStream &stream);

/// Takes what hipFreeAsync accepts out of the table; the caller releases it. Nothing if it was memory of a pool of another
/// process, which has been closed. Throws as freeMemory does.
std::optional<Allocation> takeForFreeing(void *pointer);
/// Frees what has been taken out of the table: at once if it does not belong to a pool, else at the point. Throws HipError.
void releaseMemory(const Allocation &allocation, StreamPoint point = {});

/// The memory of a __managed__ variable, in the table. Throws HipError.
void *allocateManagedVariable(LZDevice &device, size_t bytes, size_t alignment);
/// Gives it back. Nothing may use it any more.
void freeManagedVariable(void *memory) noexcept;

/// Memory straight from the driver, in no table, and back.
ze_result_t allocateFromDriver(LZDevice &device, MemoryKind kind, size_t bytes, void **pointer);
ze_result_t freeToDriver(LZDevice &device, void *pointer) noexcept;

/// The same as freeMemory, for host memory alone.
void freeHostMemory(void *pointer);

} // namespace hiplz
