// SPDX-License-Identifier: MIT
// See memory/external.h.
#include "lz/memory/external.h"
#include "lz/core/external_semaphores.h"
#include "lz/device/device.h"
#include "lz/device/device_list.h"
#include "lz/memory/memory.h"

#include <sys/stat.h>
#include <unistd.h>
#include <vector>

namespace hiplz {
namespace {

ZeFunction<ZeImportExternalSemaphore> importFunction(const LZDevice &device) {
  return device.driver().function<ZeImportExternalSemaphore>("zeDeviceImportExternalSemaphoreExt",
                                                             kZeExternalSemaphoresExtension);
}

// HIP's opaque handle is a dma_buf for Intel's driver; a driver says which of the two it takes.
ze_external_memory_type_flags_t importType(LZDevice &device) {
  ze_device_external_memory_properties_t properties{};
  properties.stype = ZE_STRUCTURE_TYPE_DEVICE_EXTERNAL_MEMORY_PROPERTIES;
  if (zeDeviceGetExternalMemoryProperties(device.ze(), &properties) == ZE_RESULT_SUCCESS)
    for (ze_external_memory_type_flags_t type :
         {ZE_EXTERNAL_MEMORY_TYPE_FLAG_OPAQUE_FD, ZE_EXTERNAL_MEMORY_TYPE_FLAG_DMA_BUF})
      if (properties.memoryAllocationImportTypes & type)
        return type;
  throw HipError(hipErrorNotSupported, "the driver cannot import memory from file descriptors");
}

/// A second descriptor for a file, for a driver that closes the descriptor it gets or does not: Intel's closes it since 2026, even
/// if it refuses it.
class LentDescriptor {
public:
  explicit LentDescriptor(int descriptor) : descriptor_(::dup(descriptor)) {
    if (descriptor_ < 0 || ::fstat(descriptor_, &file_) != 0)
      throw HipError(hipErrorInvalidValue, "the number is not a file descriptor");
  }
  LentDescriptor(const LentDescriptor &) = delete;
  LentDescriptor &operator=(const LentDescriptor &) = delete;
  ~LentDescriptor() {
    struct stat now {};
    if (::fstat(descriptor_, &now) == 0 && now.st_dev == file_.st_dev && now.st_ino == file_.st_ino)
      ::close(descriptor_);
  }
  int get() const { return descriptor_; }

private:
  const int descriptor_;
  struct stat file_ {};
};

} // namespace

LZExternalMemory::LZExternalMemory(LZDevice &device, int descriptor, size_t bytes)
    : device_(device), descriptor_(descriptor), bytes_(bytes) {
  import(); // says what is wrong with it
}

LZExternalMemory::~LZExternalMemory() { ::close(descriptor_); }

ZeMemory LZExternalMemory::import() const {
  const ze_external_memory_import_fd_t extension{ZE_STRUCTURE_TYPE_EXTERNAL_MEMORY_IMPORT_FD, nullptr,
                                                 importType(device_), descriptor_};
  const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, &extension, 0, 0};
  void *base = nullptr;
  const ze_result_t result = zeMemAllocDevice(device_.zeContext(), &description, bytes_, 0, device_.ze(), &base);
  if (result != ZE_RESULT_SUCCESS || !base)
    throw HipError(toHipErrorOr(result, hipErrorInvalidValue),
                   "the file descriptor does not stand for memory of that size that the driver can import", result);
  return {device_.zeContext(), base};
}

void *LZExternalMemory::map(size_t offset, size_t bytes) const {
  if (bytes == 0 || offset > bytes_ || bytes > bytes_ - offset)
    throw HipError(hipErrorInvalidValue, "the buffer does not lie in the imported memory");
  ZeMemory memory = import();
  std::byte *base = memory.get() + offset;
  allocationTable().insert(
      {.base = base, .bytes = bytes, .kind = MemoryKind::device, .device = &device_, .owner = MemoryOwner::external});
  memory.release(); // the table's now
  return base;
}

bool LZExternalMemory::unmap(void *pointer) {
  const std::optional<Allocation> allocation = allocationTable().remove(pointer, MemoryOwner::external);
  if (!allocation)
    return false;
  synchronizeDevices(); // a fault stays with its device
  void *base = nullptr;
  LZ_CALL(zeMemGetAddressRange, (allocation->device->zeContext(), pointer, &base, nullptr));
  LZ_CALL(freeToDriver, (*allocation->device, base));
  return true;
}

bool LZExternalSemaphore::supportedBy(const LZDevice &device) { return static_cast<bool>(importFunction(device)); }

LZExternalSemaphore::LZExternalSemaphore(LZDevice &device, Kind kind, int descriptor) : device_(device) {
  const auto import = importFunction(device);
  if (!import)
    throw HipError(hipErrorNotSupported, "the driver cannot import semaphores of other APIs");
  const LentDescriptor lent(descriptor);
  ZeExternalSemaphoreFd extension{kZeExternalSemaphoreFdDesc, nullptr, lent.get()};
  ZeExternalSemaphoreDesc description{kZeExternalSemaphoreDesc, &extension,
                                      kind == Kind::binary ? kZeExternalSemaphoreOpaqueFd
                                                           : kZeExternalSemaphoreTimelineFd};
  LZ_CALL(import, (device.ze(), &description, &native_));
  ::close(descriptor); // the driver has a reference to the semaphore
}

LZExternalSemaphore::~LZExternalSemaphore() {
  if (const auto release = device_.driver().function<ZeReleaseExternalSemaphore>("zeDeviceReleaseExternalSemaphoreExt",
                                                                                 kZeExternalSemaphoresExtension))
    release(native_);
}

} // namespace hiplz
