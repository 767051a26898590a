// SPDX-License-Identifier: MIT
// See tracked_variables.h.
#include "cpu/compiler/tracked_variables.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/check_calls.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace hiplz::cpu {

// True if all accesses to a variable are known. Comparisons of its address, and checks, do not matter.
bool TrackedVariables::isFollowed(const AllocaInst &variable) {
  SmallVector<const Value *, 16> work{&variable};
  SmallPtrSet<const Value *, 16> seen{&variable};
  while (!work.empty()) {
    const Value *pointer = work.pop_back_val();
    for (const Use &use : pointer->uses()) {
      auto *user = cast<Instruction>(use.getUser());
      if (auto *store = dyn_cast<StoreInst>(user)) {
        if (store->getValueOperand() == pointer)
          return false;
      } else if (auto *call = dyn_cast<CallBase>(user)) {
        const Function *callee = call->getCalledFunction();
        const bool isHarmless = isCheck(*call) || isa<MemIntrinsic>(call) || call->isLifetimeStartOrEnd() ||
                                (callee && (callee->hasFnAttribute(kOfBuiltinLibrary) ||
                                            (callee->isDeclaration() && isRuntimeFunction(callee->getName()) &&
                                             !startsWith(callee->getName(), kRuntimePrefix))));
        if (!isHarmless)
          return false;
      } else if (auto *update = dyn_cast<AtomicRMWInst>(user)) {
        if (update->getValOperand() == pointer)
          return false;
      } else if (auto *exchange = dyn_cast<AtomicCmpXchgInst>(user)) {
        if (exchange->getPointerOperand() != pointer || use.getOperandNo() != 0)
          return false;
      } else if (isa<GetElementPtrInst, BitCastInst, PHINode, SelectInst>(user)) {
        if (seen.insert(user).second)
          work.push_back(user);
      } else if (isa<PtrToIntInst>(user)) {
        if (!isOnlyCompared(*user))
          return false;
      } else if (!isa<LoadInst, ICmpInst>(user)) {
        return false;
      }
    }
  }
  return true;
}

bool TrackedVariables::isOnlyCompared(const Instruction &number, unsigned depth) {
  constexpr unsigned kMaxDepth = 6;
  return depth < kMaxDepth && all_of(number.users(), [&](const User *user) {
           auto *next = cast<Instruction>(user);
           return isa<ICmpInst>(next) ||
                  (isa<BinaryOperator, CastInst>(next) && !isa<IntToPtrInst>(next) && isOnlyCompared(*next, depth + 1));
         });
}

void TrackedVariables::addShadows() {
  for (Instruction &instruction : instructions(s_.function))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction); variable && isFollowed(*variable))
      variables_.insert({variable, {}});
  for (auto &[variable, shadow] : variables_)
    addShadow(*variable, shadow);
}

void TrackedVariables::addShadow(AllocaInst &variable, TrackedVariable &known) {
  Type *type = shadowType(variable.getAllocatedType());
  if (!type)
    type = ArrayType::get(s_.b.getInt8Ty(), s_.layout.getTypeAllocSize(variable.getAllocatedType()).getFixedValue());
  s_.b.SetInsertPoint(&variable);
  s_.b.SetCurrentDebugLocation(DebugLoc());
  known.shadow = s_.b.CreateAlloca(type, variable.isArrayAllocation() ? variable.getArraySize() : nullptr);
  known.shadow->setAlignment(variable.getAlign());
  s_.mark(known.shadow);
  SmallVector<Value *, 8> work{&variable};
  SmallPtrSet<Value *, 8> seen;
  while (!work.empty())
    for (User *user : work.pop_back_val()->users()) {
      if (!seen.insert(user).second)
        continue;
      if (auto *lifetime = dyn_cast<IntrinsicInst>(user);
          lifetime && lifetime->getIntrinsicID() == Intrinsic::lifetime_start)
        known.begins.push_back(lifetime);
      else if (auto *store = dyn_cast<StoreInst>(user))
        known.stores.push_back(store);
      else if (isa<GetElementPtrInst, BitCastInst>(user))
        work.push_back(user);
    }
  if (known.begins.empty())
    known.begins.push_back(variable.getParent() == s_.prologue->getParent() ? s_.prologue : variable.getNextNode());
  Value *bytes = ConstantInt::get(s_.b.getInt64Ty(), s_.layout.getTypeAllocSize(type).getFixedValue());
  for (Instruction *begin : known.begins) {
    s_.b.SetInsertPoint(begin);
    if (type->isIntegerTy() && !variable.isArrayAllocation()) {
      s_.mark(s_.b.CreateAlignedStore(Constant::getAllOnesValue(type), known.shadow, variable.getAlign()));
    } else {
      Value *all = variable.isArrayAllocation()
                       ? s_.b.CreateMul(bytes, s_.b.CreateZExtOrTrunc(variable.getArraySize(), s_.b.getInt64Ty()))
                       : bytes;
      s_.mark(s_.b.CreateMemSet(known.shadow, s_.b.getInt8(0xff), all, variable.getAlign()));
    }
  }
}

PointerTarget TrackedVariables::targetOf(const Value *pointer) const {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  PointerTarget result = PointerTarget::initialized;
  for (const Value *object : objects) {
    auto *variable = dyn_cast<AllocaInst>(object);
    if (variable ? !variables_.count(const_cast<AllocaInst *>(variable))
                 : isa<GlobalValue, ConstantPointerNull, UndefValue>(object) || isItem(object))
      continue;
    result = variable && objects.size() == 1 ? PointerTarget::ownVariable : PointerTarget::any;
    if (result == PointerTarget::any)
      break;
  }
  return result;
}

bool TrackedVariables::isItem(const Value *value) const {
  return !s_.function.arg_empty() && value == s_.function.getArg(0);
}

TrackedVariable *TrackedVariables::find(AllocaInst *variable) {
  const auto found = variable ? variables_.find(variable) : variables_.end();
  return found == variables_.end() ? nullptr : &found->second;
}

TrackedVariable *TrackedVariables::variableOf(const Value *pointer) {
  auto *variable = dyn_cast<AllocaInst>(getUnderlyingObject(pointer, 0));
  return find(const_cast<AllocaInst *>(variable));
}

} // namespace hiplz::cpu
