// SPDX-License-Identifier: MIT
// The state of the barrier that the blocks of a cooperative launch meet at (include/hip/spirv/grid_state.h), in memory of the
// device. A launch carries its address in the global offset of the kernel, which no HIP kernel uses for anything else (docs/design/cooperative.md).
#pragma once
#include "lz/core/ze_memory.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace hiplz {

class LZDevice;

/// For launches on one device that follow each other: a launch leaves the barrier as it found it. Immutable.
class LZGrid {
public:
  /// Throws HipError.
  explicit LZGrid(LZDevice &device);
  LZGrid(const LZGrid &) = delete;
  LZGrid &operator=(const LZGrid &) = delete;
  /// No launch that uses it may be under way.
  ~LZGrid() = default;

  uint64_t address() const { return state_.address(); }

private:
  ZeMemory state_;
};

/// For one launch on several devices of one driver: memory of the host that all of them reach. Immutable.
class LZMultiGrid {
public:
  /// `threads` has the threads of each grid. Throws HipError.
  LZMultiGrid(LZDevice &device, std::span<const uint64_t> threads);
  LZMultiGrid(const LZMultiGrid &) = delete;
  LZMultiGrid &operator=(const LZMultiGrid &) = delete;
  /// The launch must have ended.
  ~LZMultiGrid() = default;

  uint64_t address(size_t rank) const;

private:
  struct Memory;
  Memory &memory() const { return *reinterpret_cast<Memory *>(memory_.get()); }
  ZeMemory memory_;
};

} // namespace hiplz
