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

constexpr size_t kSlotBytes = 256;
static_assert(sizeof(__hiplz_texture) <= kSlotBytes);
constexpr size_t kChunkBytes = 64 * 1024;
// How many slots must have been given back before waiting for the device is worthwhile.
constexpr size_t kWorthWaiting = 2048;

} // namespace

ZeMemory LZTextureSlots::allocate(size_t bytes) {
  return ZeMemory::onDevice(device_.zeContext(), device_.ze(), bytes, kSlotBytes);
}

uint64_t LZTextureSlots::take() {
  for (;;) {
    {
      const auto slots = slots_.lock();
      if (!slots->free.empty()) {
        const uint64_t slot = slots->free.back();
        slots->free.pop_back();
        return slot;
      }
    }
    refill();
  }
}

void LZTextureSlots::refill() {
  std::vector<uint64_t> more;
  {
    const auto slots = slots_.lock();
    if (slots->retired.size() >= kWorthWaiting)
      more.swap(slots->retired);
  }
  ZeMemory chunk;
  if (more.empty()) {
    chunk = allocate(kChunkBytes);
    for (uint64_t at = 0; at < kChunkBytes; at += kSlotBytes)
      more.push_back(chunk.address() + at);
  } else {
    device_.synchronize(); // a fault stays with the device; nothing reads the slots after it either
  }
  const auto slots = slots_.lock();
  slots->free.reserve(slots->free.size() + more.size());
  if (chunk)
    slots->chunks.push_back(std::move(chunk));
  slots->free.insert(slots->free.end(), more.begin(), more.end());
}

void LZTextureSlots::giveBack(uint64_t slot) noexcept {
  const auto slots = slots_.lock();
  try {
    slots->retired.push_back(slot);
  } catch (const std::bad_alloc &) {
    HIPLZ_LOG_ERROR("out of memory while a texture was destroyed; its descriptor is not reused");
  }
}

uint64_t LZTextureSlots::srgbTable() {
  const auto slots = slots_.lock();
  if (slots->srgb)
    return slots->srgb.address();
  std::array<float, 256> table;
  for (size_t i = 0; i < table.size(); ++i) {
    const double colour = static_cast<double>(i) / 255;
    table[i] = static_cast<float>(colour <= 0.04045 ? colour / 12.92 : std::pow((colour + 0.055) / 1.055, 2.4));
  }
  ZeMemory memory = allocate(sizeof table);
  device_.copyBlocking(memory.get(), table.data(), sizeof table);
  slots->srgb = std::move(memory);
  return slots->srgb.address();
}

} // namespace hiplz
