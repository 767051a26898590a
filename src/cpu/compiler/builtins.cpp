// SPDX-License-Identifier: MIT
#include "cpu/compiler/builtins.h"
#include "base/llvm_compat.h"
#include "cpu/compiler/builtin_library.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/reachable.h"

#include <llvm/ADT/StringSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Linker/Linker.h>

#include <set>

using namespace llvm;

namespace hiplz::cpu {

uint64_t BuiltinCall::constantArg(unsigned index, uint64_t otherwise) const {
  auto *constant = dyn_cast<ConstantInt>(arg(index));
  return constant ? constant->getZExtValue() : otherwise;
}

Value *BuiltinCall::intrinsic(Intrinsic::ID id, Type *type, ArrayRef<Value *> arguments) {
  return builder.CreateIntrinsic(id, {type}, arguments);
}

Value *BuiltinCall::external(StringRef name, Type *result, ArrayRef<Value *> arguments, bool pure) {
  SmallVector<Type *, 6> types;
  for (Value *argument : arguments)
    types.push_back(argument->getType());
  FunctionCallee callee = module().getOrInsertFunction(name, FunctionType::get(result, types, false));
  if (auto *function = dyn_cast<Function>(callee.getCallee())) {
    function->setDoesNotThrow();
    if (pure) {
      function->setDoesNotAccessMemory();
      function->setWillReturn();
    }
  }
  return builder.CreateCall(callee, arguments);
}

Value *BuiltinCall::runtime(FunctionCallee function, ArrayRef<Value *> arguments) {
  cast<Function>(function.getCallee())->setDoesNotThrow();
  return builder.CreateCall(function, arguments);
}

Value *BuiltinCall::perElement(ArrayRef<Value *> arguments, Type *pointee,
                               function_ref<Value *(ArrayRef<Value *>)> element) {
  unsigned count = 0;
  for (Value *argument : arguments)
    if (auto *vector = dyn_cast<FixedVectorType>(argument->getType()))
      count = vector->getNumElements();
  if (count == 0)
    return element(arguments);
  Value *result = nullptr;
  for (unsigned i = 0; i < count; ++i) {
    SmallVector<Value *, 6> scalars;
    for (Value *argument : arguments) {
      if (argument->getType()->isVectorTy())
        scalars.push_back(builder.CreateExtractElement(argument, i));
      else if (argument->getType()->isPointerTy() && pointee)
        scalars.push_back(builder.CreateConstInBoundsGEP1_64(pointee, argument, i));
      else
        scalars.push_back(argument);
    }
    Value *scalar = element(scalars);
    if (!scalar)
      return nullptr;
    if (scalar->getType()->isVoidTy()) {
      result = scalar;
      continue;
    }
    if (!result)
      result = PoisonValue::get(FixedVectorType::get(scalar->getType(), count));
    result = builder.CreateInsertElement(result, scalar, i);
  }
  return result;
}

const BuiltinTable &BuiltinTable::instance() {
  static const BuiltinTable table = [] {
    BuiltinTable made;
    addWorkItemBuiltins(made);
    addIntegerBuiltins(made);
    addMathBuiltins(made);
    addRelationalBuiltins(made);
    addConversionBuiltins(made);
    addAtomicBuiltins(made);
    addCollectiveBuiltins(made);
    addMemoryBuiltins(made);
    addPrintBuiltins(made);
    addImageBuiltins(made);
    return made;
  }();
  return table;
}

const BuiltinLowering *BuiltinTable::find(StringRef name) const {
  auto found = entries_.find(name);
  return found == entries_.end() ? nullptr : &found->second;
}

StringRef builtinName(StringRef symbol) {
  unsigned length = 0;
  if (symbol.consume_front("_Z") && !symbol.consumeInteger(10, length))
    symbol = symbol.take_front(length);
  const bool isPlain = startsWith(symbol, "intel_get_") || startsWith(symbol, "__translate_sampler_");
  return symbol.consume_front("__spirv_") || isPlain ? symbol : StringRef();
}

namespace {

// "ConvertFToS_Rint4_sat" is the function "ConvertFToS" with the suffix "int4_sat".
std::pair<StringRef, StringRef> splitSuffix(StringRef name) {
  size_t position = name.rfind("_R");
  return position == StringRef::npos ? std::pair(name, StringRef())
                                     : std::pair(name.take_front(position), name.drop_front(position + 2));
}

bool lowerCall(CallInst &call, std::set<std::string> &unknown) {
  Function *callee = call.getCalledFunction();
  if (!callee || !callee->isDeclaration() || callee->isIntrinsic())
    return false;
  auto [name, suffix] = splitSuffix(builtinName(callee->getName()));
  const BuiltinLowering *lowering = BuiltinTable::instance().find(name);
  if (!lowering && !isRuntimeFunction(callee->getName())) {
    unknown.insert(name.empty() ? callee->getName().str() : name.str());
    return false;
  }
  if (!lowering)
    return false;
  BuiltinCall builtin(call, suffix, call.getFunction()->getArg(0));
  if (isa<FPMathOperator>(call))
    builtin.builder.setFastMathFlags(call.getFastMathFlags());
  Value *value = (*lowering)(builtin);
  if (!value) {
    unknown.insert(callee->getName().str());
    return false;
  }
  if (!call.getType()->isVoidTy())
    call.replaceAllUsesWith(value);
  call.eraseFromParent();
  return true;
}

} // namespace

bool lowerBuiltins(Module &module, std::string &error) {
  std::set<std::string> unknown;
  for (Function &function : make_early_inc_range(module)) {
    if (function.isDeclaration())
      continue;
    std::vector<CallInst *> calls;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallInst>(&instruction))
        calls.push_back(call);
    for (CallInst *call : calls)
      lowerCall(*call, unknown);
  }
  if (!unknown.empty()) {
    error = "built-in function";
    const char *separator = unknown.size() == 1 ? " " : "s ";
    for (const std::string &name : unknown) {
      error += separator + name;
      separator = ", ";
    }
    error += unknown.size() == 1 ? " is" : " are";
    error += " not supported by the CPU device";
    return false;
  }
  for (Function &function : make_early_inc_range(module))
    if (function.isDeclaration() && function.use_empty())
      function.eraseFromParent();
  return linkBuiltinLibrary(module, error);
}

namespace {
bool callsOneOf(Function &function, std::initializer_list<StringRef> names) {
  for (Function *reached : reachableFunctions(function))
    for (Instruction &instruction : instructions(*reached))
      if (auto *call = dyn_cast<CallBase>(&instruction))
        if (Function *callee = call->getCalledFunction(); callee && is_contained(names, callee->getName()))
          return true;
  return false;
}
} // namespace

bool usesCollectives(Function &function) {
  return callsOneOf(function, {runtime::barrier.name, runtime::collective.name, runtime::yield.name});
}

bool yields(Function &function) { return callsOneOf(function, {runtime::yield.name}); }

} // namespace hiplz::cpu
