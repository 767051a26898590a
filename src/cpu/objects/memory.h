// Unified memory: device, host and shared allocations are the same kind of memory and differ in what they are called and
// whose account they are on. The table finds the allocation of an address for the functions that need it; kernels,
// launches and copies never do.
#pragma once
#include "cpu/objects/object.h"

#include <cstddef>
#include <map>
#include <shared_mutex>

namespace hiplz::cpu {

class Context;
class Device;

struct Allocation {
  std::byte *base = nullptr;
  size_t size = 0;          ///< as asked for
  size_t mappedBytes = 0;   ///< zero: from the C library's allocator
  ze_memory_type_t type = ZE_MEMORY_TYPE_UNKNOWN;
  Context *context = nullptr;
  Device *device = nullptr; ///< whose account it is on; null: host
  uint64_t id = 0;          ///< unique in the process
};

/// All methods may be called by any thread.
class AllocationTable {
public:
  /// `alignment` is zero or a power of two. Throws Error: size, alignment, out of host or device memory.
  void *allocate(Context &context, Device *device, ze_memory_type_t type, size_t size, size_t alignment);

  /// Frees the allocation that begins at `pointer`. Throws Error(INVALID_ARGUMENT) if there is none in this context.
  void free(Context &context, void *pointer);

  /// Frees everything that is left of a context.
  void freeAll(Context &context);

  /// The allocation of a context that contains the address; its base is null if there is none.
  Allocation find(const Context &context, const void *address) const;

private:
  void release(const Allocation &allocation);

  mutable std::shared_mutex mutex_; // guards the two below
  std::map<const std::byte *, Allocation> allocations_; // by base
  uint64_t lastId_ = 0;
};

} // namespace hiplz::cpu
