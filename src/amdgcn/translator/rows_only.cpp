// SPDX-License-Identifier: MIT
// See rows_only.h.
#include "amdgcn/translator/rows_only.h"
#include "amdgcn/translator/access_calls.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

constexpr uint64_t kMostStep = 16; ///< bytes, of a structure

/// True for what other waves cannot see, and for accesses of rows.
bool suits(const Instruction &instruction, const KnownAccesses &known) {
  if (auto *call = dyn_cast<CallInst>(&instruction)) {
    if (isLoadOfLanes(*call) || isStoreOfLanes(*call)) {
      const auto access = known.find(call);
      return access != known.end() &&
             (!access->second->isStepped() || access->second->step().value_or(kMostStep + 1) <= kMostStep);
    }
    return isa<IntrinsicInst>(call) || isFunctionOfLanes(*call) || callsFunctionOf(*call, kExchangeOfLanes);
  }
  if (instruction.hasMetadata(kLocalMemory))
    return instruction.use_empty();
  return isa<FenceInst>(instruction) || !instruction.isAtomic();
}

} // namespace

bool accessesRowsOnly(const Function &wave, const KnownAccesses &known) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> back;
  FindFunctionBackedges(wave, back);
  return back.empty() && !known.empty() &&
         all_of(instructions(wave), [&](const Instruction &instruction) { return suits(instruction, known); });
}

} // namespace hiplz::amdgcn
