// SPDX-License-Identifier: MIT
// Accesses of a block of code to one object whose addresses lie a known number of bytes apart: the members of a structure, the words of a
// row that a work-item copies, the neighbours in a stencil. Code can look at all of them at once where it comes to the first one, because
// nothing happens in between that could change what may be accessed.
#pragma once
#include "cpu/compiler/accesses.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/STLFunctionalExtras.h>

#include <algorithm>
#include <memory>

namespace hiplz::cpu {

struct AccessGroup {
  struct Member {
    int64_t offset; ///< from the address of the first access, in bytes
    uint64_t bytes;
    llvm::Align align; ///< that is to be looked at
  };
  llvm::SmallVector<Member, 4> members; ///< in the order of the code
  llvm::Value *pointer = nullptr;       ///< of the first access
  llvm::Instruction *where = nullptr;   ///< where calls for them go, once there is code for the group

  int64_t begin() const {
    return boundOf([](const Member &a, const Member &b) { return a.offset < b.offset; })->offset;
  }
  int64_t end() const {
    const Member *last = boundOf([](const Member &a, const Member &b) { return endOf(a) > endOf(b); });
    return endOf(*last);
  }

private:
  static int64_t endOf(const Member &member) { return member.offset + static_cast<int64_t>(member.bytes); }
  template <class Order> const Member *boundOf(Order order) const {
    return std::min_element(members.begin(), members.end(), order);
  }
};

class AccessGroups {
public:
  /// The memory that an access is to, as far as all of a group must have it in common.
  struct Target {
    const llvm::Value *base; ///< null: anything
    llvm::Align align;       ///< that is to be looked at
    bool mayJoin;
  };
  /// `accesses` are those of a function, in the order of its code. A group spans at most `kMostBytes`.
  AccessGroups(llvm::Function &function, llvm::ArrayRef<Access> accesses,
               llvm::function_ref<Target(const Access &)> targetOf);
  static constexpr int64_t kMostBytes = 4096;

  /// The group of the access with this number in the list, and its place there; none if it is alone.
  struct Place {
    AccessGroup *group = nullptr;
    unsigned member = 0;
  };
  Place find(size_t number) const { return places_.lookup(number); }

private:
  llvm::SmallVector<std::unique_ptr<AccessGroup>, 16> groups_;
  llvm::DenseMap<size_t, Place> places_;
};

} // namespace hiplz::cpu
