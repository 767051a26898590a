// SPDX-License-Identifier: MIT
// Chunks of descriptors, and the table of sRGB colours.
#include "lz/texture/texture_slots.h"
#include "base/log.h"
#include "lz/core/error.h"
#include "lz/device/device.h"

#include <array>
#include <atomic>
#include <cmath>
#include <vector>

namespace hiplz {
namespace {

constexpr size_t kSlotBytes = 128;
static_assert(sizeof(__hiplz_texture) <= kSlotBytes);
constexpr size_t kChunkBytes = 64 * 1024;
// How many slots must have been given back before it is worth to wait for the device.
constexpr size_t kWorthWaiting = 2048;

} // namespace

void *LZTextureSlots::allocate(size_t bytes) {
  const ze_device_mem_alloc_desc_t description{ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC, nullptr, 0, 0};
  void *memory = nullptr;
  LZ_CALL(zeMemAllocDevice, (device_.zeContext(), &description, bytes, kSlotBytes, device_.ze(), &memory));
  return memory;
}

uint64_t LZTextureSlots::take() {
  for (;;) {
    {
      std::lock_guard lock(mutex_);
      if (!free_.empty()) {
        const uint64_t slot = free_.back();
        free_.pop_back();
        return slot;
      }
    }
    refill();
  }
}

void LZTextureSlots::refill() {
  std::vector<uint64_t> slots;
  {
    std::lock_guard lock(mutex_);
    if (retired_.size() >= kWorthWaiting)
      slots.swap(retired_);
  }
  if (slots.empty()) {
    const auto chunk = reinterpret_cast<uint64_t>(allocate(kChunkBytes));
    for (uint64_t at = 0; at < kChunkBytes; at += kSlotBytes)
      slots.push_back(chunk + at);
  } else {
    device_.synchronize(); // a fault stays with the device; nothing reads the slots after it either
  }
  std::lock_guard lock(mutex_);
  free_.insert(free_.end(), slots.begin(), slots.end());
}

void LZTextureSlots::giveBack(uint64_t slot) noexcept {
  std::lock_guard lock(mutex_);
  try {
    retired_.push_back(slot);
  } catch (const std::bad_alloc &) {
    HIPLZ_LOG_ERROR("out of memory while a texture was destroyed; its descriptor is not reused");
  }
}

uint64_t LZTextureSlots::srgbTable() {
  std::lock_guard lock(mutex_);
  if (srgb_)
    return srgb_;
  std::array<float, 256> table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double colour = static_cast<double>(i) / 255;
    table[i] = static_cast<float>(colour <= 0.04045 ? colour / 12.92 : std::pow((colour + 0.055) / 1.055, 2.4));
  }
  void *memory = allocate(sizeof table);
  try {
    device_.copyBlocking(memory, table.data(), sizeof table);
  } catch (...) {
    zeMemFree(device_.zeContext(), memory);
    throw;
  }
  return srgb_ = reinterpret_cast<uint64_t>(memory);
}

} // namespace hiplz
