// SPDX-License-Identifier: MIT
// See module/grid.h.
#include "lz/module/grid.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <new>

namespace hiplz {
namespace {
// One cache line each, so that grids do not wait for each other's polling.
constexpr size_t kStateBytes = 64;
} // namespace

LZGrid::LZGrid(LZDevice &device) : device_(device) {
  ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  LZ_CALL(zeMemAllocDevice, (device.zeContext(), &description, kStateBytes, kStateBytes, device.ze(), &state_));
  try {
    device.fillBlocking(state_, 0, 1, kStateBytes);
  } catch (...) {
    zeMemFree(device.zeContext(), state_);
    throw;
  }
}

LZGrid::~LZGrid() { zeMemFree(device_.zeContext(), state_); }

struct LZMultiGrid::Memory {
  struct alignas(kStateBytes) Line {
    GridState state;
  };
  alignas(kStateBytes) GridBarrier all;
  Line grids[1];
};

LZMultiGrid::LZMultiGrid(LZDevice &device, std::span<const uint64_t> threads) : device_(device) {
  ze_host_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC, nullptr, 0};
  void *memory = nullptr;
  const size_t bytes = sizeof(Memory) + (threads.size() - 1) * sizeof(Memory::Line);
  LZ_CALL(zeMemAllocHost, (device.zeContext(), &description, bytes, kStateBytes, &memory));
  memory_ = static_cast<Memory *>(memory);
  memory_->all = {};
  uint64_t sum = 0;
  for (uint64_t each : threads)
    sum += each;
  uint64_t before = 0;
  for (size_t rank = 0; rank < threads.size(); before += threads[rank++])
    memory_->grids[rank].state = {{},
                                  reinterpret_cast<uintptr_t>(&memory_->all),
                                  static_cast<uint32_t>(rank),
                                  static_cast<uint32_t>(threads.size()),
                                  before,
                                  sum};
}

LZMultiGrid::~LZMultiGrid() { zeMemFree(device_.zeContext(), memory_); }

uint64_t LZMultiGrid::address(size_t rank) const { return reinterpret_cast<uintptr_t>(&memory_->grids[rank].state); }

} // namespace hiplz
