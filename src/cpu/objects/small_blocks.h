// SPDX-License-Identifier: MIT
// Small shared and host allocations. They lie in chunks of their own with inaccessible pages around them and with all
// bookkeeping elsewhere, so that an application which writes beyond its memory damages its own data and not the driver's.
#pragma once
#include "base/lockable.h"

#include <array>
#include <cstddef>
#include <vector>

namespace hiplz::cpu {

/// Sizes are rounded up to powers of two. Memory is used again and never returned to the system. All methods may be
/// called by any thread.
class SmallBlocks {
public:
  static constexpr size_t kSmallest = 256, kLargest = 128 << 10;

  SmallBlocks() = default;
  SmallBlocks(const SmallBlocks &) = delete;
  SmallBlocks &operator=(const SmallBlocks &) = delete;

  /// True if a request is for here; `alignment` is a power of two.
  static bool fit(size_t bytes, size_t alignment) { return bytes <= kLargest && alignment <= kLargest; }

  /// How many bytes belong to a block for a request: a power of two, to whose multiple the block is aligned.
  static size_t blockBytes(size_t bytes, size_t alignment);

  /// Null if there is no memory. Throws std::bad_alloc.
  std::byte *allocate(size_t bytes, size_t alignment);
  /// Takes back what allocate() returned for the same numbers.
  void free(std::byte *block, size_t bytes, size_t alignment) noexcept;

private:
  struct SizeClass {
    std::vector<std::byte *> free; // has room for all blocks there are
    size_t blocks = 0;
    std::byte *next = nullptr, *end = nullptr; // what is left of the newest chunk
  };
  Lockable<std::array<SizeClass, 10>> classes_{LockRank::cpuSmallBlocks};
};

} // namespace hiplz::cpu
