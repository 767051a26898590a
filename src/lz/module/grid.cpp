// SPDX-License-Identifier: MIT
// See module/grid.h.
#include "lz/module/grid.h"
#include "amdgcn/object/code_object.h"
#include "base/driver_extensions.h"
#include "lz/device/device.h"

#include <hip/spirv/grid_state.h>

namespace hiplz {
namespace {
// One cache line each, so that grids do not wait for each other's polling.
constexpr size_t kStateBytes = 64;
static_assert(sizeof(__hiplz::GridState) <= kStateBytes);
static_assert(__hiplz::__no_grid == kNoGridAddress);
static_assert(sizeof(__hiplz::GridState) == sizeof(amdgcn::GridState) &&
              offsetof(__hiplz::GridState, barrier.generation) == offsetof(amdgcn::GridState, generation) &&
              offsetof(__hiplz::GridState, all) == offsetof(amdgcn::GridState, all) &&
              offsetof(__hiplz::GridState, rank) == offsetof(amdgcn::GridState, rank) &&
              offsetof(__hiplz::GridState, count) == offsetof(amdgcn::GridState, count) &&
              offsetof(__hiplz::GridState, threadsBefore) == offsetof(amdgcn::GridState, threadsBefore) &&
              offsetof(__hiplz::GridState, threads) == offsetof(amdgcn::GridState, threads));
} // namespace

LZGrid::LZGrid(LZDevice &device)
    : state_(ZeMemory::onDevice(device.zeContext(), device.ze(), kStateBytes, kStateBytes)) {
  device.fillBlocking(state_.get(), 0, 1, kStateBytes);
}

struct LZMultiGrid::Memory {
  struct alignas(kStateBytes) Line {
    __hiplz::GridState state;
  };
  alignas(kStateBytes) __hiplz::BarrierState all;
  Line grids[1];
};

LZMultiGrid::LZMultiGrid(LZDevice &device, std::span<const uint64_t> threads)
    : memory_(ZeMemory::onHost(device.zeContext(), sizeof(Memory) + (threads.size() - 1) * sizeof(Memory::Line),
                               kStateBytes)) {
  Memory &memory = this->memory();
  memory.all = {};
  uint64_t sum = 0;
  for (uint64_t each : threads)
    sum += each;
  uint64_t before = 0;
  for (size_t rank = 0; rank < threads.size(); before += threads[rank++])
    memory.grids[rank].state = {{},     &memory.all, static_cast<uint32_t>(rank), static_cast<uint32_t>(threads.size()),
                                before, sum};
}

uint64_t LZMultiGrid::address(size_t rank) const { return reinterpret_cast<uintptr_t>(&memory().grids[rank].state); }

} // namespace hiplz
