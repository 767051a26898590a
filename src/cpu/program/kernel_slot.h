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
  /// Of how many sizes of work-groups there may be code that was made for that size. Launches of others run code for their shape.
  static constexpr size_t kMaxSizes = 4;

  /// The code that is made for such work-groups; null if it is not there. Takes no lock.
  const KernelCode *find(const GroupKind &kind) const;

  /// The kind of code that launches of the size get, if the kernel gains from code for one size. Takes no lock, but only the owner of the
  /// lock knows that there is still room.
  GroupKind kindFor(const GroupSize &size) const;

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

  /// Loads a piece for the kind, and for all shapes that it serves. Where quick code was, it becomes the better one for launches that
  /// have that already. False with a sentence in `why`. `loading` is what lock() has given, and there is room.
  bool add(Loading &loading, const KernelPiece &piece, const GroupKind &kind, bool debuggable, const ElfScope &scope,
           std::string &why);

private:
  using Entry = std::atomic<const KernelCode *>;
  static void set(Entry &entry, const KernelCode *code);

  std::array<Entry, kMaxSizes> ofSizes_{}; // filled from the beginning
  std::array<Entry, kGroupShapes> codes_{};
  Lockable<Loading> loading_{LockRank::cpuKernelSlot};
};

} // namespace hiplz::cpu
