// SPDX-License-Identifier: MIT
// See use_reports.h.
#include "cpu/compiler/use_reports.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Not only copied. Copies may have padding in them.
bool isComputed(const Value &value) {
  const Type *type = value.getType();
  return type->isFloatingPointTy() || (type->isIntegerTy() && isa<BinaryOperator, CmpInst>(value));
}

} // namespace

// The last argument, the origin, is filled in later.
template <class Signature>
CallInst *UseReports::report(RuntimeFunction<Signature> function, const Instruction &at, uint32_t flags,
                             ArrayRef<Value *> arguments) {
  FunctionCallee callee = declareRuntime(s_.module, function);
  cast<Function>(callee.getCallee())->addFnAttr(Attribute::NoUnwind);
  SmallVector<Value *, 6> values{s_.function.getArg(0),
                                 checkSite(at, flags, Align(1), 0, "", "use " + Twine(++number_))};
  values.append(arguments.begin(), arguments.end());
  values.push_back(s_.b.getInt64(0));
  CallInst *call = s_.b.CreateCall(callee, values);
  call->addFnAttr(Attribute::Cold);
  return call;
}

void UseReports::check(Value *value, Instruction &at, uint32_t flags) {
  if (!shadowType(value->getType()))
    return;
  Value *shadow = s_.shadowOf(value);
  if (isZero(shadow) || s_.function.arg_empty() || !reported_.insert({{shadow, flags}, blocks_.lookup(&at)}).second)
    return;
  s_.b.SetInsertPoint(&at);
  s_.b.SetCurrentDebugLocation(at.getDebugLoc());
  Value *suspect = s_.any(shadow);
  if (isZero(suspect))
    return;
  s_.b.SetInsertPoint(SplitBlockAndInsertIfThen(suspect, &at, false, s_.unlikely()));
  s_.b.SetCurrentDebugLocation(at.getDebugLoc());
  pending_.push_back({report(runtime::checkUninitialized, at, flags, {}), value});
  s_.b.SetInsertPoint(&at);
  s_.b.SetCurrentDebugLocation(at.getDebugLoc());
}

// Shadows of one type are joined before they are compared.
Value *UseReports::anyOf(ArrayRef<Stored> all) {
  MapVector<Type *, Value *> joined;
  for (const Stored &each : all) {
    Value *&bits = joined[each.shadow->getType()->isIntOrIntVectorTy() ? each.shadow->getType() : nullptr];
    Value *part = each.shadow->getType()->isIntOrIntVectorTy() ? each.shadow : s_.any(each.shadow);
    bits = bits ? s_.b.CreateOr(bits, part) : part;
  }
  Value *result = s_.b.getFalse();
  for (const auto &[type, bits] : joined)
    result = s_.b.CreateOr(result, s_.any(bits));
  return result;
}

void UseReports::noteStores(ArrayRef<Stored> all) {
  if (all.empty())
    return;
  Instruction *at = &*s_.b.GetInsertPoint();
  Value *suspect = anyOf(all);
  if (isZero(suspect))
    return;
  Instruction *then = SplitBlockAndInsertIfThen(suspect, at, false, s_.unlikely());
  for (const Stored &each : all) {
    s_.b.SetInsertPoint(then);
    s_.b.SetCurrentDebugLocation(each.store->getDebugLoc());
    if (all.size() > 1)
      s_.b.SetInsertPoint(SplitBlockAndInsertIfThen(s_.any(each.shadow), then, false));
    noteStore(each);
  }
  s_.b.SetInsertPoint(at);
}

void UseReports::noteStore(const Stored &stored) {
  StoreInst &store = *stored.store;
  Value &value = *store.getValueOperand();
  s_.b.SetCurrentDebugLocation(store.getDebugLoc());
  const uint64_t bytes = s_.layout.getTypeStoreSize(value.getType()).getFixedValue();
  CallInst *call = report(runtime::checkStored, store, isComputed(value) ? checkComputed : 0u,
                          {store.getPointerOperand(), s_.b.getInt64(bytes)});
  pending_.push_back({call, &value});
}

} // namespace hiplz::cpu
