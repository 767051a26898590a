// SPDX-License-Identifier: MIT
#include "cpu/compiler/ir_tools.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Operator.h>

using namespace llvm;

namespace hiplz::cpu {

Value *loadField(IRBuilder<> &builder, Type *type, Value *base, uint64_t offset, bool constant) {
  Value *address = builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset);
  LoadInst *load = builder.CreateLoad(type, address);
  if (constant)
    load->setMetadata(LLVMContext::MD_invariant_load, MDNode::get(builder.getContext(), {}));
  return load;
}

Value *loadRanged(IRBuilder<> &builder, Value *base, uint64_t offset, uint32_t low, uint64_t high) {
  auto *load = cast<LoadInst>(loadField(builder, builder.getInt32Ty(), base, offset, true));
  load->setMetadata(
      LLVMContext::MD_range,
      MDBuilder(builder.getContext()).createRange(APInt(32, low), APInt(32, static_cast<uint32_t>(high))));
  return load;
}

void storeField(IRBuilder<> &builder, Value *value, Value *base, uint64_t offset) {
  builder.CreateStore(value, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), base, offset));
}

namespace {

Value *materialize(Value *value, Instruction *before) {
  if (auto *expression = dyn_cast<ConstantExpr>(value)) {
    Instruction *instruction = asInstruction(expression, before);
    for (Use &operand : instruction->operands())
      operand.set(materialize(operand.get(), instruction));
    return instruction;
  }
  // Vectors and structures of expressions.
  if (auto *aggregate = dyn_cast<ConstantAggregate>(value)) {
    bool needed = false;
    for (Value *element : aggregate->operands())
      needed = needed || isa<ConstantExpr>(element) || isa<ConstantAggregate>(element);
    if (!needed)
      return value;
    IRBuilder<> builder(before);
    Value *result = PoisonValue::get(value->getType());
    for (unsigned i = 0; i < aggregate->getNumOperands(); ++i) {
      Value *element = materialize(aggregate->getOperand(i), before);
      result = value->getType()->isVectorTy() ? builder.CreateInsertElement(result, element, i)
                                              : builder.CreateInsertValue(result, element, i);
    }
    return result;
  }
  return value;
}

} // namespace

namespace {
template <class Attributed> void dropPurity(Attributed &attributed) {
#if LLVM_VERSION_MAJOR >= 16
  attributed.removeFnAttr(Attribute::Memory);
#else
  for (Attribute::AttrKind kind :
       {Attribute::ReadNone, Attribute::ReadOnly, Attribute::WriteOnly, Attribute::ArgMemOnly,
        Attribute::InaccessibleMemOnly, Attribute::InaccessibleMemOrArgMemOnly})
    attributed.removeFnAttr(kind);
#endif
  attributed.removeFnAttr(Attribute::Speculatable);
}
} // namespace

std::optional<Distance> distanceTo(const Value *pointer, const Value *base, const DataLayout &layout) {
  Distance distance;
  const unsigned bits = layout.getIndexTypeSizeInBits(pointer->getType());
  APInt constant(bits, 0);
  while (pointer != base) {
    if (auto *cast = dyn_cast<BitCastOperator>(pointer)) {
      pointer = cast->getOperand(0);
      continue;
    }
    auto *address = dyn_cast<GEPOperator>(pointer);
    if (!address || address->getType()->isVectorTy() ||
        !address->collectOffset(layout, bits, distance.factors, constant))
      return std::nullopt;
    pointer = address->getPointerOperand();
  }
  distance.constant = constant.getSExtValue();
  return distance;
}

void forgetEffects(Function &function) {
  dropPurity(function);
  for (Instruction &instruction : instructions(function))
    if (auto *call = dyn_cast<CallBase>(&instruction))
      if (const Function *callee = call->getCalledFunction(); !callee || !callee->isDeclaration())
        dropPurity(*call);
}

void expandConstantExpressions(Module &module) {
  for (Function &function : module)
    for (BasicBlock &block : function)
      for (Instruction &instruction : make_early_inc_range(block)) {
        if (auto *phi = dyn_cast<PHINode>(&instruction)) {
          // A block that comes in by several edges must bring one value.
          SmallDenseMap<BasicBlock *, Value *> incoming;
          for (unsigned i = 0; i < phi->getNumIncomingValues(); ++i) {
            BasicBlock *from = phi->getIncomingBlock(i);
            auto [entry, fresh] = incoming.try_emplace(from, nullptr);
            if (fresh)
              entry->second = materialize(phi->getIncomingValue(i), from->getTerminator());
            phi->setIncomingValue(i, entry->second);
          }
          continue;
        }
        for (Use &operand : instruction.operands()) {
          bool immediate = isa<SwitchInst>(instruction) && operand.getOperandNo() > 0;
          if (auto *call = dyn_cast<CallBase>(&instruction))
            immediate =
                call->isArgOperand(&operand) && call->paramHasAttr(call->getArgOperandNo(&operand), Attribute::ImmArg);
          if (!immediate)
            operand.set(materialize(operand.get(), &instruction));
        }
      }
}

} // namespace hiplz::cpu
