// SPDX-License-Identifier: MIT
// The code of one kernel in memory, as far as launches have asked for it.
#pragma once
#include "base/lockable.h"
#include "cpu/program/binary_format.h"
#include "cpu/program/elf_object.h"

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace hiplz::cpu {

class KernelSlot {
public:
  /// The code for work-groups of the shape; null if it is not there. Takes no lock.
  const KernelCode *find(GroupShape shape) const {
    return codes_[static_cast<size_t>(shape)].load(std::memory_order_acquire);
  }

  struct Loaded {
    KernelCode code;
    std::unique_ptr<ElfObject> object;
  };

  /// For those who add code, one thread at a time.
  struct Loading {
    bool failed = false; ///< it cannot be compiled
    std::vector<std::unique_ptr<Loaded>> loaded;
  };
  Lockable<Loading>::Guard<Loading> lock() { return loading_.lock(); }

  /// Loads a piece for the shape, and for all others that it serves. Where quick code was, it becomes the better one for launches that
  /// have that already. False with a sentence in `why`. `loading` is what
  /// lock() has given.
  bool add(Loading &loading, const KernelPiece &piece, GroupShape shape, bool debuggable, const ElfScope &scope,
           std::string &why);

private:
  std::array<std::atomic<const KernelCode *>, kGroupShapes> codes_{};
  Lockable<Loading> loading_{LockRank::cpuKernelSlot};
};

} // namespace hiplz::cpu
