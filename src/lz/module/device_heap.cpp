// SPDX-License-Identifier: MIT
// Making and clearing the heap: device memory, of which only the tables at its beginning are written.
#include "lz/module/device_heap.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <hip/spirv/heap_layout.h>

#include <algorithm>
#include <cstdint>

namespace hiplz {
namespace {

using __hiplz::HeapHeader;

constexpr uint64_t kPageBytes = HeapHeader::pageBytes, kPagesPerWord = HeapHeader::pagesPerWord;

uint64_t pagesOf(uint64_t bytes) {
  return std::max<uint64_t>(1, (bytes + kPageBytes * kPagesPerWord - 1) / (kPageBytes * kPagesPerWord)) * kPagesPerWord;
}
/// The header and the arrays behind it, as whole pages.
uint64_t tableBytes(uint64_t pages) {
  const uint64_t bytes = sizeof(HeapHeader) + HeapHeader::arrayBytes(pages);
  return (bytes + kPageBytes - 1) / kPageBytes * kPageBytes;
}

} // namespace

size_t LZDeviceHeap::bytes() { return heap_.lock()->bytes; }

hipError_t LZDeviceHeap::resize(size_t bytes) {
  const uint64_t most = std::min(device_.properties().maxMemAllocSize, device_.totalMemory());
  if (bytes > most || pagesOf(bytes) > HeapHeader::maxPages || tableBytes(pagesOf(bytes)) + bytes > most)
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
  const HeapHeader header{pages, memory.address() + tables, 0, 0, {}};
  device_.fillBlocking(memory.get(), 0, 1, tables);
  device_.copyBlocking(memory.get(), &header, sizeof header);
}

} // namespace hiplz
