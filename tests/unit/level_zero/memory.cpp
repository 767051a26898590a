// SPDX-License-Identifier: MIT
// Memory of the fake: from malloc, except for virtual memory, whose pages are those of a file in memory.
#include "objects.h"

#include <algorithm>
#include <cstdlib>
#include <sys/mman.h>
#include <unistd.h>

namespace fake_ze {
namespace {

constexpr size_t kPage = 64 << 10;
constexpr uint64_t kMost = uint64_t{1} << 30; // of one allocation

struct Memory : Object {
  Memory(const char *kind, ze_memory_type_t type, ze_device_handle_t device, size_t bytes, size_t alignment)
      : Object(kind), type(type), device(device), bytes(bytes) {
    alignment = std::max<size_t>(alignment, 64);
    base = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    byBase[base] = this;
  }
  ~Memory() override { std::free(base); }

  static Memory *of(const void *pointer) {
    const auto behind = byBase.upper_bound(const_cast<void *>(pointer));
    if (behind == byBase.begin())
      return nullptr;
    Memory *memory = std::prev(behind)->second;
    return static_cast<const char *>(pointer) < static_cast<char *>(memory->base) + memory->bytes ? memory : nullptr;
  }

  static inline std::map<void *, Memory *> byBase; // of those that are alive
  ze_memory_type_t type;
  ze_device_handle_t device;
  size_t bytes;
  void *base;
};

ze_result_t allocate(const char *kind, ze_memory_type_t type, ze_device_handle_t device, size_t bytes, size_t alignment,
                     void **pointer) {
  if (bytes > kMost)
    return ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
  const std::lock_guard lock(state().mutex);
  *pointer = makeLocked<Memory>(kind, type, device, bytes, alignment).base;
  return ZE_RESULT_SUCCESS;
}

ze_result_t release(const void *pointer, bool isOpened) {
  const std::lock_guard lock(state().mutex);
  const auto found = Memory::byBase.find(const_cast<void *>(pointer));
  if (found == Memory::byBase.end() || (std::string(found->second->kind) == "opened memory") != isOpened) {
    noteMistake("there is no such memory");
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  Memory &memory = *found->second;
  std::memset(memory.base, 0xdd, memory.bytes); // for who uses it nevertheless
  buryLocked(memory);
  Memory::byBase.erase(found);
  std::free(std::exchange(memory.base, nullptr));
  return ZE_RESULT_SUCCESS;
}

/// Content of an exported handle. The memory is not shared with the process that opens it.
struct Exported {
  int32_t noDescriptor = -1;
  uint64_t bytes = 0;
};

struct PhysicalMemory : Object {
  explicit PhysicalMemory(size_t bytes) : Object("physical memory"), file(memfd_create("fake", 0)) {
    if (ftruncate(file, static_cast<off_t>(bytes)) != 0)
      noteMistake("the memory file cannot be made larger");
  }
  ~PhysicalMemory() override {
    if (file >= 0)
      close(file);
  }
  int file;
  int mappings = 0;
};

/// Reserved addresses, and mappings in them.
struct Range : Object {
  Range(const char *kind, size_t bytes, PhysicalMemory *memory) : Object(kind), bytes(bytes), memory(memory) {}
  size_t bytes;
  PhysicalMemory *memory;
};
std::map<const void *, Range *> reservations, mappings;

} // namespace

namespace calls {

ze_result_t zeMemAllocDevice(ze_context_handle_t, const ze_device_mem_alloc_desc_t *, size_t bytes, size_t alignment,
                             ze_device_handle_t device, void **pointer) {
  return allocate("device memory", ZE_MEMORY_TYPE_DEVICE, device, bytes, alignment, pointer);
}

ze_result_t zeMemAllocHost(ze_context_handle_t, const ze_host_mem_alloc_desc_t *, size_t bytes, size_t alignment,
                           void **pointer) {
  return allocate("host memory", ZE_MEMORY_TYPE_HOST, nullptr, bytes, alignment, pointer);
}

ze_result_t zeMemAllocShared(ze_context_handle_t, const ze_device_mem_alloc_desc_t *, const ze_host_mem_alloc_desc_t *,
                             size_t bytes, size_t alignment, ze_device_handle_t device, void **pointer) {
  return allocate("shared memory", ZE_MEMORY_TYPE_SHARED, device, bytes, alignment, pointer);
}

ze_result_t zeMemFree(ze_context_handle_t, void *pointer) { return release(pointer, false); }

ze_result_t zeMemGetAddressRange(ze_context_handle_t, const void *pointer, void **base, size_t *bytes) {
  const std::lock_guard lock(state().mutex);
  const Memory *memory = Memory::of(pointer);
  if (!memory)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  if (base)
    *base = memory->base;
  if (bytes)
    *bytes = memory->bytes;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetAllocProperties(ze_context_handle_t, const void *pointer,
                                    ze_memory_allocation_properties_t *properties, ze_device_handle_t *device) {
  const std::lock_guard lock(state().mutex);
  const Memory *memory = Memory::of(pointer);
  properties->type = memory ? memory->type : ZE_MEMORY_TYPE_UNKNOWN;
  if (device)
    *device = memory ? memory->device : nullptr;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemGetIpcHandle(ze_context_handle_t, const void *pointer, ze_ipc_mem_handle_t *handle) {
  const std::lock_guard lock(state().mutex);
  const Memory *memory = Memory::of(pointer);
  if (!memory)
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  const Exported exported{-1, memory->bytes};
  std::memcpy(handle->data, &exported, sizeof exported);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeMemOpenIpcHandle(ze_context_handle_t, ze_device_handle_t device, ze_ipc_mem_handle_t handle,
                               ze_ipc_memory_flags_t, void **pointer) {
  Exported exported;
  std::memcpy(&exported, handle.data, sizeof exported);
  return allocate("opened memory", ZE_MEMORY_TYPE_DEVICE, device, exported.bytes, 0, pointer);
}

ze_result_t zeMemCloseIpcHandle(ze_context_handle_t, const void *pointer) { return release(pointer, true); }

ze_result_t zePhysicalMemCreate(ze_context_handle_t, ze_device_handle_t, ze_physical_mem_desc_t *description,
                                ze_physical_mem_handle_t *memory) {
  const std::lock_guard lock(state().mutex);
  *memory = reinterpret_cast<ze_physical_mem_handle_t>(&makeLocked<PhysicalMemory>(description->size));
  return ZE_RESULT_SUCCESS;
}

ze_result_t zePhysicalMemDestroy(ze_context_handle_t, ze_physical_mem_handle_t handle) {
  return destroy<PhysicalMemory>(handle, [](PhysicalMemory &memory) {
    if (memory.mappings)
      noteMistake("the memory is still mapped");
    close(std::exchange(memory.file, -1));
  });
}

ze_result_t zeVirtualMemQueryPageSize(ze_context_handle_t, ze_device_handle_t, size_t, size_t *bytes) {
  *bytes = kPage;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemReserve(ze_context_handle_t, const void *start, size_t bytes, void **pointer) {
  void *place =
      mmap(const_cast<void *>(start), bytes + kPage, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (place == MAP_FAILED)
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  char *const first = static_cast<char *>(place) + (-reinterpret_cast<uintptr_t>(place) & (kPage - 1));
  const size_t before = static_cast<size_t>(first - static_cast<char *>(place));
  if (before)
    munmap(place, before);
  munmap(first + bytes, kPage - before);
  *pointer = first;
  const std::lock_guard lock(state().mutex);
  reservations[*pointer] = &makeLocked<Range>("reservation", bytes, nullptr);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemFree(ze_context_handle_t, const void *pointer, size_t bytes) {
  const std::lock_guard lock(state().mutex);
  const auto found = reservations.find(pointer);
  if (found == reservations.end() || found->second->bytes != bytes) {
    noteMistake("there is no such reservation");
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  buryLocked(*found->second);
  reservations.erase(found);
  munmap(const_cast<void *>(pointer), bytes);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemMap(ze_context_handle_t, const void *pointer, size_t bytes, ze_physical_mem_handle_t handle,
                            size_t offset, ze_memory_access_attribute_t) {
  std::unique_lock<std::mutex> lock;
  PhysicalMemory *memory = begin<PhysicalMemory>(lock, handle);
  if (!memory)
    return ZE_RESULT_ERROR_INVALID_NULL_HANDLE;
  if (mmap(const_cast<void *>(pointer), bytes, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file,
           static_cast<off_t>(offset)) == MAP_FAILED)
    return ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY;
  mappings[pointer] = &makeLocked<Range>("mapping", bytes, memory);
  ++memory->mappings;
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemUnmap(ze_context_handle_t, const void *pointer, size_t bytes) {
  const std::lock_guard lock(state().mutex);
  const auto found = mappings.find(pointer);
  if (found == mappings.end() || found->second->bytes != bytes) {
    noteMistake("there is no such mapping");
    return ZE_RESULT_ERROR_INVALID_ARGUMENT;
  }
  --found->second->memory->mappings;
  buryLocked(*found->second);
  mappings.erase(found);
  mmap(const_cast<void *>(pointer), bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  return ZE_RESULT_SUCCESS;
}

ze_result_t zeVirtualMemSetAccessAttribute(ze_context_handle_t, const void *pointer, size_t bytes,
                                           ze_memory_access_attribute_t access) {
  const int protection = access == ZE_MEMORY_ACCESS_ATTRIBUTE_READWRITE  ? PROT_READ | PROT_WRITE
                         : access == ZE_MEMORY_ACCESS_ATTRIBUTE_READONLY ? PROT_READ
                                                                         : PROT_NONE;
  return mprotect(const_cast<void *>(pointer), bytes, protection) == 0 ? ZE_RESULT_SUCCESS
                                                                       : ZE_RESULT_ERROR_INVALID_ARGUMENT;
}

} // namespace calls

int descriptorOf(ze_physical_mem_handle_t handle) {
  std::unique_lock<std::mutex> lock;
  const PhysicalMemory *memory = begin<PhysicalMemory>(lock, handle);
  return memory ? memory->file : -1;
}

} // namespace fake_ze
