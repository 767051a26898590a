// SPDX-License-Identifier: MIT
// Private arrays have one copy for each lane. If all accesses have one size and no address leaves the function, the copies are
// interleaved, so that what all lanes read at the same index is one vector; else each lane has its copy in one piece. Addresses of
// interleaved arrays count bytes of all lanes, and laneBytes() is the size of an element.
#include "base/llvm_compat.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/runtime_calls.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/IR/GetElementPtrTypeIterator.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr const char *kInterleaved = "hiplz.interleaved";
constexpr uint64_t kMaxCopiedElements = 64; // beyond that a copy stays a copy

class Interleaver {
public:
  Interleaver(AllocaInst &variable, unsigned width)
      : variable_(variable), layout_(variable.getModule()->getDataLayout()), width_(width) {}

  bool run() {
    if (!variable_.isStaticAlloca() || !collect() || elementBytes_ == 0)
      return false;
    for (GetElementPtrInst *address : addresses_)
      if (!countsElements(*address))
        return false;
    for (MemIntrinsic *copy : copies_)
      if (!canExpand(*copy))
        return false;
    for (MemIntrinsic *copy : copies_)
      expand(*copy);
    return rewrite();
  }

private:
  bool isOurs(const Value *value) const { return value == &variable_ || is_contained(addresses_, value); }

  bool setElement(Type *type) {
    if (type->isVectorTy() || type->isAggregateType() || (type->isIntegerTy() && type->getIntegerBitWidth() % 8 != 0))
      return false;
    uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
    if (!isPowerOf2_64(bytes) || bytes > 8 || (elementBytes_ && elementBytes_ != bytes))
      return false;
    elementBytes_ = bytes;
    return true;
  }

  // All uses; false if the address escapes, or if accesses differ in size.
  bool collect() {
    SmallVector<Instruction *, 8> work{&variable_};
    while (!work.empty()) {
      Instruction *pointer = work.pop_back_val();
      for (User *user : pointer->users()) {
        if (auto *address = dyn_cast<GetElementPtrInst>(user)) {
          if (address->getPointerOperand() != pointer || address->getType()->isVectorTy() ||
              address->getNumIndices() == 0)
            return false;
          addresses_.push_back(address);
          work.push_back(address);
        } else if (auto *load = dyn_cast<LoadInst>(user)) {
          if (load->isAtomic() || load->isVolatile() || !setElement(load->getType()))
            return false;
        } else if (auto *store = dyn_cast<StoreInst>(user)) {
          if (store->getValueOperand() == pointer || store->isAtomic() || store->isVolatile() ||
              !setElement(store->getValueOperand()->getType()))
            return false;
        } else if (auto *copy = dyn_cast<MemIntrinsic>(user)) {
          if (!is_contained(copies_, copy))
            copies_.push_back(copy);
        } else {
          return false;
        }
      }
    }
    return true;
  }

  // True if all offsets of an address are multiples of the element's size.
  bool countsElements(GetElementPtrInst &address) const {
    for (auto index = gep_type_begin(address), end = gep_type_end(address); index != end; ++index) {
      if (StructType *structure = index.getStructTypeOrNull()) {
        auto field = static_cast<unsigned>(cast<ConstantInt>(index.getOperand())->getZExtValue());
        if (layout_.getStructLayout(structure)->getElementOffset(field) % elementBytes_ != 0)
          return false;
      } else if (layout_.getTypeAllocSize(index.getIndexedType()).getFixedValue() % elementBytes_ != 0) {
        auto *constant = dyn_cast<ConstantInt>(index.getOperand());
        uint64_t size = layout_.getTypeAllocSize(index.getIndexedType()).getFixedValue();
        if (!constant || static_cast<uint64_t>(constant->getSExtValue()) * size % elementBytes_ != 0)
          return false;
      }
    }
    return true;
  }

  bool canExpand(MemIntrinsic &copy) const {
    auto *length = dyn_cast<ConstantInt>(copy.getLength());
    if (!length || copy.isVolatile() || length->getZExtValue() % elementBytes_ != 0 ||
        length->getZExtValue() / elementBytes_ > kMaxCopiedElements)
      return false;
    if (auto *set = dyn_cast<MemSetInst>(&copy))
      return isa<ConstantInt>(set->getValue());
    return isa<MemTransferInst>(copy);
  }

  // A copy or a fill becomes loads and stores of elements. All loads come first, so that an overlap does not matter.
  void expand(MemIntrinsic &copy) {
    IRBuilder<> b(&copy);
    Type *element = b.getIntNTy(static_cast<unsigned>(8 * elementBytes_));
    uint64_t count = cast<ConstantInt>(copy.getLength())->getZExtValue() / elementBytes_;
    auto at = [&](Value *base, uint64_t i) -> Value * {
      auto *address = GetElementPtrInst::Create(element, base, {b.getInt64(i)}, "", &copy);
      if (isOurs(base))
        addresses_.push_back(address);
      return address;
    };
    SmallVector<Value *, 16> values;
    auto *transfer = dyn_cast<MemTransferInst>(&copy);
    Align from = transfer ? transfer->getSourceAlign().valueOrOne() : Align(1), to = copy.getDestAlign().valueOrOne();
    for (uint64_t i = 0; i < count; ++i)
      if (transfer) {
        Value *address = at(transfer->getRawSource(), i);
        values.push_back(b.CreateAlignedLoad(element, address, commonAlignment(from, i * elementBytes_)));
      } else {
        uint64_t byte = cast<ConstantInt>(cast<MemSetInst>(copy).getValue())->getZExtValue() & 0xff;
        values.push_back(
            ConstantInt::get(element, APInt::getSplat(static_cast<unsigned>(8 * elementBytes_), APInt(8, byte))));
      }
    for (uint64_t i = 0; i < count; ++i)
      b.CreateAlignedStore(values[i], at(copy.getRawDest(), i), commonAlignment(to, i * elementBytes_));
    copy.eraseFromParent();
  }

  // Every offset is multiplied by the number of lanes.
  bool rewrite() {
    IRBuilder<> b(&variable_);
    auto bits = variable_.getAllocationSizeInBits(layout_);
    if (!bits)
      return false;
    uint64_t bytes = alignTo(bits->getFixedValue() / 8, elementBytes_) * width_;
    AllocaInst *copies = b.CreateAlloca(ArrayType::get(b.getInt8Ty(), bytes), nullptr, variable_.getName());
    copies->setAlignment(std::max(variable_.getAlign(), Align(64)));
    copies->setMetadata(kInterleaved,
                        MDNode::get(b.getContext(), {ConstantAsMetadata::get(b.getInt64(elementBytes_))}));
    for (GetElementPtrInst *address : addresses_) {
      b.SetInsertPoint(address);
      Value *offset = b.getInt64(0);
      for (auto index = gep_type_begin(*address), end = gep_type_end(*address); index != end; ++index) {
        Value *part = nullptr;
        if (StructType *structure = index.getStructTypeOrNull()) {
          auto field = static_cast<unsigned>(cast<ConstantInt>(index.getOperand())->getZExtValue());
          part = b.getInt64(layout_.getStructLayout(structure)->getElementOffset(field) * width_);
        } else {
          uint64_t size = layout_.getTypeAllocSize(index.getIndexedType()).getFixedValue();
          part = b.CreateMul(b.CreateSExtOrTrunc(index.getOperand(), b.getInt64Ty()), b.getInt64(size * width_));
        }
        offset = b.CreateAdd(offset, part);
      }
      Value *scaled = b.CreateGEP(b.getInt8Ty(), address->getPointerOperand(), offset, address->getName());
      address->replaceAllUsesWith(scaled);
      dead_.push_back(address);
    }
    variable_.replaceAllUsesWith(copies);
    for (GetElementPtrInst *address : dead_)
      address->eraseFromParent();
    variable_.eraseFromParent();
    return true;
  }

  AllocaInst &variable_;
  const DataLayout &layout_;
  unsigned width_;
  uint64_t elementBytes_ = 0;
  SmallVector<GetElementPtrInst *, 8> addresses_, dead_;
  SmallVector<MemIntrinsic *, 2> copies_;
};

// Of the private variables of all lanes.
uint64_t privateBytes(const Function &body, unsigned width) {
  const DataLayout &layout = body.getParent()->getDataLayout();
  uint64_t bytes = 0;
  for (const Instruction &instruction : instructions(body))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction)) {
      auto bits = variable->getAllocationSizeInBits(layout);
      bytes += isInterleaved(*variable) && bits ? bits->getFixedValue() / 8 : laneBytes(*variable) * width;
    }
  return bytes;
}

} // namespace

PreservedAnalyses InterleaveAllocasPass::run(Function &body, FunctionAnalysisManager &) {
  const unsigned width = warpOptionsOf(body).width;
  SmallVector<AllocaInst *, 4> variables;
  for (Instruction &instruction : instructions(body))
    if (auto *variable = dyn_cast<AllocaInst>(&instruction))
      variables.push_back(variable);
  for (AllocaInst *variable : variables)
    Interleaver(*variable, width).run();
  // They may have to fit on the stack of one of the program's threads.
  constexpr uint64_t kMaxPrivateBytes = 1 << 20;
  if (const uint64_t bytes = privateBytes(body, width); bytes > kMaxPrivateBytes)
    declineBody(body, "private arrays that take " + Twine(bytes) + " bytes for " + Twine(width) + " lanes");
  return preservedIfUnchanged(!variables.empty());
}

bool isInterleaved(const AllocaInst &variable) { return variable.getMetadata(kInterleaved); }

uint64_t laneBytes(const AllocaInst &variable) {
  if (MDNode *element = variable.getMetadata(kInterleaved))
    return cast<ConstantInt>(cast<ConstantAsMetadata>(element->getOperand(0))->getValue())->getZExtValue();
  const DataLayout &layout = variable.getModule()->getDataLayout();
  auto bits = variable.getAllocationSizeInBits(layout);
  return std::max<uint64_t>(alignTo(bits ? bits->getFixedValue() / 8 : 0, variable.getAlign()), 1);
}

} // namespace hiplz::cpu
