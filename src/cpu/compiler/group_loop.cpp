// SPDX-License-Identifier: MIT
// See group_loop.h.
#include "cpu/compiler/group_loop.h"
#include "cpu/abi/group_count.h"
#include "cpu/compiler/group_size.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/compiler/uninitialized.h"
#include "cpu/vectorizer/reachable.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/unseen_tells.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {

uint64_t allocatedBytes(Function &function) {
  const DataLayout &layout = function.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (Instruction &instruction : instructions(function))
    if (auto *alloca = dyn_cast<AllocaInst>(&instruction))
      bytes += layout.getTypeAllocSize(alloca->getAllocatedType()).getFixedValue();
  return bytes;
}

uint64_t stackBytes(Function &function) {
  constexpr uint64_t kOutOfLineBytes = 256 * 1024;
  auto reached = reachableFunctions(function);
  uint64_t bytes = reached.size() > 1 ? kOutOfLineBytes : 0;
  for (Function *each : reached)
    bytes += allocatedBytes(*each);
  return std::min<uint64_t>(bytes, 1u << 30);
}

void allowReuseOfState(Function &warp) {
  for (Instruction &instruction : instructions(warp))
    if (auto *load = dyn_cast<LoadInst>(&instruction))
      if (getUnderlyingObject(load->getPointerOperand()) == warp.getArg(0))
        load->setMetadata(LLVMContext::MD_invariant_load, nullptr);
}

bool paysTwice(Function &warp) {
  constexpr unsigned kMaxInstructions = 160;
  constexpr uint64_t kMaxBytes = 4096; // each copy may have its own
  return warp.getInstructionCount() <= kMaxInstructions && allocatedBytes(warp) <= kMaxBytes;
}

bool needsOwnStack(Function &warp) {
  constexpr uint64_t kMaxStackBytes = 96 * 1024;
  return allocatedBytes(warp) > kMaxStackBytes;
}

KernelFunctionBuilder::KernelFunctionBuilder(Kernel &kernel)
    : kernel_(kernel), body_(*kernel.function), module_(*body_.getParent()), context_(module_.getContext()),
      b_(context_) {}

Function *KernelFunctionBuilder::createFunction(const Twine &name, Type *result, ArrayRef<Type *> parameters,
                                                GlobalValue::LinkageTypes linkage) {
  Function *function = Function::Create(FunctionType::get(result, parameters, false), linkage, name, module_);
  function->addFnAttr(Attribute::NoUnwind);
  if (body_.hasFnAttribute(Attribute::OptimizeNone)) {
    function->addFnAttr(Attribute::OptimizeNone);
    function->addFnAttr(Attribute::NoInline);
  }
  if (DISubprogram *original = body_.getSubprogram())
    attachSubprogram(*function, *original);
  return function;
}

// Code that is inlined from the body needs a function with debug information around it.
void KernelFunctionBuilder::attachSubprogram(Function &function, DISubprogram &original) {
  DIBuilder builder(module_, false, original.getUnit());
  auto *type = builder.createSubroutineType(builder.getOrCreateTypeArray({}));
  auto *program = builder.createFunction(original.getFile(), kernel_.info.name, function.getName(), original.getFile(),
                                         original.getLine(), type, original.getLine(), DINode::FlagArtificial,
                                         DISubprogram::SPFlagDefinition);
  function.setSubprogram(program);
  builder.finalizeSubprogram(program);
}

Function *KernelFunctionBuilder::createKernelFunction(const Twine &name, GlobalValue::LinkageTypes linkage) {
  Type *pointer = b_.getPtrTy();
  Function *function =
      createFunction(name, b_.getVoidTy(), {pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty()}, linkage);
  if (kernel_.info.staticLocalBytes > 0)
    function->addFnAttr(kStaticLocalBytes, utostr(kernel_.info.staticLocalBytes));
  function->addParamAttr(0, Attribute::NoAlias);
  function->addParamAttr(0, Attribute::ReadOnly);
  function->addParamAttr(0, Attribute::NonNull);
  function->addDereferenceableParamAttr(0, sizeof(LaunchState));
  function->addParamAttr(0, Attribute::getWithAlignment(context_, Align(alignof(LaunchState))));
  function->addParamAttr(1, Attribute::NonNull);
  function->addDereferenceableParamAttr(1, sizeof(WorkerState));
  function->addParamAttr(1, Attribute::getWithAlignment(context_, Align(alignof(WorkerState))));
  return function;
}

void KernelFunctionBuilder::startBlock(Function &function, const char *name) {
  b_.SetInsertPoint(BasicBlock::Create(context_, name, &function));
  if (DISubprogram *program = function.getSubprogram())
    b_.SetCurrentDebugLocation(DILocation::get(context_, program->getLine(), 0, program));
  else
    b_.SetCurrentDebugLocation(DebugLoc());
}

SmallVector<Value *, 16> KernelFunctionBuilder::loadArguments(Value *launch, Value *worker) {
  Value *block = loadField(b_, b_.getPtrTy(), launch, offsetof(LaunchState, args), true);
  SmallVector<Value *, 16> values;
  for (size_t i = 0; i < kernel_.info.args.size(); ++i) {
    const ArgInfo &arg = kernel_.info.args[i];
    Type *type = body_.getArg(static_cast<unsigned>(i) + 1)->getType();
    switch (arg.kind) {
    case ArgKind::byValue: values.push_back(b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block, arg.offset)); break;
    case ArgKind::localPointer: {
      Value *local = loadField(b_, b_.getPtrTy(), worker, offsetof(WorkerState, local), true);
      Value *offset = loadField(b_, b_.getInt64Ty(), block, arg.offset, true);
      values.push_back(b_.CreateGEP(b_.getInt8Ty(), local, offset));
      break;
    }
    default: {
      uint64_t bits = module_.getDataLayout().getTypeSizeInBits(type).getFixedValue();
      if (type->isIntegerTy() && bits % 8 != 0) {
        Value *whole = loadField(b_, b_.getIntNTy(alignTo(bits, 8)), block, arg.offset, true);
        values.push_back(b_.CreateTrunc(whole, type));
      } else {
        values.push_back(loadField(b_, type, block, arg.offset, true));
      }
    }
    }
  }
  return values;
}

void KernelFunctionBuilder::tell(Value *value, uint64_t offset) {
  b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), worker_, offset), true);
}

void KernelFunctionBuilder::keepRolled(BranchInst &back) {
  MDNode *disable = MDNode::get(context_, MDString::get(context_, "llvm.loop.unroll.disable"));
  MDNode *loop = MDNode::getDistinct(context_, {nullptr, disable});
  loop->replaceOperandWith(0, loop);
  back.setMetadata(LLVMContext::MD_loop, loop);
}

void KernelFunctionBuilder::fixSizeIn(Function &function) {
  if (const auto &size = kernel_.code.onlySize)
    fixGroupSize(function, *size);
}

void KernelFunctionBuilder::enterKernel(Function &function) {
  launch_ = function.getArg(0);
  worker_ = function.getArg(1);
  startBlock(function, "entry");
  storeField(b_, b_.CreateGlobalStringPtr(kernel_.info.name, "name"), worker_, offsetof(WorkerState, kernelName));
  const auto &only = kernel_.code.onlySize;
  for (unsigned d = 0; d < 3; ++d) {
    const uint64_t place = offsetof(LaunchState, groupSize) + 4 * d;
    groupSize_[d] =
        only ? static_cast<Value *>(b_.getInt32((*only)[d])) : loadRanged(b_, launch_, place, 1, kMaxGroupItems + 1);
    groupCount_[d] = loadRanged(b_, launch_, offsetof(LaunchState, groupCount) + 4 * d, 1, kMaxGroups + 1);
  }
}

void GroupLoopBuilder::buildLoop(Function &function) {
  Value *begin = function.getArg(2), *end = function.getArg(3);
  enterKernel(function);
  BasicBlock *entry = b_.GetInsertBlock();
  auto *loop = BasicBlock::Create(context_, "group", &function);
  auto *exit = BasicBlock::Create(context_, "exit", &function);
  enter();
  Value *countX = b_.CreateZExt(groupCount_[0], b_.getInt64Ty()),
        *countY = b_.CreateZExt(groupCount_[1], b_.getInt64Ty());
  Value *row = b_.CreateUDiv(begin, countX);
  Value *first[3] = {b_.CreateURem(begin, countX), b_.CreateURem(row, countY), b_.CreateUDiv(row, countY)};
  for (Value *&value : first)
    value = b_.CreateTrunc(value, b_.getInt32Ty());
  b_.CreateCondBr(b_.CreateICmpULT(begin, end), loop, exit);

  b_.SetInsertPoint(loop);
  PHINode *index = b_.CreatePHI(b_.getInt64Ty(), 2);
  PHINode *group[3];
  for (PHINode *&phi : group)
    phi = b_.CreatePHI(b_.getInt32Ty(), 2);
  Value *ids[3] = {group[0], group[1], group[2]};
  for (unsigned d = 0; d < 3; ++d)
    tell(ids[d], offsetof(WorkerState, groupId) + 4 * d);
  Value *many = b_.getInt32(1);
  if (most_) {
    Value *left = b_.CreateZExt(b_.CreateSub(groupCount_[0], group[0]), b_.getInt64Ty());
    many = b_.CreateBinaryIntrinsic(Intrinsic::umin, left, b_.CreateSub(end, index));
    many = b_.CreateTrunc(b_.CreateBinaryIntrinsic(Intrinsic::umin, many, b_.CreateZExt(most_, b_.getInt64Ty())),
                          b_.getInt32Ty());
  }
  if (body_.hasFnAttribute(kForgetsLocal))
    b_.CreateCall(declareRuntime(module_, runtime::checkGroup), {worker_, launch_});
  runGroups(ids, many);
  Value *next = b_.CreateAdd(index, b_.CreateZExt(many, b_.getInt64Ty()), "", true, true);
  Value *nextGroup[3];
  advance(group, many, nextGroup);
  index->addIncoming(begin, entry);
  index->addIncoming(next, b_.GetInsertBlock());
  for (unsigned d = 0; d < 3; ++d) {
    group[d]->addIncoming(first[d], entry);
    group[d]->addIncoming(nextGroup[d], b_.GetInsertBlock());
  }
  b_.CreateCondBr(b_.CreateICmpULT(next, end), loop, exit);
  b_.SetInsertPoint(exit);
  b_.CreateRetVoid();
}

// The ids of the work-group `many` behind this one, which is in the same row or the first of the next one; x first.
void GroupLoopBuilder::advance(PHINode *const group[3], Value *many, Value *next[3]) {
  Value *zero = b_.getInt32(0);
  Value *step = many;
  for (unsigned d = 0; d < 3; ++d) {
    Value *more = b_.CreateAdd(group[d], step, "", true);
    Value *carry = d < 2 ? b_.CreateICmpEQ(more, groupCount_[d]) : b_.getFalse();
    next[d] = b_.CreateSelect(carry, zero, more);
    step = b_.CreateZExt(carry, b_.getInt32Ty());
  }
}

BranchInst *KernelFunctionBuilder::emitLoop(Value *size, uint32_t step, const char *name,
                                            function_ref<Value *(Value *)> body) {
  BasicBlock *before = b_.GetInsertBlock();
  auto *loop = BasicBlock::Create(context_, name, before->getParent());
  auto *after = BasicBlock::Create(context_, "done", before->getParent());
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *counter = b_.CreatePHI(b_.getInt64Ty(), 2);
  if (Value *ends = body(b_.CreateTrunc(counter, b_.getInt32Ty()))) {
    auto *more = BasicBlock::Create(context_, "more", before->getParent());
    b_.CreateCondBr(ends, after, more);
    b_.SetInsertPoint(more);
  }
  Value *next = b_.CreateAdd(counter, b_.getInt64(step), "", true, true);
  counter->addIncoming(b_.getInt64(0), before);
  counter->addIncoming(next, b_.GetInsertBlock());
  BranchInst *branch = b_.CreateCondBr(b_.CreateICmpULT(next, b_.CreateZExt(size, b_.getInt64Ty())), loop, after);
  b_.SetInsertPoint(after);
  return branch;
}

} // namespace hiplz::cpu
