// SPDX-License-Identifier: MIT
// Stacks of one size in one mapping, each with an inaccessible page below it as long as the process can afford that: such
// pages split the mapping, and the system allows a process some ten thousand mappings for everything it does.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hiplz::cpu {

class StackSlab {
public:
  StackSlab() = default;
  ~StackSlab() { release(); }
  StackSlab(const StackSlab &) = delete;
  StackSlab &operator=(const StackSlab &) = delete;

  /// Makes sure that there are at least `count` stacks of at least `stackBytes`; nothing may be on them. False if there
  /// is no memory.
  bool ensure(uint32_t count, size_t stackBytes);

  /// The end of a stack, aligned to 64 bytes. Ends lie at different offsets in their pages, otherwise the first lines of all
  /// stacks would share one cache set.
  void *top(uint32_t index) const { return memory_ + (index + 1) * stride_ - (index * 192) % 4096; }

private:
  void release();

  std::byte *memory_ = nullptr;
  size_t stride_ = 0;
  size_t stackBytes_ = 0;
  uint32_t count_ = 0;
  uint32_t guards_ = 0;
};

} // namespace hiplz::cpu
