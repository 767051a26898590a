// SPDX-License-Identifier: MIT
// Numbers for the places of a kernel where work-items meet.
#pragma once
#include <llvm/ADT/DenseSet.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Gives every call of a collective operation a number: a place that comes first in control flow gets the lower one, and a
/// loop's places lie below those behind the loop. To be done after inlining, so that every inlined copy of a function is a
/// place of its own, and before optimisation, whose copies of a call stay one place.
void numberSites(llvm::Module &module);

/// The functions among those given that may come to a collective operation.
class CollectiveCallers {
public:
  explicit CollectiveCallers(llvm::ArrayRef<llvm::Function *> functions);

  bool contains(const llvm::Function &function) const { return callers_.contains(&function); }
  /// True if the call is of one of them, or through a pointer that may be to one.
  bool mayCall(const llvm::CallBase &call) const;

private:
  llvm::DenseSet<const llvm::Function *> callers_;
  bool throughPointers_ = false;
};

/// Gives the collective operations that have come since, with the number 0, numbers between those of the others. Calls of functions with
/// such operations get numbers, too: where the place in the function is the same, that of the call decides (CallFrame). For functions
/// that run on fibers.
void numberCallsAndAddedSites(llvm::ArrayRef<llvm::Function *> functions);

} // namespace hiplz::cpu
