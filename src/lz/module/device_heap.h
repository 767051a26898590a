// SPDX-License-Identifier: MIT
// The heap from which the kernels of a device allocate (malloc, new). How it works is in include/hip/spirv/malloc.h;
// heap_layout.h beside it has the layout that both sides share.
#pragma once
#include "base/lockable.h"
#include "lz/core/ze_memory.h"
#include "lz/device/device.h"

#include <cstddef>

namespace hiplz {

/// Every method may be called by any thread. The memory is never freed, like the device.
class LZDeviceHeap {
public:
  static LZDeviceHeap &of(LZDevice &device) { return device.part<LZDeviceHeap>(); }
  static constexpr DevicePart kDevicePart = DevicePart::heap;

  explicit LZDeviceHeap(LZDevice &device) : device_(device) {}
  LZDeviceHeap(const LZDeviceHeap &) = delete;
  LZDeviceHeap &operator=(const LZDeviceHeap &) = delete;

  /// How much kernels can allocate (hipLimitMallocHeapSize), less what is lost between blocks.
  size_t bytes();

  /// Sets bytes(). hipErrorInvalidValue if the heap is in use already or the device does not have so much memory.
  hipError_t resize(size_t bytes);

  /// The address that the variable __hiplz_heap of a module receives. The first call makes the heap. Throws HipError.
  void *address();

  /// Frees all that kernels have allocated. No kernel may be running. Throws HipError.
  void clear();

private:
  struct Heap {
    size_t bytes = 8 << 20; // what HIP documents
    ZeMemory memory;        // empty until address()
  };
  void clear(const ZeMemory &memory, size_t bytes);

  LZDevice &device_;
  Lockable<Heap> heap_{LockRank::deviceHeap}; // locked while it is written
};

} // namespace hiplz
