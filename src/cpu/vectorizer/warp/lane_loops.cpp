// SPDX-License-Identifier: MIT
#include "cpu/vectorizer/warp/lane_loops.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/IR/Module.h>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Booleans and other odd integers take whole bytes in arrays.
Type *storedType(Type *element) {
  if (!element->isIntegerTy())
    return element;
  unsigned bits = element->getIntegerBitWidth();
  return IntegerType::get(element->getContext(), bits <= 8 ? 8 : static_cast<unsigned>(PowerOf2Ceil(bits)));
}

// If all lanes are there LLVM sees how often the loop runs.
MDNode *keepRolled(LLVMContext &context) {
  auto self = MDNode::getTemporary(context, {});
  MDNode *disable = MDNode::get(context, {MDString::get(context, "llvm.loop.unroll.disable")});
  MDNode *loop = MDNode::getDistinct(context, {self.get(), disable});
  loop->replaceOperandWith(0, loop);
  return loop;
}

} // namespace

AllocaInst *LaneLoops::laneArray(Type *element) {
  IRBuilder<> prologue(context_.prologue->getTerminator());
  AllocaInst *array = prologue.CreateAlloca(ArrayType::get(storedType(element), width_));
  array->setAlignment(Align(64));
  return array;
}

// Vectors have no gaps between their elements, arrays of long doubles do.
bool LaneLoops::liesLikeVector(Type *stored) const {
  return layout_.getTypeAllocSizeInBits(stored).getFixedValue() == layout_.getTypeSizeInBits(stored).getFixedValue();
}

Value *LaneLoops::spill(Value *vector, Type *element) {
  AllocaInst *array = laneArray(element);
  b_.CreateLifetimeStart(array);
  Type *stored = storedType(element);
  if (stored != element)
    vector = b_.CreateZExt(vector, FixedVectorType::get(stored, width_));
  if (liesLikeVector(stored))
    b_.CreateAlignedStore(vector, array, Align(64));
  else
    for (unsigned i = 0; i < width_; ++i)
      b_.CreateStore(b_.CreateExtractElement(vector, i), b_.CreateConstInBoundsGEP1_64(stored, array, i));
  return array;
}

Value *LaneLoops::spilled(Value *array, Value *lane, Type *element) {
  Type *stored = storedType(element);
  Value *value = b_.CreateLoad(stored, b_.CreateInBoundsGEP(stored, array, {b_.CreateZExt(lane, b_.getInt64Ty())}));
  return stored == element ? value : b_.CreateTrunc(value, element);
}

Value *LaneLoops::unspill(Value *array, Type *element) {
  Type *stored = storedType(element);
  Value *value = nullptr;
  if (liesLikeVector(stored)) {
    value = b_.CreateAlignedLoad(FixedVectorType::get(stored, width_), array, Align(64));
  } else {
    value = PoisonValue::get(FixedVectorType::get(stored, width_));
    for (unsigned i = 0; i < width_; ++i)
      value = b_.CreateInsertElement(value, b_.CreateLoad(stored, b_.CreateConstInBoundsGEP1_64(stored, array, i)), i);
  }
  return stored == element ? value : b_.CreateTrunc(value, laneType(element));
}

LaneLoops::Values LaneLoops::forEachLane(ArrayRef<Type *> results, function_ref<Values(Value *lane)> body) {
  SmallVector<AllocaInst *, 2> arrays;
  for (Type *type : results) {
    arrays.push_back(laneArray(type));
    b_.CreateLifetimeStart(arrays.back());
  }
  Type *word = b_.getIntNTy(width_);
  Value *all = masks_.bits(mask_);
  BasicBlock *before = b_.GetInsertBlock();
  auto *loop = context_.newBlock("lane");
  auto *done = context_.newBlock("lanes.done");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *rest = b_.CreatePHI(word, 2, "rest");
  Value *lane =
      b_.CreateZExtOrTrunc(b_.CreateBinaryIntrinsic(Intrinsic::cttz, rest, b_.getTrue()), b_.getInt32Ty(), "lane");
  Values made = body(lane);
  for (unsigned i = 0; i < results.size(); ++i) {
    Type *stored = storedType(results[i]);
    Value *value = stored == results[i] ? made[i] : b_.CreateZExt(made[i], stored);
    b_.CreateStore(value, b_.CreateInBoundsGEP(stored, arrays[i], {b_.CreateZExt(lane, b_.getInt64Ty())}));
  }
  Value *next = b_.CreateAnd(rest, b_.CreateSub(rest, ConstantInt::get(word, 1)));
  rest->addIncoming(all, before);
  rest->addIncoming(next, b_.GetInsertBlock());
  BranchInst *branch = b_.CreateCondBr(b_.CreateICmpEQ(next, ConstantInt::get(word, 0)), done, loop);
  branch->setMetadata(LLVMContext::MD_loop, keepRolled(b_.getContext()));
  b_.SetInsertPoint(done);
  Values vectors;
  for (unsigned i = 0; i < results.size(); ++i)
    vectors.push_back(unspill(arrays[i], results[i]));
  return vectors;
}

// Four lanes a round. AMD's Zen 4 foresees by the place in the code which read depends on which write: of 16 such pairs it loses
// none, of 32, which is what LLVM makes of 16 in a loop, it loses most and takes ten times as long.
void LaneLoops::forAllLanes(function_ref<void(Value *lane)> body) {
  const unsigned lanes = std::min(width_, 4u);
  BasicBlock *before = b_.GetInsertBlock();
  auto *loop = context_.newBlock("four.lanes");
  auto *done = context_.newBlock("all.lanes");
  b_.CreateBr(loop);
  b_.SetInsertPoint(loop);
  PHINode *first = b_.CreatePHI(b_.getInt32Ty(), 2, "first");
  for (unsigned i = 0; i < lanes; ++i)
    body(b_.CreateAdd(first, b_.getInt32(i), "", true, true));
  Value *next = b_.CreateAdd(first, b_.getInt32(lanes), "", true, true);
  first->addIncoming(b_.getInt32(0), before);
  first->addIncoming(next, b_.GetInsertBlock());
  BranchInst *branch = b_.CreateCondBr(b_.CreateICmpEQ(next, b_.getInt32(width_)), done, loop);
  branch->setMetadata(LLVMContext::MD_loop, keepRolled(b_.getContext()));
  b_.SetInsertPoint(done);
}

void LaneLoops::replicate(const Instruction &instruction) {
  SmallVector<Value *, 4> arrays;
  for (const Value *operand : instruction.operands()) {
    bool simple = !operand->getType()->isAggregateType() && !operand->getType()->isVectorTy();
    bool varying = !isa<MetadataAsValue>(operand) && values_.isVarying(operand);
    if (isa<BasicBlock>(operand))
      return decline(instruction, Twine("no vector form for ") + instruction.getOpcodeName());
    if (varying && !simple && !isa<Constant>(operand))
      values_.vector(operand);
    arrays.push_back(varying && simple ? spill(values_.vector(operand), operand->getType()) : nullptr);
  }
  Type *type = instruction.getType();
  SmallVector<Type *, 4> results;
  if (instruction.use_empty())
    ; // nobody reads them
  else if (auto *structure = dyn_cast<StructType>(type))
    results.append(structure->element_begin(), structure->element_end());
  else if (auto *several = dyn_cast<FixedVectorType>(type))
    results.append(several->getNumElements(), several->getElementType());
  else if (!type->isVoidTy())
    results.push_back(type);
  if (any_of(results, [](Type *result) { return result->isAggregateType() || result->isVectorTy(); }))
    return decline(instruction,
                   Twine("no vector form for ") + instruction.getOpcodeName() + " with a structured result");
  Values made = forEachLane(results, [&](Value *lane) -> Values {
    Instruction *copy = instruction.clone();
    Value *item = nullptr;
    for (Use &operand : copy->operands()) {
      Value *original = operand;
      if (isa<MetadataAsValue>(original))
        continue;
      if (original == itemOf(body_)) {
        item = item ? item : items_.workItemOf(lane);
        operand.set(item);
      } else if (Value *array = arrays[operand.getOperandNo()]) {
        operand.set(spilled(array, lane, original->getType()));
      } else {
        operand.set(values_.atLane(original, lane));
      }
    }
    b_.Insert(copy);
    if (results.empty())
      return {};
    if (type->isStructTy() || type->isVectorTy()) {
      Values parts;
      for (unsigned i = 0; i < results.size(); ++i)
        parts.push_back(type->isStructTy() ? b_.CreateExtractValue(copy, i) : b_.CreateExtractElement(copy, i));
      return parts;
    }
    return {copy};
  });
  if (results.empty()) {
    if (!type->isVoidTy())
      values_.setVector(instruction, PoisonValue::get(laneType(type)));
    return;
  }
  if (!type->isStructTy() && !type->isVectorTy()) {
    values_.setVector(instruction, made[0]);
    return;
  }
  Value *whole = PoisonValue::get(laneType(type));
  for (unsigned i = 0; i < made.size(); ++i)
    whole = b_.CreateInsertValue(whole, made[i], i);
  values_.setVector(instruction, whole);
}

void LaneLoops::callOnce(const CallInst &call, FunctionCallee function, unsigned each) {
  SmallVector<Value *, 6> arguments{items_.workItemOf(b_.getInt32(0))};
  for (unsigned i = 1; i < call.arg_size(); ++i) {
    const Value *argument = call.getArgOperand(i);
    const Shape shape = values_.shapeOf(argument);
    if (i != each) {
      arguments.push_back(values_.scalar(argument));
    } else if (shape.isRegular()) {
      arguments.append({values_.scalar(argument), b_.getInt64(static_cast<uint64_t>(shape.stride()))});
    } else {
      arguments.push_back(spill(values_.vector(argument), argument->getType()));
    }
  }
  arguments.push_back(b_.CreateZExtOrTrunc(masks_.bits(mask_), b_.getInt32Ty()));
  CallInst *made = b_.CreateCall(function, arguments);
  made->setDoesNotThrow();
  if (call.hasFnAttr(Attribute::Cold))
    made->addFnAttr(Attribute::Cold);
  made->setDebugLoc(call.getDebugLoc());
}

} // namespace hiplz::cpu
