// SPDX-License-Identifier: MIT
// See wave.h. Operands and their modifiers are in wave_operands.cpp.
#include "amdgcn/translator/wave.h"

#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {

Wave::Wave(Function &function, WaveSurroundings &surroundings)
    : b(function.getContext()), around(surroundings), i1(b.getInt1Ty()), i16(b.getInt16Ty()), i32(b.getInt32Ty()),
      i64(b.getInt64Ty()), f16(b.getHalfTy()), f32(b.getFloatTy()), f64(b.getDoubleTy()), function_(function) {}

Value *Wave::laneNumbers() {
  SmallVector<Constant *, kLanes> numbers;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    numbers.push_back(b.getInt32(lane));
  return ConstantVector::get(numbers);
}

Value *Wave::firstLane() {
  return b.CreateAnd(b.CreateIntrinsic(Intrinsic::cttz, {i32}, {exec(), b.getFalse()}), b.getInt32(kLanes - 1));
}

Value *Wave::constant(Value *like, uint64_t bits) { return ConstantInt::get(like->getType(), bits); }

Type *Wave::typeLike(Value *like, Type *element) {
  return like->getType()->isVectorTy() ? static_cast<Type *>(vectorOf(element)) : element;
}

void Wave::begin(const Instruction &instruction) {
  at_ = &instruction;
  lanes_ = dppSource_ = dppValid_ = nullptr;
}

void Wave::refuseModifier(const char *modifier) {
  if (at_->has(modifier))
    refuse(std::string("the modifier ") + modifier + " is not implemented for it");
}

void Wave::faultIf(Value *bit, const char *name) {
  auto *fault = BasicBlock::Create(b.getContext(), Twine(name) + ".fault", &function_);
  auto *go = BasicBlock::Create(b.getContext(), name, &function_);
  b.CreateCondBr(bit, fault, go);
  b.SetInsertPoint(fault);
  b.CreateIntrinsic(Intrinsic::trap, ArrayRef<Type *>(), {});
  b.CreateUnreachable();
  b.SetInsertPoint(go);
}

// Variables stand at the entry, in front of everything. What nobody has written is 0.
AllocaInst *Wave::variable(Type *type, const Twine &name) {
  BasicBlock &entry = function_.getEntryBlock();
  IRBuilder<> builder(&entry, entry.begin());
  AllocaInst *made = builder.CreateAlloca(type, nullptr, name);
  builder.CreateStore(Constant::getNullValue(type), made);
  return made;
}

AllocaInst *Wave::array(const Twine &name, Type *type) {
  AllocaInst *&made = arrays_[name.str()];
  if (!made) {
    BasicBlock &entry = function_.getEntryBlock();
    made = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type, nullptr, name);
    made->setAlignment(Align(64));
  }
  return made;
}

Value *Wave::scalarRegister(unsigned index) {
  if (index == kNull)
    return b.getInt32(0);
  if (index >= kScalarRegisters)
    refuse("there is no scalar register " + std::to_string(index));
  AllocaInst *&place = scalars_[index];
  if (!place)
    place = variable(i32, "s" + Twine(index));
  return b.CreateLoad(i32, place);
}

void Wave::setScalarRegister(unsigned index, Value *value) {
  if (index == kNull)
    return;
  if (index >= kScalarRegisters)
    refuse("there is no scalar register " + std::to_string(index));
  AllocaInst *&place = scalars_[index];
  if (!place)
    place = variable(i32, "s" + Twine(index));
  b.CreateStore(value, place);
}

Value *Wave::vectorRegister(unsigned index) {
  if (index >= vectors_.size())
    refuse("there is no vector register " + std::to_string(index));
  AllocaInst *&place = vectors_[index];
  if (!place)
    place = variable(vectorOf(i32), "v" + Twine(index));
  return b.CreateLoad(vectorOf(i32), place);
}

void Wave::overwriteVectorRegister(unsigned index, Value *value) {
  vectorRegister(index); // it exists
  b.CreateStore(value, vectors_[index]);
}

void Wave::setVectorRegister(unsigned index, Value *value) {
  Value *before = vectorRegister(index), *after = b.CreateSelect(lanes(), value, before);
  if (holdsWrites_)
    held_.emplace_back(index, after);
  else
    b.CreateStore(after, vectors_[index]);
}

void Wave::releaseWrites() {
  for (const auto &[index, value] : held_)
    b.CreateStore(value, vectors_[index]);
  held_.clear();
  holdsWrites_ = false;
}

Value *Wave::scc() {
  if (!scc_)
    scc_ = variable(i1, "scc");
  return b.CreateLoad(i1, scc_);
}

void Wave::setScc(Value *bit) {
  if (!scc_)
    scc_ = variable(i1, "scc");
  b.CreateStore(bit, scc_);
}

Value *Wave::mode() {
  if (knownMode_)
    return knownMode_;
  if (!mode_)
    mode_ = variable(i32, "mode");
  return b.CreateLoad(i32, mode_);
}

void Wave::setMode(Value *value) {
  if (!mode_)
    mode_ = variable(i32, "mode");
  b.CreateStore(value, mode_);
  knownMode_ = dyn_cast<ConstantInt>(value);
}

Value *Wave::lanes() {
  if (!lanes_) {
    lanes_ = toMask(exec());
    if (at_ && (at_->encoding == Encoding::dpp || at_->encoding == Encoding::dpp8))
      prepareDpp();
  }
  return lanes_;
}

Value *Wave::wide(Value *low, Value *high) {
  Type *type = typeLike(low, i64);
  return b.CreateOr(b.CreateZExt(low, type), b.CreateShl(b.CreateZExt(high, type), ConstantInt::get(type, 32)));
}

// The halves that a number was put together from are taken as they are, so that code which goes by halves stays as wide as registers.
std::pair<Value *, Value *> Wave::halvesOf(Value *wide) {
  Value *low, *high;
  Type *half = typeLike(wide, i32);
  auto isHalf = [&](Value *value) { return value->getType() == half; };
  auto extended = [&](auto &value) { return m_ZExt(m_Value(value)); };
  auto shifted = [&](auto &value) { return m_Shl(m_ZExt(m_Value(value)), m_SpecificInt(32)); };
  if (match(wide, m_Or(extended(low), shifted(high))) && isHalf(low) && isHalf(high))
    return {low, high};
  if (match(wide, extended(low)) && isHalf(low))
    return {low, Constant::getNullValue(half)};
  if (match(wide, shifted(high)) && isHalf(high))
    return {Constant::getNullValue(half), high};
  return {nullptr, nullptr};
}

Value *Wave::lowHalf(Value *wide) {
  Value *low = halvesOf(wide).first;
  return low ? low : b.CreateTrunc(wide, typeLike(wide, i32));
}

Value *Wave::highHalf(Value *wide) {
  Value *high = halvesOf(wide).second;
  return high ? high : b.CreateTrunc(b.CreateLShr(wide, constant(wide, 32)), typeLike(wide, i32));
}

} // namespace hiplz::amdgcn
