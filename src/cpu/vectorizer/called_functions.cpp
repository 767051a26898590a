// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/called_functions.h"
#include "cpu/vectorizer/body_facts.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

#include <utility>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kPrivateAttribute = "hiplz-private";

using Parameters = SmallPtrSet<const Argument *, 32>;

// True if the pointer is to private variables, should these parameters be.
bool isPrivateIf(const Value *pointer, const Parameters &known) {
  SmallVector<const Value *, 4> objects;
  getUnderlyingObjects(pointer, objects, nullptr, 0);
  return all_of(objects, [&](const Value *object) {
    auto *parameter = dyn_cast<Argument>(object);
    return isa<AllocaInst>(object) || isa<ConstantPointerNull>(object) || isa<UndefValue>(object) ||
           (parameter && known.contains(parameter));
  });
}

} // namespace

void markPrivateParameters(Module &module) {
  std::vector<Function *> behindPointers;
  SmallPtrSet<const Function *, 32> called;
  std::vector<const CallBase *> calls;
  for (Function &function : module) {
    if (!function.isDeclaration() && function.hasAddressTaken())
      behindPointers.push_back(&function);
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<CallBase>(&instruction); call && !call->isInlineAsm()) {
        calls.push_back(call);
        called.insert(call->getCalledFunction()); // null for those through pointers
      }
  }
  Parameters known; // to private variables unless a call shows otherwise
  for (Function &function : module)
    if (!function.isDeclaration() && function.hasLocalLinkage() && // or other modules call it
        (called.contains(&function) || (function.hasAddressTaken() && called.contains(nullptr))))
      for (Argument &argument : function.args())
        if (argument.getArgNo() > 0 && argument.getType()->isPointerTy()) // the first one is the WorkItem
          known.insert(&argument);
  const auto check = [&](const CallBase &call, const Function &callee) {
    bool changed = false;
    for (unsigned i = 1; i < callee.arg_size(); ++i)
      if (known.contains(callee.getArg(i)) && (i >= call.arg_size() || !isPrivateIf(call.getArgOperand(i), known)))
        changed |= known.erase(callee.getArg(i));
    return changed;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const CallBase *call : calls)
      if (const Function *callee = call->getCalledFunction())
        changed |= check(*call, *callee);
      else
        for (const Function *each : behindPointers)
          changed |= check(*call, *each);
  }
  for (const Argument *argument : known) {
    Function &function = *const_cast<Function *>(argument->getParent());
    function.addParamAttr(argument->getArgNo(), Attribute::get(module.getContext(), kPrivateAttribute));
  }
}

bool isPrivateParameter(const Value &value) {
  auto *parameter = dyn_cast<Argument>(&value);
  return parameter && parameter->getParent()->getAttributes().hasParamAttr(parameter->getArgNo(), kPrivateAttribute);
}

CalledFunctions::CalledFunctions(Function &body) : kernel_(&body) {
  add(body);
  findEffects();
}

CalledFunctions::CalledFunctions(Module &shared) {
  for (Function &function : shared)
    if (!function.isDeclaration() && !function.hasLocalLinkage())
      add(function);
  findEffects();
}

// Functions that are called by functions that are alone are alone, too.
void CalledFunctions::add(Function &root) {
  SmallVector<Function *, 16> work{&root};
  const auto want = [&](Function *function) {
    if (function->isDeclaration() || function->hasFnAttribute(kAloneAttribute) ||
        function->hasFnAttribute(kOfBuiltinLibrary) || isKernel(*function) || is_contained(functions_, function))
      return;
    functions_.push_back(function);
    work.push_back(function);
  };
  want(&root);
  while (!work.empty())
    for (Instruction &instruction : instructions(*work.pop_back_val())) {
      auto *call = dyn_cast<CallBase>(&instruction);
      if (!call || call->isInlineAsm())
        continue;
      if (Function *callee = call->getCalledFunction()) {
        want(callee);
      } else if (!std::exchange(callsPointers_, true)) { // it may be any of them
        for (Function &other : *root.getParent())
          if (other.hasAddressTaken())
            want(&other);
      }
    }
}

void CalledFunctions::findEffects() {
  for (const Function *function : functions_) {
    Effects own;
    const BodyFacts facts(*function, *this);
    const DataLayout &layout = function->getParent()->getDataLayout();
    const auto touch = [&](const Value *pointer, Effects how) {
      auto *variable = dyn_cast<GlobalVariable>(getUnderlyingObject(pointer, 0));
      if (!(variable && variable->isConstant()) && !originsOf(pointer, layout, facts).empty())
        own |= how;
    };
    for (const Instruction &instruction : instructions(*function)) {
      if (const auto id = facts.idOf(instruction))
        idsRead_ |= 1u << id->id;
      if (auto *memory = dyn_cast<AnyMemIntrinsic>(&instruction)) {
        touch(memory->getRawDest(), Effects{false, true});
        if (auto *transfer = dyn_cast<AnyMemTransferInst>(memory))
          touch(transfer->getRawSource(), Effects{true, false});
      } else if (const Value *pointer = getLoadStorePointerOperand(&instruction)) {
        touch(pointer, Effects{isa<LoadInst>(instruction), isa<StoreInst>(instruction)});
      } else if (isa<AtomicRMWInst>(instruction) || isa<AtomicCmpXchgInst>(instruction)) {
        touch(instruction.getOperand(0), Effects{true, true});
      }
    }
    effects_[function] = own;
  }
  for (bool changed = true; changed;) { // and those of the functions that they call
    changed = false;
    for (const Function *function : functions_) {
      Effects all = effects_[function];
      for (const Instruction &instruction : instructions(*function))
        if (auto *call = dyn_cast<CallBase>(&instruction))
          all |= effectsOf(*call);
      changed = changed || all != effects_[function];
      effects_[function] = all;
      if (function->hasAddressTaken())
        throughPointers_ |= all;
    }
  }
}

Effects CalledFunctions::effectsOf(const CallBase &call) const {
  const Function *callee = call.getCalledFunction();
  if (call.isInlineAsm() || (callee && (callee->isDeclaration() || callee->hasFnAttribute(kAloneAttribute))))
    return {};
  const bool ofLibrary = callee && callee->hasFnAttribute(kOfBuiltinLibrary);
  const Effects effects = ofLibrary ? Effects{true, true} : callee ? effects_.lookup(callee) : throughPointers_;
  return {effects.reads && call.mayReadFromMemory(), effects.writes && call.mayWriteToMemory()};
}

} // namespace hiplz::cpu
