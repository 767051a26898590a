// SPDX-License-Identifier: MIT
// See one_by_one.h. The function is a copy of the body and three loops around it, not optimised: it costs little to compile and
// is hardly ever called.
#include "cpu/compiler/one_by_one.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/program/binary_format.h"

#include <llvm/Analysis/CFG.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/Transforms/Utils/Cloning.h>

#include <cstddef>

using namespace llvm;

namespace hiplz::cpu {
namespace {

bool isPlain(const Instruction &instruction) {
  if (isa<AllocaInst>(instruction) || instruction.isAtomic() || instruction.isVolatile())
    return false;
  auto *call = dyn_cast<CallBase>(&instruction);
  return !call || call->doesNotAccessMemory() || isa<DbgInfoIntrinsic>(call) || isa<AnyMemIntrinsic>(call) ||
         call->isLifetimeStartOrEnd() || call->getIntrinsicID() == Intrinsic::assume ||
         call->getIntrinsicID() == Intrinsic::trap;
}

class OneByOneBuilder {
public:
  explicit OneByOneBuilder(Kernel &kernel)
      : kernel_(kernel), module_(*kernel.function->getParent()), b_(module_.getContext()) {}

  Function *build() {
    ValueToValueMapTy values;
    body_ = CloneFunction(kernel_.function, values);
    body_->setName("one-by-one.body." + kernel_.info.name);
    body_->setLinkage(GlobalValue::InternalLinkage);
    body_->setSubprogram(nullptr);
    for (Instruction &instruction : instructions(*body_))
      instruction.setDebugLoc(DebugLoc());
    dontOptimize(*body_);

    Type *pointer = b_.getPtrTy();
    Function *function =
        Function::Create(FunctionType::get(b_.getVoidTy(), {pointer, pointer, b_.getInt64Ty(), b_.getInt64Ty()}, false),
                         GlobalValue::ExternalLinkage, oneByOneSymbol(kernel_.info.name), module_);
    function->addFnAttr(Attribute::NoUnwind);
    dontOptimize(*function);
    fill(*function);
    return function;
  }

private:
  static void dontOptimize(Function &function) {
    function.removeFnAttr(Attribute::AlwaysInline);
    function.addFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::NoInline);
    function.addFnAttr(Attribute::Cold);
  }

  // One work-group: `begin` is its number.
  void fill(Function &function) {
    launch_ = function.getArg(0);
    worker_ = function.getArg(1);
    b_.SetInsertPoint(BasicBlock::Create(module_.getContext(), "entry", &function));
    item_ = b_.CreateAlloca(ArrayType::get(b_.getInt64Ty(), sizeof(WorkItem) / 8));
    storeField(b_, launch_, item_, offsetof(WorkItem, launch));
    storeField(b_, worker_, item_, offsetof(WorkItem, worker));
    Value *rest = function.getArg(2);
    for (unsigned d = 0; d < 3; ++d) {
      size_[d] = loadField(b_, b_.getInt32Ty(), launch_, offsetof(LaunchState, groupSize) + 4 * d, true);
      Value *count = b_.CreateZExt(
          loadField(b_, b_.getInt32Ty(), launch_, offsetof(LaunchState, groupCount) + 4 * d, true), b_.getInt64Ty());
      Value *group = b_.CreateTrunc(b_.CreateURem(rest, count), b_.getInt32Ty());
      rest = b_.CreateUDiv(rest, count);
      storeField(b_, group, item_, offsetof(WorkItem, groupId) + 4 * d);
      tell(group, offsetof(WorkerState, groupId) + 4 * d);
    }
    tell(b_.getInt32(1), offsetof(WorkerState, itemCount));
    loadArguments();
    openLoop(2);
    b_.CreateRetVoid();
  }

  void tell(Value *value, uint64_t offset) {
    b_.CreateStore(value, b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), worker_, offset), true);
  }

  void loadArguments() {
    arguments_.push_back(item_);
    Value *block = loadField(b_, b_.getPtrTy(), launch_, offsetof(LaunchState, args), true);
    for (size_t i = 0; i < kernel_.info.args.size(); ++i) {
      const ArgInfo &arg = kernel_.info.args[i];
      Type *type = body_->getArg(static_cast<unsigned>(i) + 1)->getType();
      if (arg.kind == ArgKind::byValue) {
        arguments_.push_back(b_.CreateConstInBoundsGEP1_64(b_.getInt8Ty(), block, arg.offset));
      } else if (arg.kind == ArgKind::localPointer) {
        Value *local = loadField(b_, b_.getPtrTy(), worker_, offsetof(WorkerState, local), true);
        arguments_.push_back(
            b_.CreateGEP(b_.getInt8Ty(), local, loadField(b_, b_.getInt64Ty(), block, arg.offset, true)));
      } else {
        const uint64_t bits = module_.getDataLayout().getTypeSizeInBits(type).getFixedValue();
        const bool odd = type->isIntegerTy() && bits % 8 != 0;
        Value *whole = loadField(b_, odd ? b_.getIntNTy(alignTo(bits, 8)) : type, block, arg.offset, true);
        arguments_.push_back(odd ? b_.CreateTrunc(whole, type) : whole);
      }
    }
  }

  void openLoop(unsigned d) {
    BasicBlock *before = b_.GetInsertBlock();
    auto *loop = BasicBlock::Create(module_.getContext(), "loop", before->getParent());
    auto *after = BasicBlock::Create(module_.getContext(), "done", before->getParent());
    b_.CreateBr(loop);
    b_.SetInsertPoint(loop);
    PHINode *id = b_.CreatePHI(b_.getInt32Ty(), 2);
    id_[d] = id;
    storeField(b_, id, item_, offsetof(WorkItem, localId) + 4 * d);
    tell(id, offsetof(WorkerState, localId) + 4 * d);
    if (d > 0) {
      openLoop(d - 1);
    } else {
      Value *row = b_.CreateAdd(b_.CreateMul(id_[2], size_[1]), id_[1]);
      storeField(b_, b_.CreateAdd(b_.CreateMul(row, size_[0]), id_[0]), item_, offsetof(WorkItem, linearId));
      b_.CreateCall(body_, arguments_);
    }
    Value *next = b_.CreateAdd(id, b_.getInt32(1));
    id->addIncoming(b_.getInt32(0), before);
    id->addIncoming(next, b_.GetInsertBlock());
    b_.CreateCondBr(b_.CreateICmpULT(next, size_[d]), loop, after);
    b_.SetInsertPoint(after);
  }

  Kernel &kernel_;
  Module &module_;
  IRBuilder<> b_;
  Function *body_ = nullptr;
  Value *launch_ = nullptr, *worker_ = nullptr, *item_ = nullptr;
  Value *size_[3] = {}, *id_[3] = {};
  SmallVector<Value *, 16> arguments_;
};

} // namespace

bool canRunOneByOne(const Function &body) {
  SmallVector<std::pair<const BasicBlock *, const BasicBlock *>, 4> back;
  FindFunctionBackedges(body, back);
  return back.empty() && !body.hasFnAttribute(Attribute::OptimizeNone) && all_of(instructions(body), isPlain);
}

void addOneByOne(Kernel &kernel) {
  if (canRunOneByOne(*kernel.function))
    OneByOneBuilder(kernel).build();
}

Function *oneByOneFunction(Kernel &kernel) {
  if (Function *present = kernel.function->getParent()->getFunction(oneByOneSymbol(kernel.info.name)))
    return present;
  Function *made = OneByOneBuilder(kernel).build();
  made->setName("one-by-one." + kernel.info.name); // it is not for the driver
  made->setLinkage(GlobalValue::InternalLinkage);
  return made;
}

} // namespace hiplz::cpu
