// SPDX-License-Identifier: MIT
// The calls of the runtime (abi/runtime_functions.h) in a body: made, and recognised by name. And how wide one lane of a
// private variable is.
#pragma once
#include "cpu/abi/collective.h"
#include "cpu/abi/runtime_functions.h"

#include <llvm/ADT/StringRef.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/DerivedTypes.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// A type of the runtime's functions as LLVM has it.
template <class T> llvm::Type *runtimeType(llvm::LLVMContext &context) {
  if constexpr (std::is_void_v<T>)
    return llvm::Type::getVoidTy(context);
  else if constexpr (std::is_pointer_v<T>)
    return llvm::PointerType::get(context, 0);
  else
    return llvm::Type::getIntNTy(context, 8 * sizeof(T));
}

/// The declaration of a runtime function in a module.
template <class Result, class... Parameters>
llvm::FunctionCallee declareRuntime(llvm::Module &module, RuntimeFunction<Result(Parameters...)> function) {
  llvm::LLVMContext &context = module.getContext();
  return module.getOrInsertFunction(
      function.name,
      llvm::FunctionType::get(runtimeType<Result>(context), {runtimeType<Parameters>(context)...}, false));
}

/// Parameters of runtime::collective.
constexpr unsigned kCollectiveCode = 2, kCollectiveValue = 3, kCollectiveOperand = 4;

template <class Signature> bool callsRuntime(const llvm::CallBase &call, const RuntimeFunction<Signature> &function) {
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->getName() == llvm::StringRef(function.name);
}
inline bool isBarrier(const llvm::CallBase &call) { return callsRuntime(call, runtime::barrier); }
inline bool isBarrierCall(const llvm::Instruction &instruction) {
  auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
  return call && isBarrier(*call);
}
inline bool isYield(const llvm::CallBase &call) { return callsRuntime(call, runtime::yield); }
inline bool isCollective(const llvm::CallBase &call) { return callsRuntime(call, runtime::collective); }
/// A call that only looks (cpu/check).
inline bool isCheck(const llvm::CallBase &call) {
  return callsRuntime(call, runtime::checkAccess) || callsRuntime(call, runtime::checkBarrier) ||
         callsRuntime(call, runtime::checkPassed) || callsRuntime(call, runtime::checkMet) ||
         callsRuntime(call, runtime::checkUninitialized) || callsRuntime(call, runtime::checkStored);
}
inline uint32_t collectiveCodeOf(const llvm::CallBase &call) {
  return static_cast<uint32_t>(llvm::cast<llvm::ConstantInt>(call.getArgOperand(kCollectiveCode))->getZExtValue());
}

/// Bytes from one lane's copy of a private variable to the next one's. Interleaved variables, whose elements of all lanes
/// lie side by side, carry the bytes of an element as metadata (interleave_allocas.cpp).
uint64_t laneBytes(const llvm::AllocaInst &variable);
bool isInterleaved(const llvm::AllocaInst &variable);

} // namespace hiplz::cpu
