// SPDX-License-Identifier: MIT
// Virtual memory management: reserved address ranges, physical memory, and the mappings between them. A reservation is an
// inaccessible mapping of the process, physical memory is an anonymous file, so that it can be mapped several times and
// exported; a kernel that touches what is not mapped, or writes what is read-only, faults like at every wild address.
#pragma once
#include "cpu/objects/memory.h"
#include "cpu/objects/object.h"
#include "cpu/objects/shared_file.h"

#include <map>
#include <memory>

namespace hiplz::cpu {

class Context;
class Device;
class MemoryBudget;

/// The memory behind a physical memory object. Lives as long as the object or a mapping of it.
struct PhysicalStorage {
  PhysicalStorage(MemoryBudget &budget, Device *device, size_t size, std::shared_ptr<SharedFile> file, bool accounted);
  ~PhysicalStorage();
  /// How many of the bytes of all storages that this process has made have pages.
  static uint64_t residentBytes();
  MemoryBudget &budget;
  Device *const device; ///< which it belongs to; null: host
  const size_t size;
  const uint64_t id;
  const std::shared_ptr<SharedFile> file;
  const bool accounted; ///< not for imported memory, which is on the account of its exporter
};

class PhysicalMemory : public Object<PhysicalMemory, ze_physical_mem_handle_t> {
public:
  static constexpr uint64_t kKind = 12;
  /// Throws Error: OUT_OF_DEVICE_MEMORY, without a device OUT_OF_HOST_MEMORY. `import` is null for new memory.
  PhysicalMemory(Context &context, Device *device, size_t size, std::shared_ptr<SharedFile> import);
  ~PhysicalMemory();

  Context &context;
  const std::shared_ptr<PhysicalStorage> storage;
};

/// All reserved ranges of the process. All methods may be called by any thread. Ranges are whole pages; methods with a
/// range throw Error(INVALID_ARGUMENT) unless all of it is reserved in the context.
class VirtualMemoryTable {
public:
  /// Reserves a range, at `hint` if that is free. Throws Error(OUT_OF_HOST_MEMORY).
  void *reserve(Context &context, void *hint, size_t size);
  void free(Context &context, void *pointer, size_t size);

  /// Throws Error(INVALID_ARGUMENT) if a part of the range is mapped already.
  void map(Context &context, void *pointer, size_t size, std::shared_ptr<PhysicalStorage> storage, size_t offset,
           ze_memory_access_attribute_t access);
  /// Throws Error(INVALID_ARGUMENT) if nothing in the range is mapped.
  void unmap(Context &context, void *pointer, size_t size);

  void setAccess(Context &context, void *pointer, size_t size, ze_memory_access_attribute_t access);
  /// The access at `pointer`, and how many of the `size` bytes have it, too.
  ze_memory_access_attribute_t access(Context &context, void *pointer, size_t size, size_t &uniform);

  /// The mapping that contains an address, of whichever context, as an allocation; its base is null if there is none.
  Allocation find(const void *address) const;

  /// All of the physical memory that is mapped from its beginning on at `pointer`. Throws Error: INVALID_ARGUMENT if nothing
  /// is mapped there, UNSUPPORTED_FEATURE for the middle of physical memory and for what is imported.
  Allocation share(Context &context, const void *pointer) const;
  /// All of the physical memory of a handle, mapped or not; no file if the address is not such a handle of the context. Throws
  /// Error(UNSUPPORTED_FEATURE) for what is imported.
  Allocation shareObject(Context &context, const void *handle) const;
  /// All of the physical memory with this descriptor, if the context has mapped it and it is not imported; else no file.
  Allocation findExported(const Context &context, uint64_t descriptor) const;

  /// Ends all reservations of a context.
  void freeAll(Context &context);

private:
  friend class PhysicalMemory;
  struct Segment {
    size_t size;
    Context *context;
    ze_memory_access_attribute_t access;
    std::shared_ptr<PhysicalStorage> storage; ///< null: not mapped
    size_t offset;
  };
  using ByAddress = std::map<std::byte *, Segment>; // by first address
  struct Range {
    ByAddress::iterator begin, end;
  };
  struct Segments {
    ByAddress byAddress;
    std::map<const void *, const PhysicalMemory *> objects; // by handle
    Range range(Context &context, void *pointer, size_t size);
    void splitAt(std::byte *address);
    void replace(Range range, std::byte *begin, Segment segment);
  };
  Lockable<Segments, SharedMutex> segments_{LockRank::cpuVirtualMemory};
};

} // namespace hiplz::cpu
