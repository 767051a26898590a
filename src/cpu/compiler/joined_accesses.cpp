// SPDX-License-Identifier: MIT
// See joined_accesses.h.
#include "cpu/compiler/joined_accesses.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/ir_tools.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr uint64_t kMostBytes = 64; // of accesses that are joined

/// Accesses that have been joined so far.
struct Run {
  size_t first; ///< its place among the accesses that are kept
  const Value *base;
  OffsetVariables factors;
  int64_t end; ///< where the next one has to begin
};

// Two writes of one constant do no harm to each other. Of several constants together that is true only if all their bytes are the same.
bool writesOtherConstant(const Access &access) {
  auto *store = dyn_cast<StoreInst>(access.instruction);
  auto *constant = store ? dyn_cast<Constant>(store->getValueOperand()) : nullptr;
  return constant && !constant->isNullValue();
}

/// True if work-items may be ordered between two instructions of a block.
bool isAnyOrderBetween(const Instruction &one, const Instruction &other) {
  for (const Instruction *each = one.getNextNode(); each != &other; each = each->getNextNode())
    if (!each || mayOrder(*each))
      return true;
  return false;
}

bool areEqual(const OffsetVariables &one, const OffsetVariables &other) {
  return one.size() == other.size() && equal(one, other);
}

} // namespace

void joinNeighbours(SmallVectorImpl<Access> &accesses, function_ref<bool(const Access &)> mayJoin) {
  SmallVector<Access, 32> kept;
  SmallVector<Run, 4> runs;
  const Instruction *last = nullptr; // access of the runs
  for (Access &access : accesses) {
    const uint64_t bytes = constantBytes(access);
    if (access.flags & (checkAtomic | checkVolatile) || !bytes || bytes >= kMostBytes || writesOtherConstant(access) ||
        !mayJoin(access)) {
      kept.push_back(access);
      continue;
    }
    if (last && (last->getParent() != access.instruction->getParent() || isAnyOrderBetween(*last, *access.instruction)))
      runs.clear();
    last = access.instruction;
    const Value *pointer = last->getOperand(access.operand), *base = baseOf(pointer);
    std::optional<Distance> place = distanceTo(pointer, base, last->getModule()->getDataLayout());
    if (!place) {
      kept.push_back(access);
      continue;
    }
    Run *const run = find_if(runs, [&](const Run &each) {
      const Access &first = kept[each.first];
      return each.base == base && each.end == place->constant && !((first.flags ^ access.flags) & ~checkConstant) &&
             constantBytes(first) + bytes <= kMostBytes && areEqual(each.factors, place->factors) &&
             first.instruction->getDebugLoc() == last->getDebugLoc();
    });
    if (run == runs.end()) {
      runs.push_back({kept.size(), base, std::move(place->factors), place->constant + static_cast<int64_t>(bytes)});
      kept.push_back(access);
      continue;
    }
    Access &first = kept[run->first];
    first.flags &= access.flags; // they are the same but for checkConstant
    first.bytes = ConstantInt::get(first.bytes->getType(), constantBytes(first) + bytes);
    run->end += static_cast<int64_t>(bytes);
    relaxAlignment(*access.instruction); // its own is not looked at any more
  }
  accesses = std::move(kept);
}

} // namespace hiplz::cpu
