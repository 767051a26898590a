// SPDX-License-Identifier: MIT
// Unified memory: device, host and shared allocations are the same kind of memory and differ in what they are called and
// whose account they are on. The table finds the allocation of an address for the functions that need it; kernels,
// launches and copies never do.
#pragma once
#include "base/lockable.h"
#include "cpu/objects/object.h"
#include "cpu/objects/shared_file.h"
#include "cpu/objects/small_blocks.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace hiplz::cpu {

class Context;
class Device;

struct Allocation {
  std::byte *base = nullptr;
  size_t size = 0;        ///< as asked for
  size_t mappedBytes = 0; ///< zero: a small block
  size_t frontBytes = 0;  ///< mapped in front of it, so that checked kernels that access them go on
  size_t alignment = 0;   ///< of a small block
  ze_memory_type_t type = ZE_MEMORY_TYPE_UNKNOWN;
  Context *context = nullptr;
  Device *device = nullptr;         ///< which it belongs to; null: host
  uint64_t id = 0;                  ///< unique in the process
  bool accounted = true;            ///< on the account of its device; imported memory is on that of its exporter
  bool exportable = false;          ///< its descriptor may be handed out
  bool opened = false;              ///< from an IPC handle
  std::shared_ptr<SharedFile> file; ///< what its pages belong to, if they can be shared
  std::vector<std::pair<const Device *, uint32_t>> atomicAccess; ///< ze_memory_atomic_attr_exp_flags_t of devices
};

/// All methods may be called by any thread.
class AllocationTable {
public:
  static uint64_t nextId();

  /// `alignment` is zero or a power of two. Throws Error: size, alignment, out of host or device memory.
  void *allocate(Context &context, Device *device, ze_memory_type_t type, size_t size, size_t alignment,
                 bool exportable = false);

  /// Maps memory of another process or interface as memory of this type; no device: of the host. `opened`:
  /// zeMemCloseIpcHandle ends it. Throws Error(OUT_OF_HOST_MEMORY).
  void *import(Context &context, Device *device, ze_memory_type_t type, std::shared_ptr<SharedFile> file, size_t size,
               bool opened);

  /// Takes the allocation that begins at `pointer` out of the table; the caller releases it. Throws
  /// Error(INVALID_ARGUMENT) if there is none in this context, or not of that origin.
  Allocation remove(Context &context, const void *pointer, bool opened = false);
  void release(const Allocation &allocation);

  /// Frees everything that is left of a context.
  void freeAll(Context &context);

  /// The allocation that contains the address, of whichever context: there is one address space. Its base is null if there
  /// is none.
  Allocation find(const void *address) const;

  /// The program's request for atomic operations in a shared allocation; zero if nothing. Throw
  /// Error(INVALID_ARGUMENT) if the range is not within one.
  void setAtomicAccess(Context &context, const Device &device, const void *pointer, size_t size, uint32_t access);
  uint32_t atomicAccess(Context &context, const Device &device, const void *pointer, size_t size) const;

  /// How many of the bytes that were allocated here have pages.
  uint64_t residentBytes() const;

  /// The file of the device or host allocation that begins at `pointer`. At the first call its contents move into a file, at
  /// the same addresses; threads that write there meanwhile wait. Throws Error(INVALID_ARGUMENT) for everything else. `exportable`: its
  /// descriptor will be handed out.
  Allocation share(Context &context, const void *pointer, bool exportable = false);

  /// The exportable allocation of a context with this descriptor; no file if there is none.
  Allocation findExported(const Context &context, uint64_t descriptor) const;

  /// The allocation that the address, which no kernel may access, is in or nearest to, as part of a sentence; empty if there is none.
  std::string describe(const void *address) const;

private:
  void insert(Allocation &allocation);

  SmallBlocks smallBlocks_;
  using Allocations = std::map<const std::byte *, Allocation>; // by base
  Lockable<Allocations, SharedMutex> allocations_{LockRank::cpuAllocations};

  // The last ones that have been released, for describe(): their addresses are not used again soon (kernel_memory.h).
  struct Released {
    const std::byte *base = nullptr;
    size_t size = 0;
  };
  struct ReleasedRing {
    std::array<Released, 1024> entries;
    size_t next = 0;
  };
  Lockable<ReleasedRing> released_{LockRank::cpuReleased};
};

} // namespace hiplz::cpu
