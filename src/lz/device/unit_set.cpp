// SPDX-License-Identifier: MIT
// The table of sets of compute units.
#include "lz/device/unit_set.h"
#include "base/lockable.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <utility>

namespace hiplz {

struct UnitSet::Table {
  static Lockable<std::deque<UnitSet>> &ofProcess() {
    static auto &table = *new Lockable<std::deque<UnitSet>>{LockRank::unitSets};
    return table;
  }
};

UnitSet::UnitSet(LZDevice &device, std::vector<uint32_t> mask, uint32_t number)
    : device_(&device), mask_(std::move(mask)), number_(number) {
  for (const uint32_t word : mask_)
    count_ += static_cast<uint32_t>(std::popcount(word));
}

std::vector<uint32_t> UnitSet::allOf(const LZDevice &device) {
  const uint32_t units = device.multiprocessors();
  std::vector<uint32_t> mask(units / kBits, UINT32_MAX);
  if (units % kBits != 0)
    mask.push_back((1u << units % kBits) - 1);
  return mask;
}

const UnitSet &UnitSet::of(LZDevice &device, std::vector<uint32_t> mask) {
  const auto sets = Table::ofProcess().lock();
  const auto known = std::find_if(sets->begin(), sets->end(),
                                  [&](const UnitSet &set) { return set.device_ == &device && set.mask_ == mask; });
  if (known != sets->end())
    return *known;
  sets->push_back(UnitSet(device, std::move(mask), static_cast<uint32_t>(sets->size() + 1)));
  return sets->back();
}

const UnitSet *UnitSet::find(uint32_t number) {
  const auto sets = Table::ofProcess().lock();
  return number != 0 && number <= sets->size() ? &(*sets)[number - 1] : nullptr;
}

const UnitSet *UnitSet::find(const void *address) {
  const auto sets = Table::ofProcess().lock();
  const auto found = std::find_if(sets->begin(), sets->end(), [&](const UnitSet &set) { return &set == address; });
  return found == sets->end() ? nullptr : &*found;
}

const UnitSet &UnitSet::part(uint32_t first, uint32_t count) const {
  std::vector<uint32_t> some(mask_.size());
  uint32_t index = 0;
  for (uint32_t unit = 0; unit < mask_.size() * kBits; ++unit) {
    const uint32_t bit = 1u << unit % kBits;
    if (!(mask_[unit / kBits] & bit))
      continue;
    if (index >= first && index - first < count)
      some[unit / kBits] |= bit;
    ++index;
  }
  return of(*device_, std::move(some));
}

const UnitSet &UnitSet::with(const UnitSet &other) const {
  std::vector<uint32_t> both = mask_;
  std::transform(both.begin(), both.end(), other.mask_.begin(), both.begin(), std::bit_or<>());
  return of(*device_, std::move(both));
}

} // namespace hiplz
