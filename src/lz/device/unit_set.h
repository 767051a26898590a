// SPDX-License-Identifier: MIT
// Some of a device's compute units. The same units of the same device are one object in the whole process, which is never destroyed:
// what the application keeps of them (resources and descriptors) names them by numbers and addresses and is not freed.
#pragma once
#include "lz/device/device.h"

#include <cstdint>
#include <vector>

namespace hiplz {

/// Immutable; any thread may use it.
class UnitSet {
public:
  /// The bits of a word of a mask.
  static constexpr uint32_t kBits = 32;

  /// The units whose bits are set; the mask has all words of the device and no other bits.
  static const UnitSet &of(LZDevice &device, std::vector<uint32_t> mask);
  static const UnitSet &all(LZDevice &device) { return of(device, allOf(device)); }
  /// The mask in which each unit of the device has a bit.
  static std::vector<uint32_t> allOf(const LZDevice &device);

  /// The set with this number or at this address; null if there is none.
  static const UnitSet *find(uint32_t number);
  static const UnitSet *find(const void *address);

  /// `count` of the units, from the one with this index on; there must be as many.
  const UnitSet &part(uint32_t first, uint32_t count) const;
  /// The units of both, which are of one device.
  const UnitSet &with(const UnitSet &other) const;

  LZDevice &device() const { return *device_; }
  const std::vector<uint32_t> &mask() const { return mask_; }
  uint32_t count() const { return count_; }
  /// Not 0, and of no other set.
  uint32_t number() const { return number_; }

private:
  UnitSet(LZDevice &device, std::vector<uint32_t> mask, uint32_t number);
  struct Table;

  LZDevice *device_; // non-owning
  std::vector<uint32_t> mask_;
  uint32_t count_ = 0, number_;
};

} // namespace hiplz
