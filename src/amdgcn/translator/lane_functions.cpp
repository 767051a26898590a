// SPDX-License-Identifier: MIT
// See lane_functions.h.
#include "amdgcn/translator/lane_functions.h"
#include "amdgcn/translator/access_calls.h"

using namespace llvm;

namespace hiplz::amdgcn {
namespace {

Function *makeLaneFunction(Wave &w, const std::string &name, Type *result, ArrayRef<Value *> in,
                           function_ref<Value *(Value *const *)> compute) {
  Module &module = *w.b.GetInsertBlock()->getModule();
  SmallVector<Type *, 4> parameters;
  for (Value *operand : in)
    parameters.push_back(operand->getType());
  auto *type = FunctionType::get(result, parameters, false);
  Function *function = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  function->setDoesNotThrow();
  function->setDoesNotAccessMemory();
  function->addFnAttr(Attribute::WillReturn);
  IRBuilderBase::InsertPointGuard place(w.b);
  w.b.SetInsertPoint(BasicBlock::Create(module.getContext(), "entry", function));
  SmallVector<Value *, 4> operands;
  for (Argument &argument : function->args())
    operands.push_back(&argument);
  w.b.CreateRet(compute(operands.data()));
  return function;
}

} // namespace

Value *byLaneFunction(Wave &w, const char *name, Type *result, ArrayRef<Value *> in,
                      function_ref<Value *(Value *const *)> compute) {
  if (w.b.getIsFPConstrained()) // in a function with another direction of rounding, which another function would not know
    return compute(in.data());
  const std::string whole = std::string(kFunctionOfLanes) + name;
  Function *function = w.b.GetInsertBlock()->getModule()->getFunction(whole);
  if (!function)
    function = makeLaneFunction(w, whole, result, in, compute);
  return w.b.CreateCall(function, in);
}

Value *pullLanes(Wave &w, Value *values, Value *lanes) {
  const std::string name = std::string(kExchangeOfLanes) + "pull";
  Function *function = w.b.GetInsertBlock()->getModule()->getFunction(name);
  if (!function)
    function = makeLaneFunction(w, name, values->getType(), {values, lanes}, [&](Value *const *in) {
      AllocaInst *place = w.b.CreateAlloca(values->getType()); // a lane with a variable number is slow in a register
      place->setAlignment(Align(64));
      w.b.CreateAlignedStore(in[0], place, Align(64));
      Value *result = PoisonValue::get(values->getType());
      for (uint64_t lane = 0; lane < kLanes; ++lane) {
        Value *from = w.b.CreateZExt(w.b.CreateExtractElement(in[1], lane), w.i64);
        Value *value = w.b.CreateLoad(w.i32, w.b.CreateInBoundsGEP(w.i32, place, from));
        result = w.b.CreateInsertElement(result, value, lane);
      }
      return result;
    });
  return w.b.CreateCall(function, {values, lanes});
}

void inlineLaneFunctions(Module &module, bool areInlined) {
  for (Function &function : module)
    if ((startsWith(function.getName(), kFunctionOfLanes) || startsWith(function.getName(), kExchangeOfLanes)) &&
        !function.hasFnAttribute(Attribute::AlwaysInline))
      function.addFnAttr(areInlined ? Attribute::AlwaysInline : Attribute::NoInline);
}

} // namespace hiplz::amdgcn
