// SPDX-License-Identifier: MIT
// The memory of texture descriptors: a device has chunks of slots, because an allocation of a driver takes a page. It also
// keeps the table of sRGB colours there.
#pragma once
#include "base/lockable.h"
#include "lz/core/ze_memory.h"
#include "lz/device/device.h"

#include <hip/spirv/texture_descriptor.h>

#include <cstdint>
#include <vector>

namespace hiplz {

/// Thread-safe. The memory is never freed.
class LZTextureSlots {
public:
  /// The slots of a device; created at the first call and kept until the process ends.
  static LZTextureSlots &of(LZDevice &device) { return device.part<LZTextureSlots>(); }
  static constexpr DevicePart kDevicePart = DevicePart::textureSlots;

  explicit LZTextureSlots(LZDevice &device) : device_(device) {}

  /// The device's address of a slot. Kernels that were launched before a texture was destroyed keep reading its
  /// descriptor, so what was given back is used again only after the device has been idle; waits for that once enough
  /// has accumulated. Throws HipError.
  uint64_t take();
  void giveBack(uint64_t slot) noexcept;

  /// The device's address of the 256 floats that 8-bit sRGB colours stand for. Throws HipError.
  uint64_t srgbTable();

private:
  struct Slots {
    std::vector<ZeMemory> chunks;
    std::vector<uint64_t> free;    // no kernel reads them
    std::vector<uint64_t> retired; // given back; kernels may read them still
    ZeMemory srgb;                 // empty until srgbTable()
  };
  ZeMemory allocate(size_t bytes);
  void refill();

  LZDevice &device_;                              // non-owning
  Lockable<Slots> slots_{LockRank::textureSlots}; // locked while the table of colours is written
};

} // namespace hiplz
