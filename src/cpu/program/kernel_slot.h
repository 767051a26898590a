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

constexpr GroupShape kAllShapes[] = {GroupShape::rows, GroupShape::any};

class KernelSlot {
public:
  /// The code for work-groups with so many work-items in x; null if it is not there. Takes no lock.
  const KernelCode *find(uint32_t groupSizeX) const {
    const KernelCode *rows = at(GroupShape::rows);
    return (rows ? rows->fits(groupSizeX) : groupSizeX % kMinWidth == 0) ? rows : at(GroupShape::any);
  }

  /// What has to be added so that find() has an answer.
  GroupShape missing(uint32_t groupSizeX) const {
    return at(GroupShape::rows) || groupSizeX % kMinWidth != 0 ? GroupShape::any : GroupShape::rows;
  }

  bool has(GroupShape shape) const { return at(shape) != nullptr; }

  struct Loaded {
    KernelCode code;
    std::unique_ptr<ElfObject> object;
  };

  /// What belongs to those who add code, one thread at a time.
  struct Loading {
    bool failed = false; ///< it cannot be compiled
    std::vector<std::unique_ptr<Loaded>> loaded;
  };
  Lockable<Loading>::Guard<Loading> lock() { return loading_.lock(); }

  /// Loads a piece that was made for the shape. False with a sentence in `why`. `loading` is what lock() has given.
  bool add(Loading &loading, const KernelPiece &piece, GroupShape shape, bool debuggable, const ElfObject *shared,
           std::string &why);

private:
  const KernelCode *at(GroupShape shape) const {
    return codes_[static_cast<size_t>(shape)].load(std::memory_order_acquire);
  }

  std::array<std::atomic<const KernelCode *>, std::size(kAllShapes)> codes_{};
  Lockable<Loading> loading_{LockRank::cpuKernelSlot};
};

} // namespace hiplz::cpu
