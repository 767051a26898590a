// SPDX-License-Identifier: MIT
// Exporting, opening and closing memory of other processes.
#include "lz/memory/ipc.h"
#include "base/lockable.h"
#include "base/log.h"
#include "base/shortage.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/memory_pool.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <list>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>

namespace hiplz {
namespace {

// Drivers use the first bytes of their handles. What they use must fit; all known ones do.
constexpr size_t kDriverBytes = 32;

struct __attribute__((packed)) Record {
  IpcUse use;
  int32_t process;
  uint64_t offset; // in the driver's allocation
  uint64_t bytes;
  uint32_t tag;
  uint16_t device;      // deviceMark
  uint8_t isDescriptor; // the driver's handle begins with a file descriptor of the process
  uint8_t length;       // of what follows
  std::byte driver[kDriverBytes];
};
static_assert(sizeof(Record) == sizeof(IpcBytes));

/// A number by which the devices of two processes can be compared.
uint16_t deviceMark(const LZDevice &device) {
  uint32_t mark = 0;
  for (uint8_t byte : device.properties().uuid.id)
    mark = mark * 31 + byte;
  return static_cast<uint16_t>(mark ^ (mark >> 16));
}

/// An allocation of another process's driver in this process.
struct Mapping {
  LZDevice &device;
  int32_t process;
  std::array<std::byte, kDriverBytes> driver;
  std::byte *base;
  size_t bytes; // of the driver's allocation
  size_t uses;
};

/// A handle that was opened, and how often.
struct Opened {
  IpcBytes handle;
  MemoryOwner owner;
  void *pointer;
  size_t bytes;
  size_t times;
  std::list<Mapping>::iterator mapping;
};

struct IpcMemory {
  std::list<Mapping> mappings;
  std::list<Opened> opened; // the newest first
  std::list<Mapping>::iterator map(LZDevice &device, const Record &record);
  std::list<Opened>::iterator newestAt(void *pointer);
  void unuse(std::list<Mapping>::iterator mapping);
};
Lockable<IpcMemory> ipcMemory{LockRank::ipcMemory}; // locked while the driver opens and closes handles

Record recordOf(const IpcBytes &handle, IpcUse use) {
  Record record;
  std::memcpy(&record, handle.data(), sizeof record);
  if (record.use != use || record.bytes == 0 || record.length > kDriverBytes)
    throw HipError(hipErrorInvalidValue, "the handle does not stand for another process's memory");
  return record;
}

/// True if the number is a descriptor of shared memory of a device, which means nothing in another process.
bool isDeviceDescriptor(int descriptor) {
  char target[64];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = readlink(link.c_str(), target, sizeof target);
  return length > 0 && std::string_view(target, length).starts_with("/dmabuf");
}

/// The descriptor of another process as one of this process. Throws HipError.
int fetchDescriptor(int process, int descriptor) {
  const int handle = static_cast<int>(syscall(SYS_pidfd_open, process, 0));
  const int fetched = handle < 0 ? -1 : static_cast<int>(syscall(SYS_pidfd_getfd, handle, descriptor, 0));
  const int reason = errno;
  if (handle >= 0)
    close(handle);
  if (fetched < 0)
    throw HipError(isShortOfHandles(reason) ? hipErrorOperatingSystem : hipErrorInvalidValue,
                   "the memory of process " + std::to_string(process) +
                       " cannot be fetched: " + describeSystemError(reason) +
                       (reason == EPERM ? "; the kernel's setting kernel.yama.ptrace_scope forbids it unless it is 0, "
                                          "or the exporting process has called prctl(PR_SET_PTRACER)"
                                        : ""));
  return fetched;
}

/// Maps the memory into mapping.base and mapping.bytes. Throws HipError.
void openInDriver(const Record &record, Mapping &mapping) {
  const LZDevice &device = mapping.device;
  ze_ipc_mem_handle_t handle{};
  std::memcpy(handle.data, record.driver, record.length);
  int descriptor = -1;
  // A short handle is a descriptor. Its number must not be taken for one of this process.
  if (record.length <= sizeof descriptor) {
    std::memcpy(&descriptor, handle.data, sizeof descriptor);
    if (record.isDescriptor)
      descriptor = fetchDescriptor(record.process, descriptor);
    if (!record.isDescriptor || !isDeviceDescriptor(descriptor)) {
      if (record.isDescriptor)
        close(descriptor);
      throw HipError(hipErrorInvalidValue, "the handle does not lead to device memory");
    }
    std::memcpy(handle.data, &descriptor, sizeof descriptor);
  }
  void *base = nullptr;
  const ze_result_t result = zeMemOpenIpcHandle(device.zeContext(), device.ze(), handle, 0, &base);
  if (descriptor >= 0)
    close(descriptor);
  if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
    throw HipError(hipErrorNotSupported, "the driver cannot open memory of other processes", result);
  if (result != ZE_RESULT_SUCCESS || !base)
    throw HipError(toHipErrorOr(result, hipErrorInvalidValue),
                   "the memory of the handle is gone, or its process has ended", result);
  void *begin = nullptr;
  const ze_result_t known = zeMemGetAddressRange(device.zeContext(), base, &begin, &mapping.bytes);
  if (known != ZE_RESULT_SUCCESS || begin != base) {
    LZ_TRY(zeMemCloseIpcHandle, (device.zeContext(), base));
    throw HipError(toHipErrorOr(known, hipErrorInvalidValue),
                   "the driver does not know how much memory of another process it has opened", known);
  }
  mapping.base = static_cast<std::byte *>(base);
}

void IpcMemory::unuse(std::list<Mapping>::iterator mapping) {
  if (--mapping->uses)
    return;
  AllocationTable::ofProcess().addressesChanged();
  LZ_TRY(zeMemCloseIpcHandle, (mapping->device.zeContext(), mapping->base));
  mappings.erase(mapping);
}

std::list<Mapping>::iterator IpcMemory::map(LZDevice &device, const Record &record) {
  std::array<std::byte, kDriverBytes> driver{};
  std::copy_n(record.driver, record.length, driver.begin());
  auto known = std::find_if(mappings.begin(), mappings.end(), [&](const Mapping &mapping) {
    return &mapping.device == &device && mapping.process == record.process && mapping.driver == driver;
  });
  if (known != mappings.end()) {
    ++known->uses;
    return known;
  }
  mappings.push_front({device, record.process, driver, nullptr, 0, 1});
  try {
    openInDriver(record, mappings.front());
  } catch (...) {
    mappings.pop_front();
    throw;
  }
  return mappings.begin();
}

// The table holds one allocation at an address, and there can be several: a block of a pool that came by the handles of both,
// or what another process freed and gave to the next one while it was open here. The newest counts.
std::list<Opened>::iterator IpcMemory::newestAt(void *pointer) {
  return std::find_if(opened.begin(), opened.end(), [&](const Opened &entry) { return entry.pointer == pointer; });
}
void enterNewest(AllocationTable &table, const Opened &entry) {
  table.insert({.base = entry.pointer,
                .bytes = entry.bytes,
                .kind = MemoryKind::device,
                .device = &entry.mapping->device,
                .owner = entry.owner});
}

} // namespace

IpcBytes exportMemory(const Allocation &allocation, IpcUse use, uint32_t tag) {
  void *base = allocation.block ? allocation.block->segmentBase() : allocation.base;
  ze_ipc_mem_handle_t handle{};
  const ze_result_t result = zeMemGetIpcHandle(allocation.device->zeContext(), base, &handle);
  if (result != ZE_RESULT_SUCCESS)
    throw HipError(result == ZE_RESULT_ERROR_INVALID_ARGUMENT ? hipErrorInvalidValue : toHipError(result),
                   "the driver does not export the memory", result);
  Record record{};
  record.use = use;
  record.process = getpid();
  record.offset = static_cast<std::byte *>(allocation.base) - static_cast<std::byte *>(base);
  record.bytes = allocation.bytes;
  record.tag = tag;
  record.device = deviceMark(*allocation.device);
  const char *end = std::find_if(std::make_reverse_iterator(std::end(handle.data)),
                                 std::make_reverse_iterator(std::begin(handle.data)), [](char byte) { return byte; })
                        .base();
  const size_t length = end - handle.data;
  if (length > kDriverBytes)
    throw HipError(hipErrorNotSupported, "the driver's handles of memory are longer than HIP's can carry");
  int descriptor;
  std::memcpy(&descriptor, handle.data, sizeof descriptor);
  record.isDescriptor = length <= sizeof descriptor && isDeviceDescriptor(descriptor);
  record.length = static_cast<uint8_t>(length);
  std::memcpy(record.driver, handle.data, length);
  IpcBytes bytes;
  std::memcpy(bytes.data(), &record, sizeof record);
  return bytes;
}

uint32_t ipcTag(const IpcBytes &handle, IpcUse use) { return recordOf(handle, use).tag; }

void *openMemory(LZDevice &current, const IpcBytes &handle, IpcUse use, MemoryOwner owner) {
  const Record record = recordOf(handle, use);
  if (record.process == getpid() && use != IpcUse::poolPointer)
    throw HipError(hipErrorInvalidContext, "memory of this process does not have to be opened: use its address");
  LZDevice *device = &current;
  for (LZDevice *other : allDevices())
    if (deviceMark(*device) != record.device && deviceMark(*other) == record.device)
      device = other;
  const auto memory = ipcMemory.lock();
  std::list<Opened> &opened = memory->opened;
  auto known = std::find_if(opened.begin(), opened.end(),
                            [&](const Opened &entry) { return entry.handle == handle && entry.owner == owner; });
  if (known != opened.end()) {
    ++known->times;
    return known->pointer;
  }
  const auto mapping = memory->map(*device, record);
  try {
    if (record.offset > mapping->bytes || record.bytes > mapping->bytes - record.offset)
      throw HipError(hipErrorInvalidValue, "the handle names more memory than it leads to");
    void *pointer = mapping->base + record.offset;
    opened.push_front({handle, owner, pointer, record.bytes, 1, mapping});
    try {
      enterNewest(allocationTable(), opened.front());
    } catch (...) {
      opened.pop_front();
      throw;
    }
    return pointer;
  } catch (...) {
    memory->unuse(mapping);
    throw;
  }
}

bool closeMemory(void *pointer, MemoryOwner owner) {
  auto memory = ipcMemory.lock();
  std::list<Opened> &opened = memory->opened;
  auto known = std::find_if(opened.begin(), opened.end(),
                            [&](const Opened &entry) { return entry.pointer == pointer && entry.owner == owner; });
  if (known == opened.end())
    return false;
  if (--known->times)
    return true;
  const bool entered = known == memory->newestAt(pointer);
  std::list<Opened> closed;
  closed.splice(closed.end(), opened, known);
  if (entered) {
    allocationTable().remove(pointer, owner);
    if (const auto other = memory->newestAt(pointer); other != opened.end())
      enterNewest(allocationTable(), *other);
  }
  memory.unlock();
  // A fault stays with its device; the memory is closed nevertheless.
  synchronizeDevices();
  memory.lock();
  memory->unuse(closed.front().mapping);
  return true;
}

} // namespace hiplz
