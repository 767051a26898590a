// SPDX-License-Identifier: MIT
// See call_shadows.h.
#include "cpu/compiler/call_shadows.h"
#include "base/llvm_compat.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/meetings.h"
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/runtime_calls.h"

using namespace llvm;

namespace hiplz::cpu {

bool isPrint(const Function &function) {
  return function.hasFnAttribute(kAloneAttribute) || startsWith(function.getName(), "hiplz.print.");
}

bool isFunctionOfArguments(const CallBase &call) {
  const Function *callee = call.getCalledFunction();
  if (!callee || call.isInlineAsm() || isPrint(*callee))
    return false;
  return callee->hasFnAttribute(kOfBuiltinLibrary) ||
         (callee->isDeclaration() && !startsWith(callee->getName(), kRuntimePrefix));
}

bool isShuffle(const CallBase &call) {
  if (!isCollective(call))
    return false;
  const uint32_t code = collectiveCodeOf(cast<CallInst>(call));
  if (collectiveScope(code) != CollectiveScope::subgroup)
    return false;
  switch (collectiveKind(code)) {
  case CollectiveKind::broadcast:
  case CollectiveKind::shuffleXor:
  case CollectiveKind::shuffleUp:
  case CollectiveKind::shuffleDown: return true;
  default: return false;
  }
}

CallInst *collectiveLike(BitShadows::Builder &builder, CallInst &like, Value *value, CollectiveKind kind,
                         FoldOperator fold) {
  auto *call = cast<CallInst>(like.clone());
  const uint32_t code = collectiveCodeOf(like);
  call->setArgOperand(kCollectiveCode,
                      builder.getInt32(collectiveCode(collectiveScope(code), kind, fold, ElementType::u64)));
  call->setArgOperand(kCollectiveValue, builder.CreateZExt(value, builder.getInt64Ty()));
  builder.Insert(call);
  return call;
}

Value *isUnnamedLane(BitShadows::Builder &builder, const CallInst &shuffle) {
  Value *mask = shuffleMaskOf(shuffle);
  if (!mask)
    return nullptr;
  Value *lane = builder.CreateAnd(shuffle.getArgOperand(kCollectiveOperand), builder.getInt64(kSubgroupSize - 1));
  return builder.CreateNot(builder.CreateTrunc(builder.CreateLShr(mask, lane), builder.getInt1Ty()));
}

void CallShadows::visitCall(CallInst &call) {
  if (isCollective(call)) {
    uses_.check(call.getArgOperand(kCollectiveOperand), call, checkLane);
    return visitCollective(call);
  }
  const Function *callee = call.getCalledFunction();
  if (!callee) {
    if (!call.isInlineAsm())
      uses_.check(call.getCalledOperand(), call, checkAddresses);
    return;
  }
  if (isPrint(*callee))
    for (Value *argument : call.args())
      uses_.check(argument, call, checkPrints);
  if (!isFunctionOfArguments(call))
    return;
  if (!callee->isIntrinsic())
    clearResults(call);
  if (!s_.isSuspect(&call))
    return;
  s_.b.SetInsertPoint(&call);
  Type *type = shadowType(call.getType());
  s_.setShadow(call, ofFunction(call, type));
}

Value *CallShadows::ofFunction(CallInst &call, Type *type) {
  auto shadow = [&](unsigned index) { return s_.shadowOf(call.getArgOperand(index)); };
  switch (call.getIntrinsicID()) {
  case Intrinsic::fabs:
  case Intrinsic::expect:
  case Intrinsic::ptrmask:
  case Intrinsic::ssa_copy:
  case Intrinsic::launder_invariant_group:
  case Intrinsic::strip_invariant_group: return shadow(0);
  case Intrinsic::fma:
  case Intrinsic::fmuladd: return s_.b.CreateOr(s_.b.CreateOr(shadow(0), shadow(1)), shadow(2));
  case Intrinsic::bswap:
  case Intrinsic::bitreverse: return s_.b.CreateUnaryIntrinsic(call.getIntrinsicID(), shadow(0));
  case Intrinsic::fshl:
  case Intrinsic::fshr:
    if (isZero(shadow(2)))
      return s_.b.CreateIntrinsic(call.getIntrinsicID(), {type}, {shadow(0), shadow(1), call.getArgOperand(2)});
    break;
  default: break;
  }
  Value *all = nullptr;
  for (Value *argument : call.args()) {
    if (!shadowType(argument->getType()))
      continue;
    Value *part = s_.shadowOf(argument);
    if (isZero(part))
      continue;
    part = s_.spread(part, type);
    all = all ? s_.b.CreateOr(all, part) : part;
  }
  return all ? all : Constant::getNullValue(type);
}

// Memory that a function of the library writes behind a pointer counts as initialized.
void CallShadows::clearResults(CallInst &call) {
  for (Value *argument : call.args()) {
    if (!argument->getType()->isPointerTy() || variables_.targetOf(argument) == PointerTarget::initialized ||
        variables_.isItem(argument))
      continue;
    Value *shadow = memory_.addressOf(argument);
    uint64_t bytes =
        s_.layout.getTypeStoreSize(call.getType()->isVoidTy() ? s_.b.getInt32Ty() : call.getType()).getFixedValue();
    if (TrackedVariable *variable = variables_.variableOf(argument)) {
      shadow = variable->shadow;
      bytes = s_.layout.getTypeAllocSize(variable->shadow->getAllocatedType()).getFixedValue();
    }
    s_.b.SetInsertPoint(behind(call));
    s_.b.CreateMemSet(shadow, s_.b.getInt8(0), s_.b.getInt64(bytes), Align(1));
  }
}

// All participants of an operation make the same one with their shadows, right behind it.
void CallShadows::visitCollective(CallInst &call) {
  if (!s_.isSuspect(&call))
    return;
  Value *value = call.getArgOperand(kCollectiveValue), *shadow = s_.shadowOf(value);
  if (isZero(shadow) && !isShuffle(call))
    return;
  s_.b.SetInsertPoint(behind(call));
  const CollectiveKind kind = collectiveKind(collectiveCodeOf(call));
  Value *result = nullptr;
  switch (kind) {
  case CollectiveKind::sync:
  case CollectiveKind::elect: return;
  case CollectiveKind::all:
  case CollectiveKind::any: {
    // One value that is known may decide.
    Value *zero = s_.b.getInt64(0);
    Value *isKnown = s_.b.CreateICmpEQ(shadow, zero), *isSet = s_.b.CreateICmpNE(value, zero);
    Value *decides = kind == CollectiveKind::any ? isSet : s_.b.CreateNot(isSet);
    Value *open = collective(call, s_.any(shadow), CollectiveKind::any);
    Value *decided = collective(call, s_.b.CreateAnd(isKnown, decides), CollectiveKind::any);
    result = s_.b.CreateAnd(open, s_.b.CreateXor(decided, s_.b.getInt64(1)));
    break;
  }
  case CollectiveKind::allEqual: result = collective(call, s_.any(shadow), CollectiveKind::any); break;
  case CollectiveKind::ballot: result = collective(call, s_.any(shadow), CollectiveKind::ballot); break;
  case CollectiveKind::broadcast:
  case CollectiveKind::shuffleXor:
  case CollectiveKind::shuffleUp:
  case CollectiveKind::shuffleDown: result = ofShuffle(call, shadow); break;
  case CollectiveKind::broadcastFirst: result = collective(call, shadow, kind); break;
  case CollectiveKind::reduce:
  case CollectiveKind::inclusiveScan:
  case CollectiveKind::exclusiveScan: result = s_.spread(collective(call, shadow, kind), s_.b.getInt64Ty()); break;
  }
  s_.setShadow(call, result);
}

// From a lane that does not take part come zeros (include/hip/spirv/warp.h), which are undefined. So it is the complement that is exchanged.
Value *CallShadows::ofShuffle(CallInst &call, Value *shadow) {
  const CollectiveKind kind = collectiveKind(collectiveCodeOf(call));
  if (collectiveScope(collectiveCodeOf(call)) != CollectiveScope::subgroup)
    return collective(call, shadow, kind);
  Value *value = call.getArgOperand(kCollectiveValue);
  auto *extension = dyn_cast<ZExtInst>(value); // its upper bits are known
  Type *type = extension ? extension->getSrcTy() : value->getType();
  Value *known = s_.b.CreateNot(s_.b.CreateTrunc(shadow, type));
  Value *undefined = s_.b.CreateNot(s_.b.CreateTrunc(collective(call, known, kind), type));
  if (Value *unnamed = isUnnamedLane(s_.b, call)) // what comes from there is undefined as well
    undefined = s_.b.CreateOr(undefined, s_.b.CreateSExt(unnamed, type));
  return s_.b.CreateZExt(undefined, s_.b.getInt64Ty());
}

} // namespace hiplz::cpu
