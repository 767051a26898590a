// SPDX-License-Identifier: MIT
// See special_reads.h.
#include "cpu/compiler/special_reads.h"
#include "cpu/compiler/accesses.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/CFG.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

const AllocaInst *variableAt(const Value *pointer) { return dyn_cast<AllocaInst>(pointer->stripPointerCasts()); }

template <class Visit> void forEachAccessOf(const AllocaInst &variable, Visit visit) {
  for (const User *user : variable.users())
    for (const User *cast :
         isa<CastInst>(user) ? SmallVector<const User *, 4>(user->users()) : SmallVector<const User *, 4>{user})
      visit(cast);
}

template <class Visit> void forEachLoadOf(const StoreInst &store, Visit visit) {
  if (const AllocaInst *variable = variableAt(store.getPointerOperand()))
    forEachAccessOf(*variable, [&](const User *user) {
      if (isa<LoadInst>(user))
        visit(user);
    });
}

/// Visits what uses a value or something made of it, up to `visit` returning true. Variables and calls of the program's functions are
/// followed. True if `visit` has returned true, or if there is too much to look at.
template <class Visit> bool anyUse(const Value &value, Visit visit) {
  constexpr size_t kMost = 128;
  SmallPtrSet<const Value *, 16> seen{&value};
  SmallVector<const Value *, 8> work{&value};
  auto add = [&](const Value *next) {
    if (seen.insert(next).second)
      work.push_back(next);
  };
  while (!work.empty()) {
    if (seen.size() > kMost)
      return true;
    for (const Value *from = work.pop_back_val(); const Use &use : from->uses()) {
      const auto *user = dyn_cast<Instruction>(use.getUser());
      if (!user)
        continue;
      if (auto *store = dyn_cast<StoreInst>(user);
          store && use.getOperandNo() == 0 && variableAt(store->getPointerOperand())) {
        forEachLoadOf(*store, add);
      } else if (isa<ReturnInst>(user)) {
        for (const User *caller : user->getFunction()->users())
          if (isa<CallBase>(caller))
            add(caller);
      } else if (auto *call = dyn_cast<CallBase>(user); call && call->isArgOperand(&use) && call->getCalledFunction() &&
                                                        use.getOperandNo() < call->getCalledFunction()->arg_size() &&
                                                        !call->getCalledFunction()->isDeclaration()) {
        add(call->getCalledFunction()->getArg(use.getOperandNo()));
      } else if (visit(*user)) {
        return true;
      } else {
        add(user);
      }
    }
  }
  return false;
}

/// True if what is done with a value is done behind a block. Before, its elements may be taken apart: LLVM makes one read of neighbours.
bool dominatesUses(const BasicBlock &block, const Value &value, const DominatorTree &tree) {
  return all_of(value.uses(), [&](const Use &use) {
    const auto *user = cast<Instruction>(use.getUser());
    auto *phi = dyn_cast<PHINode>(user);
    return tree.dominates(&block, phi ? phi->getIncomingBlock(use) : user->getParent()) ||
           (isa<CastInst, ExtractElementInst>(user) && dominatesUses(block, *user, tree));
  });
}

/// True if addresses lead to one object. In code that is not optimised they are in variables, and may.
bool mayBeOf(const Value *one, const Value *other) {
  auto isInVariable = [](const Value *object) {
    auto *load = dyn_cast<LoadInst>(object);
    return load && variableAt(load->getPointerOperand());
  };
  one = getUnderlyingObject(one);
  other = getUnderlyingObject(other);
  return one == other || (isInVariable(one) && isInVariable(other));
}

/// True if a number may be a part of a larger one that an atomic operation has read where a plain read was before.
bool isReadAtomically(const Value &number, const LoadInst &plain) {
  constexpr size_t kMost = 32;
  SmallPtrSet<const Value *, 16> seen{&number};
  SmallVector<const Value *, 8> work{&number};
  auto add = [&](const Value *value) {
    if (seen.insert(value).second)
      work.push_back(value);
  };
  while (!work.empty() && seen.size() < kMost) {
    const auto *value = dyn_cast<Instruction>(work.pop_back_val());
    if (!value)
      continue;
    auto *load = dyn_cast<LoadInst>(value);
    if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(value); exchange || (load && load->isAtomic())) {
      const Type *read = exchange ? exchange->getNewValOperand()->getType() : load->getType();
      const Value *from = exchange ? exchange->getPointerOperand() : load->getPointerOperand();
      if (read->getPrimitiveSizeInBits() > plain.getType()->getPrimitiveSizeInBits() &&
          mayBeOf(from, plain.getPointerOperand()))
        return true;
    } else if (const AllocaInst *variable = load ? variableAt(load->getPointerOperand()) : nullptr) {
      forEachAccessOf(*variable, [&](const User *user) {
        if (auto *store = dyn_cast<StoreInst>(user); store && variableAt(store->getPointerOperand()) == variable)
          add(store->getValueOperand());
      });
    } else if (isa<CastInst>(value) || isa<PHINode>(value) || isa<ExtractValueInst>(value) ||
               value->getOpcode() == Instruction::LShr) {
      for (const Value *operand : value->operands())
        add(operand);
    }
  }
  return false;
}

} // namespace

bool isWordAround(const Value *pointer, const Value *bytes) {
  auto *address = dyn_cast<IntToPtrInst>(pointer);
  auto *rounded = address ? dyn_cast<BinaryOperator>(address->getOperand(0)) : nullptr;
  auto *mask =
      rounded && rounded->getOpcode() == Instruction::And ? dyn_cast<ConstantInt>(rounded->getOperand(1)) : nullptr;
  auto *length = dyn_cast<ConstantInt>(bytes);
  return mask && length && length->getZExtValue() > 1 && mask->getSExtValue() == -length->getSExtValue();
}

bool comparesWithMemory(Instruction &instruction) {
  if (!isa<LoadInst>(instruction))
    return false;
  SmallPtrSet<const Value *, 16> seen{&instruction};
  SmallVector<const Value *, 8> work{&instruction};
  auto add = [&](const Value *value) {
    if (seen.insert(value).second)
      work.push_back(value);
  };
  constexpr size_t kMost = 64;
  while (!work.empty() && seen.size() < kMost)
    for (const Value *value = work.pop_back_val(); const Use &use : value->uses()) {
      const User *user = use.getUser();
      if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(user); exchange && use.getOperandNo() == 1)
        return true;
      // 16 bits are exchanged as a part of 32, and compared with that part before.
      if (auto *equal = dyn_cast<ICmpInst>(user);
          equal && equal->isEquality() &&
          isReadAtomically(*equal->getOperand(1 - use.getOperandNo()), cast<LoadInst>(instruction)))
        return true;
      if (isa<CastInst>(user) || isa<PHINode>(user) || isa<SelectInst>(user) || isa<FreezeInst>(user))
        add(user);
      else if (auto *store = dyn_cast<StoreInst>(user); store && use.getOperandNo() == 0)
        forEachLoadOf(*store, add);
      else if (auto *call = dyn_cast<CallBase>(user); call && call->isArgOperand(&use) && call->getCalledFunction() &&
                                                      use.getOperandNo() < call->getCalledFunction()->arg_size())
        add(call->getCalledFunction()->getArg(use.getOperandNo()));
    }
  return false;
}

bool isResultUnused(const Instruction &instruction) {
  return !anyUse(instruction, [](const Instruction &user) { return !isa<CastInst>(user); });
}

bool decidesBranch(const Instruction &instruction) {
  return anyUse(instruction, [](const Instruction &user) { return isa<BranchInst>(user) || isa<SwitchInst>(user); });
}

Instruction *whereNeeded(LoadInst &read, const DominatorTree &tree) {
  if (!read.isSimple() || read.use_empty())
    return nullptr;
  auto comesBeforeUses = [&](const BasicBlock *block) {
    return block->getSinglePredecessor() && block != read.getParent() && dominatesUses(*block, read, tree);
  };
  Instruction *place = nullptr;
  for (Instruction *at = read.getNextNode();;) {
    for (; !at->isTerminator(); at = at->getNextNode())
      if (mayOrder(*at))
        return place;
    BasicBlock *const block = at->getParent();
    const auto next = find_if(successors(block), comesBeforeUses);
    if (next == succ_end(block))
      return place;
    at = place = &*next->getFirstInsertionPt();
  }
}

} // namespace hiplz::cpu
