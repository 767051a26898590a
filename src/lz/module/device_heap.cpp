// SPDX-License-Identifier: MIT
// Making and clearing the heap: device memory, of which only the tables at its beginning are written.
#include "lz/module/device_heap.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <algorithm>
#include <cstdint>

namespace hiplz {
namespace {

constexpr uint64_t kPageBytes = 4096, kPagesPerWord = 32;
constexpr uint64_t kMaxPages = (1 << 24) - kPagesPerWord; // a page's state counts the pages of a run in 24 bits

// Heap of malloc.h, which goes on with zeros.
struct HeapHeader {
  uint64_t pages;
  uint64_t data; // address of the first page
};
constexpr uint64_t kHeaderBytes = 24 + 14 * 32 * 4;             // all of struct Heap
constexpr uint64_t kTableBytesPerWord = 4 + kPagesPerWord * 36; // the arrays after it

uint64_t pagesOf(uint64_t bytes) {
  return std::max<uint64_t>(1, (bytes + kPageBytes * kPagesPerWord - 1) / (kPageBytes * kPagesPerWord)) * kPagesPerWord;
}
uint64_t tableBytes(uint64_t pages) {
  const uint64_t bytes = kHeaderBytes + pages / kPagesPerWord * kTableBytesPerWord;
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

} // namespace

size_t LZDeviceHeap::bytes() {
  std::lock_guard lock(mutex_);
  return bytes_;
}

hipError_t LZDeviceHeap::resize(size_t bytes) {
  const uint64_t most = std::min(device_.properties().maxMemAllocSize, device_.totalMemory());
  if (bytes > most || pagesOf(bytes) > kMaxPages || tableBytes(pagesOf(bytes)) + bytes > most)
    return refuse(hipErrorInvalidValue, "value exceeds what the device supports");
  std::lock_guard lock(mutex_);
  if (memory_ && bytes != bytes_)
    return refuse(hipErrorInvalidValue, "the heap size is fixed, because a kernel has used the heap");
  bytes_ = bytes;
  return hipSuccess;
}

void *LZDeviceHeap::address() {
  std::lock_guard lock(mutex_);
  if (memory_)
    return memory_;
  const uint64_t pages = pagesOf(bytes_), size = tableBytes(pages) + pages * kPageBytes;
  const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  LZ_CALL(zeMemAllocDevice, (device_.zeContext(), &description, size, kPageBytes, device_.ze(), &memory_));
  try {
    clearLocked();
  } catch (...) {
    zeMemFree(device_.zeContext(), memory_);
    memory_ = nullptr;
    throw;
  }
  device_.allocatedBytes += size;
  return memory_;
}

void LZDeviceHeap::clear() {
  std::lock_guard lock(mutex_);
  if (memory_)
    clearLocked();
}

void LZDeviceHeap::clearLocked() {
  const uint64_t pages = pagesOf(bytes_), tables = tableBytes(pages);
  const HeapHeader header{pages, reinterpret_cast<uint64_t>(memory_) + tables};
  device_.fillBlocking(memory_, 0, 1, tables);
  device_.copyBlocking(memory_, &header, sizeof header);
}

} // namespace hiplz
