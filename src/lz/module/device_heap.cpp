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

size_t LZDeviceHeap::bytes() { return heap_.lock()->bytes; }

hipError_t LZDeviceHeap::resize(size_t bytes) {
  const uint64_t most = std::min(device_.properties().maxMemAllocSize, device_.totalMemory());
  if (bytes > most || pagesOf(bytes) > kMaxPages || tableBytes(pagesOf(bytes)) + bytes > most)
    return refuse(hipErrorInvalidValue, "value exceeds what the device supports");
  const auto heap = heap_.lock();
  if (heap->memory && bytes != heap->bytes)
    return refuse(hipErrorInvalidValue, "the heap size is fixed, because a kernel has used the heap");
  heap->bytes = bytes;
  return hipSuccess;
}

void *LZDeviceHeap::address() {
  const auto heap = heap_.lock();
  if (heap->memory)
    return heap->memory.get();
  const uint64_t pages = pagesOf(heap->bytes), size = tableBytes(pages) + pages * kPageBytes;
  ZeMemory memory = ZeMemory::onDevice(device_.zeContext(), device_.ze(), size, kPageBytes);
  clear(memory, heap->bytes);
  heap->memory = std::move(memory);
  device_.allocatedBytes += size;
  return heap->memory.get();
}

void LZDeviceHeap::clear() {
  const auto heap = heap_.lock();
  if (heap->memory)
    clear(heap->memory, heap->bytes);
}

void LZDeviceHeap::clear(const ZeMemory &memory, size_t bytes) {
  const uint64_t pages = pagesOf(bytes), tables = tableBytes(pages);
  const HeapHeader header{pages, memory.address() + tables};
  device_.fillBlocking(memory.get(), 0, 1, tables);
  device_.copyBlocking(memory.get(), &header, sizeof header);
}

} // namespace hiplz
