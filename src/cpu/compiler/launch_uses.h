// SPDX-License-Identifier: MIT
// Uses that a kernel makes of the memory behind its parameters, for racecheck: most kernels only read some of their buffers, and write others
// so that each work-item has elements of its own. Such accesses cannot race with others of their launch, if the buffers are different
// allocations, which the driver knows when it launches (check/launch_uses.h). Only commands of other streams are left to be compared with.
#pragma once
#include "cpu/compiler/accesses.h"
#include "cpu/compiler/index_sums.h"
#include "cpu/compiler/kernel_table.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/Function.h>

#include <vector>

namespace hiplz::cpu {

/// The memory of an access.
struct AccessedMemory {
  bool isElsewhere = false; ///< variables, shared and private memory: no parameter of a kernel points to it
  uint32_t parameter = 0;   ///< of the kernel, from 1 on; 0: an address of unknown origin
};

class LaunchUses {
public:
  using FindMemory = llvm::function_ref<AccessedMemory(const Access &access)>;

  /// `accesses` are all of the kernel; `findMemory` is asked of them and of those in functions that it calls.
  LaunchUses(llvm::Function &kernel, const KernelInfo &info, llvm::ArrayRef<Access> accesses, FindMemory findMemory);

  /// True if the launch may find that accesses through the parameter cannot race with each other.
  bool isSimple(uint32_t parameter) const {
    return parameter && (parameters_[parameter - 1].use == ParameterUse::read ||
                         parameters_[parameter - 1].use == ParameterUse::own);
  }
  bool isAnySimple() const;
  /// True if accesses through it are to parts of words. Then only the driver knows what they mean for others.
  bool hasParts(uint32_t parameter) const { return parameters_[parameter - 1].hasParts; }

  /// As the driver wants it (abi/launch_uses.h).
  std::vector<int64_t> table(size_t sites) const;

private:
  struct Parameter {
    ParameterUse use = ParameterUse::none;
    bool isWritten = false, isOwn = true, hasParts = false;
    IndexSum place; // of the elements, without the constant
    int64_t begin = 0, end = 0;
    llvm::SmallVector<NarrowSum, 2> narrow;
  };
  using Seen = llvm::SmallPtrSet<const llvm::Function *, 8>;

  void add(Parameter &parameter, const Access &access, const llvm::Value *base, IndexSums &sums);
  static bool isHarmless(llvm::Instruction &instruction, FindMemory findMemory, Seen &seen);

  std::vector<Parameter> parameters_;
  bool readsOthers_ = false;
};

} // namespace hiplz::cpu
