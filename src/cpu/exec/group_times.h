// SPDX-License-Identifier: MIT
// How long a work-group of a kernel takes, from earlier launches in the same stream. A launch of few long work-groups loses
// much if the others begin only when the first one has told how long they are.
#pragma once
#include "cpu/abi/kernel.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace hiplz::cpu {

/// Of the kernels that a stream has executed lately. For the owner of the stream. A kernel that takes the place of an unloaded one
/// inherits its figure until it is measured.
class GroupTimes {
public:
  /// The nanoseconds that `groups` work-groups of this kernel should take one after the other; 0 if that is not known, and now and
  /// then so that it is measured again.
  uint64_t expect(const KernelCode &kernel, uint64_t groups) {
    Entry &entry = entryOf(kernel);
    if (entry.kernel != &kernel || ++entry.uses % kUses == 0)
      return 0;
    return entry.nanoseconds * std::min<uint64_t>(groups, UINT32_MAX);
  }

  /// Notes that `groups` work-groups, at least one, took that long.
  void note(const KernelCode &kernel, uint64_t nanoseconds, uint64_t groups) {
    Entry &entry = entryOf(kernel);
    if (entry.kernel != &kernel)
      entry = {.kernel = &kernel};
    entry.nanoseconds = std::min<uint64_t>(nanoseconds / groups, UINT32_MAX);
  }

private:
  static constexpr uint32_t kUses = 64;
  struct Entry {
    const KernelCode *kernel = nullptr;
    uint64_t nanoseconds = 0;
    uint32_t uses = 0;
  };
  Entry &entryOf(const KernelCode &kernel) {
    return entries_[reinterpret_cast<uintptr_t>(&kernel) / alignof(KernelCode) % entries_.size()];
  }
  std::array<Entry, 31> entries_; // a prime, so that neighbours in an allocator's size class differ
};

} // namespace hiplz::cpu
