// SPDX-License-Identifier: MIT
// See warp_order.h.
#include "cpu/check/warp_order.h"

#include <algorithm>

namespace hiplz::cpu::check {
namespace {

constexpr size_t kMostAddresses = 1 << 14; // all words of shared memory

// Accesses of different sizes to one word are one address.
uintptr_t wordOf(const void *address) { return reinterpret_cast<uintptr_t>(address) / 4; }

template <class Clock> void join(Clock &clock, const Clock &with) {
  for (size_t warp = 0; warp < clock.size(); ++warp)
    clock[warp] = std::max(clock[warp], with[warp]);
}

} // namespace

// Most blocks use nothing of it.
void WarpOrder::begin() {
  if (isUsed_)
    start();
}

void WarpOrder::start() {
  clocks_ = {};
  for (size_t warp = 0; warp < kWarps; ++warp)
    clocks_[warp][warp] = 1;
  addresses_.clear();
  isUsed_ = isFull_ = false;
}

void WarpOrder::writes(uint32_t warp, const void *address) {
  isUsed_ = true;
  isFull_ = isFull_ || addresses_.size() >= kMostAddresses;
  if (isFull_)
    return;
  join(addresses_[wordOf(address)], clocks_[warp]);
  ++clocks_[warp][warp];
}

void WarpOrder::hasRead(uint32_t warp, const void *address) {
  if (const auto found = addresses_.find(wordOf(address)); found != addresses_.end())
    join(clocks_[warp], found->second);
}

} // namespace hiplz::cpu::check
