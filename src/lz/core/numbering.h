// SPDX-License-Identifier: MIT
// Numbers that tell things of one kind apart for as long as the process runs; their addresses are used again.
#pragma once

#include <atomic>
#include <cstdint>

namespace hiplz {

/// The next number of this kind of thing, from 1 on. Thread-safe.
template <class Thing> uint64_t newNumber() {
  static std::atomic<uint64_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) + 1;
}

} // namespace hiplz
