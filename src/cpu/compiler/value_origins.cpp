// SPDX-License-Identifier: MIT
// See value_origins.h.
#include "cpu/compiler/value_origins.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/call_shadows.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/vectorizer/dependents.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

#include <utility>

using namespace llvm;

namespace hiplz::cpu {

Value *ValueOrigins::originOf(const Value &value) {
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !s_.isSuspect(instruction))
    return s_.b.getInt64(0);
  if (const auto found = origins_.find(instruction); found != origins_.end())
    return found->second;
  constexpr unsigned kMaxDepth = 2000;
  if (depth_ == kMaxDepth)
    return s_.b.getInt64(0);
  ++depth_;
  Value *origin = makeOrigin(const_cast<Instruction &>(*instruction));
  --depth_;
  return origins_[instruction] = origin;
}

// True for what costs nothing, or can only be known where the instruction is.
bool ValueOrigins::isReady(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  const Value *pointer = accessedPointer(instruction);
  return isa<PHINode>(instruction) || (call && isCollective(*call)) || (pointer && variables_.variableOf(pointer));
}

Value *ValueOrigins::originAt(const Value &value, Instruction &before) {
  Known known;
  s_.b.SetInsertPoint(&before);
  s_.b.SetCurrentDebugLocation(before.getDebugLoc());
  return originAt(value, before, known);
}

Value *ValueOrigins::originAt(const Value &value, Instruction &before, Known &known) {
  constexpr unsigned kMost = 64; // more would be too much code for each use
  auto *instruction = dyn_cast<Instruction>(&value);
  if (!instruction || !s_.isSuspect(instruction))
    return s_.b.getInt64(0);
  if (const auto found = known.find(instruction); found != known.end())
    return found->second;
  if (isReady(*instruction) || known.size() >= kMost) {
    Value *origin = originOf(value);
    s_.b.SetInsertPoint(&before);
    s_.b.SetCurrentDebugLocation(before.getDebugLoc());
    return known[instruction] = origin;
  }
  if (const Value *pointer = accessedPointer(*instruction))
    return known[instruction] = s_.b.CreatePtrToInt(const_cast<Value *>(pointer), s_.b.getInt64Ty());
  known[instruction] = s_.b.getInt64(0);
  SmallVector<std::pair<const Value *, Value *>, 4> parts;
  for (const Value *operand : instruction->operands())
    if (auto *part = dyn_cast<Instruction>(operand); part && s_.isSuspect(part) && !isZero(s_.shadowOf(part)))
      parts.push_back({part, originAt(*part, before, known)});
  Value *origin = s_.b.getInt64(0);
  for (auto [part, from] : parts)
    origin = parts.size() == 1 ? from : s_.b.CreateSelect(s_.any(s_.shadowOf(part)), from, origin);
  return known[instruction] = origin;
}

void ValueOrigins::fillPhis() {
  while (!phis_.empty())
    for (auto [phi, twin] : std::exchange(phis_, {}))
      for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i)
        twin->setIncomingValue(i, originOf(*phi->getIncomingValue(i)));
}

Value *ValueOrigins::makeOrigin(Instruction &instruction) {
  if (auto *phi = dyn_cast<PHINode>(&instruction)) {
    s_.b.SetInsertPoint(phi);
    PHINode *twin = s_.twinOf(*phi, s_.b.getInt64Ty());
    phis_.push_back({phi, twin});
    return twin;
  }
  if (const Value *pointer = accessedPointer(instruction)) {
    TrackedVariable *variable = variables_.variableOf(pointer);
    Value *from = variable ? originVariable(*variable, pointer) : nullptr;
    s_.start(instruction);
    return from ? s_.b.CreateLoad(s_.b.getInt64Ty(), from)
                : s_.b.CreatePtrToInt(const_cast<Value *>(pointer), s_.b.getInt64Ty());
  }
  if (auto *call = dyn_cast<CallInst>(&instruction); call && isCollective(*call))
    return ofCollective(*call);
  // In loops, most of which never meet an uninitialized value, that is a branch.
  s_.start(instruction);
  Instruction *next = &*s_.b.GetInsertPoint();
  Value *suspect = s_.any(s_.shadowOf(&instruction));
  if (isZero(suspect))
    return s_.b.getInt64(0);
  Instruction *then = SplitBlockAndInsertIfThen(suspect, next, false, s_.unlikely());
  s_.b.SetInsertPoint(next);
  PHINode *either = s_.b.CreatePHI(s_.b.getInt64Ty(), 2);
  either->addIncoming(s_.b.getInt64(0), then->getParent()->getSinglePredecessor());
  either->addIncoming(s_.b.getInt64(0), then->getParent());
  origins_[&instruction] = either;
  either->setIncomingValue(1, originAt(instruction, *then));
  return either;
}

// That of the lane whose value has been taken, or of some lane.
Value *ValueOrigins::ofCollective(CallInst &call) {
  Value *value = call.getArgOperand(kCollectiveValue), *own = originOf(*value), *shadow = s_.shadowOf(value);
  if (isZero(shadow) && !isShuffle(call))
    return s_.b.getInt64(0);
  s_.start(call);
  own = s_.b.CreateSelect(s_.any(shadow), own, s_.b.getInt64(0));
  if (isShuffle(call)) { // zero comes from a lane that does not take part
    Value *absent = s_.b.getInt64(kAbsentLane), *mine = s_.b.CreateXor(own, absent);
    Value *taken = s_.b.CreateXor(collectiveLike(s_.b, call, mine, collectiveKind(collectiveCodeOf(call))), absent);
    Value *unnamed = isUnnamedLane(s_.b, call);
    return unnamed ? s_.b.CreateSelect(unnamed, absent, taken) : taken;
  }
  switch (const CollectiveKind kind = collectiveKind(collectiveCodeOf(call))) {
  case CollectiveKind::broadcast:
  case CollectiveKind::broadcastFirst:
  case CollectiveKind::reduce:
  case CollectiveKind::inclusiveScan:
  case CollectiveKind::exclusiveScan: return collectiveLike(s_.b, call, own, kind, FoldOperator::maximum);
  default: {
    CallInst *most = collectiveLike(s_.b, call, own, CollectiveKind::reduce, FoldOperator::maximum);
    most->setArgOperand(kCollectiveOperand, s_.b.getInt64(0));
    return most;
  }
  }
}

// Follows what is stored in a private variable, as a whole.
Value *ValueOrigins::originVariable(TrackedVariable &variable, const Value *pointer) {
  if (variable.origin)
    return variable.origin;
  auto *named = cast<AllocaInst>(getUnderlyingObject(pointer, 0));
  s_.b.SetInsertPoint(variable.shadow);
  s_.b.SetCurrentDebugLocation(DebugLoc());
  variable.origin = s_.b.CreateAlloca(s_.b.getInt64Ty());
  StringRef name = named->getName();
  GlobalVariable *site =
      checkSite(*named, checkPrivate, Align(1), s_.layout.getTypeAllocSize(named->getAllocatedType()).getFixedValue(),
                name, "a variable");
  for (Instruction *begin : variable.begins) {
    s_.b.SetInsertPoint(begin);
    s_.b.CreateStore(s_.b.CreatePtrToInt(site, s_.b.getInt64Ty()), variable.origin);
  }
  for (StoreInst *store : variable.stores) {
    const Value &value = *store->getValueOperand();
    Value *shadow = shadowType(value.getType()) ? s_.shadowOf(&value) : nullptr;
    if (!shadow || isZero(shadow) || !isa<Instruction>(value))
      continue;
    s_.start(*store);
    Instruction *next = &*s_.b.GetInsertPoint();
    Instruction *then = SplitBlockAndInsertIfThen(s_.any(shadow), next, false, s_.unlikely());
    s_.b.SetInsertPoint(then);
    Value *origin = originAt(value, *then);
    s_.b.SetInsertPoint(then);
    s_.b.CreateStore(origin, variable.origin);
  }
  return variable.origin;
}

} // namespace hiplz::cpu
