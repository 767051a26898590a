// SPDX-License-Identifier: MIT
// See machine_functions.h.
#include "cpu/compiler/machine_functions.h"
#include "amdgcn/object/code_object.h"
#include "amdgcn/translator/translate.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/runtime_calls.h"

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

using amdgcn::GridState;

/// A function of the module, with its entry block if it is new.
Function *helper(Module &module, const char *name, ArrayRef<Type *> parameters, BasicBlock *&entry) {
  LLVMContext &context = module.getContext();
  entry = nullptr;
  if (Function *known = module.getFunction(name))
    return known;
  auto *type = FunctionType::get(Type::getVoidTy(context), parameters, false);
  Function *made = Function::Create(type, GlobalValue::InternalLinkage, name, module);
  made->addFnAttr(Attribute::NoUnwind);
  made->addFnAttr(Attribute::NoInline);
  entry = BasicBlock::Create(context, "entry", made);
  return made;
}

} // namespace

Value *ownersVariable(IRBuilder<> &b, const std::string &name) {
  Module &module = *b.GetInsertBlock()->getModule();
  return b.CreateAlignedLoad(b.getInt64Ty(), module.getOrInsertGlobal(globalSymbol(name), b.getInt64Ty()), Align(8));
}

Value *trapState(IRBuilder<> &b) {
  Value *state = ownersVariable(b, amdgcn::kTrapVariable);
  Value *zeros = b.GetInsertBlock()->getModule()->getNamedGlobal(globalSymbol(amdgcn::kTrapVariable));
  return b.CreateSelect(b.CreateICmpEQ(state, b.getInt64(0)), zeros, b.CreateIntToPtr(state, b.getPtrTy()));
}

Function *trapFunction(Module &module) {
  BasicBlock *entry;
  Function *function = helper(module, "machine.trap", {}, entry);
  if (!entry)
    return function;
  IRBuilder<> b(entry);
  BasicBlock *fault = BasicBlock::Create(module.getContext(), "fault", function);
  BasicBlock *note = BasicBlock::Create(module.getContext(), "note", function);
  Value *known = ownersVariable(b, amdgcn::kTrapVariable);
  b.CreateCondBr(b.CreateICmpEQ(known, b.getInt64(0)), fault, note);
  b.SetInsertPoint(fault);
  b.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
  b.CreateUnreachable();
  b.SetInsertPoint(note);
  Value *state = b.CreateIntToPtr(known, b.getPtrTy());
  Value *reason = loadField(b, b.getPtrTy(), state, offsetof(amdgcn::TrapState, reason), false);
  for (Value *word : {state, reason})
    b.CreateAtomicCmpXchg(word, b.getInt32(0), b.getInt32(amdgcn::TrapState::trapped), Align(4),
                          AtomicOrdering::SequentiallyConsistent, AtomicOrdering::Monotonic);
  b.CreateRetVoid();
  return function;
}

Function *gridBarrierFunction(Module &module) {
  LLVMContext &context = module.getContext();
  BasicBlock *entry;
  Type *i32 = Type::getInt32Ty(context);
  Function *function =
      helper(module, "machine.grid_barrier", {PointerType::get(context, 0), Type::getInt64Ty(context), i32}, entry);
  if (!entry)
    return function;
  IRBuilder<> b(entry);
  BasicBlock *last = BasicBlock::Create(context, "last", function),
             *wait = BasicBlock::Create(context, "wait", function),
             *again = BasicBlock::Create(context, "again", function),
             *end = BasicBlock::Create(context, "end", function);
  Value *isLone = b.CreateICmpEQ(function->getArg(1), b.getInt64(0));
  Value *state =
      b.CreateIntToPtr(b.CreateSelect(isLone, b.getInt64(kNoGridAddress), function->getArg(1)), b.getPtrTy());
  Value *arrived = b.CreateConstGEP1_64(b.getInt8Ty(), state, offsetof(GridState, arrived));
  Value *generation = b.CreateConstGEP1_64(b.getInt8Ty(), state, offsetof(GridState, generation));
  auto now = [&] {
    LoadInst *load = b.CreateAlignedLoad(i32, generation, Align(4));
    load->setAtomic(AtomicOrdering::SequentiallyConsistent);
    return load;
  };
  auto add = [&](Value *place, Value *value) {
    return b.CreateAtomicRMW(AtomicRMWInst::Add, place, value, Align(4), AtomicOrdering::SequentiallyConsistent);
  };
  Value *before = now();
  Value *others = add(arrived, b.getInt32(1));
  b.CreateCondBr(b.CreateICmpEQ(others, b.CreateSub(function->getArg(2), b.getInt32(1))), last, wait);
  b.SetInsertPoint(last);
  add(arrived, b.CreateNeg(function->getArg(2)));
  add(generation, b.getInt32(1));
  b.CreateBr(end);
  b.SetInsertPoint(wait);
  b.CreateCondBr(b.CreateICmpEQ(now(), before), again, end);
  b.SetInsertPoint(again);
  b.CreateCall(declareRuntime(module, runtime::warpYield), {function->getArg(0)});
  b.CreateBr(wait);
  b.SetInsertPoint(end);
  b.CreateRetVoid();
  return function;
}

} // namespace hiplz::cpu
