// SPDX-License-Identifier: MIT
// See use_reports.h.
#include "cpu/compiler/use_reports.h"
#include "cpu/abi/check_site.h"
#include "cpu/compiler/check_sites.h"
#include "cpu/vectorizer/runtime_calls.h"

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
  return s_.b.CreateCall(callee, values);
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

void UseReports::noteStore(Instruction &store, Value *pointer, Value &value, Value *shadow) {
  if (isZero(shadow))
    return;
  s_.b.SetCurrentDebugLocation(store.getDebugLoc());
  Value *suspect = s_.any(shadow);
  Instruction *at = &*s_.b.GetInsertPoint();
  s_.b.SetInsertPoint(SplitBlockAndInsertIfThen(suspect, at, false, s_.unlikely()));
  s_.b.SetCurrentDebugLocation(store.getDebugLoc());
  const uint64_t bytes = s_.layout.getTypeStoreSize(value.getType()).getFixedValue();
  CallInst *call =
      report(runtime::checkStored, store, isComputed(value) ? checkComputed : 0u, {pointer, s_.b.getInt64(bytes)});
  pending_.push_back({call, &value});
}

} // namespace hiplz::cpu
