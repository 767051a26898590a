// SPDX-License-Identifier: MIT
// Accesses of whole warps under masks that the processor has no instructions for become loops over the lanes. LLVM would make code
// for each lane, in which loads copy the whole vector: half a megabyte for a kernel with a hundred of them, and seconds to compile it.
// Runs last: nothing has to understand the loops, or to unroll them.
#include "base/llvm_compat.h"
#include "cpu/vectorizer/passes.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetTransformInfo.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/Module.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// For fewer lanes, code for each of them is short.
constexpr unsigned kFewestLanes = 32, kMostLanes = 64;
constexpr uint64_t kItemBytes = 8; // the longest item, and an address

/// A masked access, whichever kind it is.
struct Access {
  IntrinsicInst *call = nullptr;
  bool isLoad = false, isContiguous = false;
  FixedVectorType *type = nullptr;
  Value *mask = nullptr, *address = nullptr; // the first lane's address, or a vector of addresses
  Value *value = nullptr;                    // what is stored, or what a load gives to lanes that are off
  Align align;

  unsigned lanes() const { return type->getNumElements(); }
};

Access accessOf(IntrinsicInst &call) {
  auto argument = [&](unsigned index) { return call.getArgOperand(index); };
  auto align = [&](unsigned index) { return cast<ConstantInt>(argument(index))->getMaybeAlignValue().valueOrOne(); };
  Access access;
  switch (call.getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_gather:
    access = {&call,       true,        false,       dyn_cast<FixedVectorType>(call.getType()),
              argument(2), argument(0), argument(3), align(1)};
    access.isContiguous = call.getIntrinsicID() == Intrinsic::masked_load;
    break;
  case Intrinsic::masked_store:
  case Intrinsic::masked_scatter:
    access = {&call,       false,       false,       dyn_cast<FixedVectorType>(argument(0)->getType()),
              argument(3), argument(1), argument(0), align(2)};
    access.isContiguous = call.getIntrinsicID() == Intrinsic::masked_store;
    break;
  default: break;
  }
  return access;
}

bool isInstruction(const Access &access, const TargetTransformInfo &target) {
  switch (access.call->getIntrinsicID()) {
  case Intrinsic::masked_load:
  case Intrinsic::masked_store: return hasMaskedAccess(target, access.isLoad, access.type, access.align);
  case Intrinsic::masked_gather: return target.isLegalMaskedGather(access.type, access.align);
  default: return target.isLegalMaskedScatter(access.type, access.align);
  }
}

class MaskedLoops {
public:
  explicit MaskedLoops(Function &function) : function_(function), data_(function.getParent()->getDataLayout()) {}

  bool concerns(const Access &access, const TargetTransformInfo &target) const {
    if (!access.type || access.lanes() < kFewestLanes || access.lanes() > kMostLanes || isa<Constant>(access.mask) ||
        !isPowerOf2_32(access.lanes()))
      return false;
    Type *item = access.type->getElementType();
    return data_.typeSizeEqualsStoreSize(item) && itemBytes(item) <= kItemBytes && !isInstruction(access, target);
  }

  void expand(const Access &access) {
    Instruction *call = access.call;
    IRBuilder<> b(call);
    Value *bits = b.CreateBitCast(access.mask, b.getIntNTy(access.lanes()));
    // Masks are often full, as they are outside of branches and where the grid ends with the data.
    BasicBlock *whole = nullptr;
    Value *wholeValue = nullptr;
    if (access.isContiguous) {
      Instruction *some = nullptr, *all = nullptr;
      SplitBlockAndInsertIfThenElse(b.CreateIsNull(b.CreateNot(bits)), call, &all, &some);
      b.SetInsertPoint(all);
      whole = all->getParent();
      if (access.isLoad)
        wholeValue = b.CreateAlignedLoad(access.type, access.address, access.align);
      else
        b.CreateAlignedStore(access.value, access.address, access.align);
      b.SetInsertPoint(some);
    }
    b.SetCurrentDebugLocation(call->getDebugLoc());
    Value *values = buffer(values_), *addresses = access.isContiguous ? nullptr : buffer(addresses_);
    if (addresses)
      b.CreateAlignedStore(access.address, addresses, kBufferAlign);
    if (!isa<UndefValue>(access.value))
      b.CreateAlignedStore(access.value, values, kBufferAlign);
    loop(b, access, bits, values, addresses);
    if (access.isLoad) {
      Value *result = b.CreateAlignedLoad(access.type, values, kBufferAlign);
      if (whole) {
        BasicBlock *some = b.GetInsertBlock();
        b.SetInsertPoint(&call->getParent()->front());
        PHINode *either = b.CreatePHI(access.type, 2);
        either->addIncoming(wholeValue, whole);
        either->addIncoming(result, some);
        result = either;
      }
      call->replaceAllUsesWith(result);
    }
    call->eraseFromParent();
  }

private:
  static constexpr Align kBufferAlign = Align::Constant<64>();

  uint64_t itemBytes(Type *item) const { return data_.getTypeStoreSize(item).getFixedValue(); }

  /// One for all accesses: none needs it for longer than itself.
  Value *buffer(AllocaInst *&place) {
    if (!place) {
      IRBuilder<> b(&function_.getEntryBlock().front());
      place = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), kItemBytes * kMostLanes));
      place->setAlignment(kBufferAlign);
    }
    return place;
  }

  /// From the insertion point on, for each lane whose bit is set, from the first to the last. The insertion point is behind it then.
  void loop(IRBuilder<> &b, const Access &access, Value *bits, Value *values, Value *addresses) {
    Type *item = access.type->getElementType();
    BasicBlock *before = b.GetInsertBlock(), *after = SplitBlock(before, &*b.GetInsertPoint());
    BasicBlock *body = BasicBlock::Create(b.getContext(), "lanes", &function_, after);
    before->getTerminator()->eraseFromParent();
    b.SetInsertPoint(before);
    b.CreateCondBr(b.CreateIsNull(bits), after, body);
    b.SetInsertPoint(body);
    PHINode *left = b.CreatePHI(bits->getType(), 2);
    Value *lane = b.CreateZExt(b.CreateBinaryIntrinsic(Intrinsic::cttz, left, b.getTrue()), b.getInt64Ty());
    Value *next = b.CreateAnd(left, b.CreateSub(left, ConstantInt::get(left->getType(), 1)));
    left->addIncoming(bits, before);
    left->addIncoming(next, body);
    Value *place = b.CreateInBoundsGEP(item, values, lane), *address = nullptr;
    Align align = access.align;
    if (addresses) {
      Type *pointer = cast<VectorType>(access.address->getType())->getElementType();
      address = b.CreateLoad(pointer, b.CreateInBoundsGEP(pointer, addresses, lane));
    } else {
      address = b.CreateGEP(item, access.address, lane);
      align = commonAlignment(align, itemBytes(item));
    }
    const Align placeAlign = commonAlignment(kBufferAlign, itemBytes(item));
    if (access.isLoad)
      b.CreateAlignedStore(b.CreateAlignedLoad(item, address, align), place, placeAlign);
    else
      b.CreateAlignedStore(b.CreateAlignedLoad(item, place, placeAlign), address, align);
    b.CreateCondBr(b.CreateIsNull(next), after, body);
    b.SetInsertPoint(&after->front());
  }

  Function &function_;
  const DataLayout &data_;
  AllocaInst *values_ = nullptr, *addresses_ = nullptr;
};

} // namespace

PreservedAnalyses MaskedLoopsPass::run(Function &function, FunctionAnalysisManager &analyses) {
  const TargetTransformInfo &target = analyses.getResult<TargetIRAnalysis>(function);
  MaskedLoops loops(function);
  SmallVector<IntrinsicInst *, 16> calls;
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
      if (const Access access = accessOf(*call); access.call && loops.concerns(access, target))
        calls.push_back(call);
  for (IntrinsicInst *call : calls) // of which one may use what another gave
    loops.expand(accessOf(*call));
  return preservedIfUnchanged(!calls.empty());
}

} // namespace hiplz::cpu
