// SPDX-License-Identifier: MIT
// See index_sums.h.
#include "cpu/compiler/index_sums.h"
#include "cpu/compiler/ir_tools.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Operator.h>
#include <llvm/IR/PatternMatch.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::cpu {
namespace {

using MaybeSum = std::optional<IndexSum>;

constexpr size_t kMostProducts = 16;
constexpr int64_t kLargest = int64_t{1} << 30; // of a constant
constexpr unsigned kDeepest = 16;

MaybeSum constantSum(int64_t number) {
  if (std::abs(number) > kLargest)
    return std::nullopt;
  IndexSum sum;
  if (number)
    sum.products[Factors{}] = number;
  return sum;
}

MaybeSum factor(unsigned symbol) {
  IndexSum sum;
  sum.products[{0, 0, 0, static_cast<uint16_t>(symbol)}] = 1;
  return sum;
}

MaybeSum small(IndexSum sum) {
  std::erase_if(sum.products, [](const auto &product) { return product.second == 0; });
  const bool isSmall = sum.products.size() <= kMostProducts &&
                       all_of(sum.products, [](const auto &product) { return std::abs(product.second) <= kLargest; });
  return isSmall ? MaybeSum(std::move(sum)) : std::nullopt;
}

// Rounds of two loops are different numbers.
MaybeSum add(const MaybeSum &one, const MaybeSum &other, int64_t times = 1) {
  if (!one || !other || (one->hasRounds() && other->hasRounds()))
    return std::nullopt;
  IndexSum sum = *one;
  for (const auto &[factors, count] : other->products)
    sum.products[factors] += times * count;
  return small(std::move(sum));
}

MaybeSum multiply(const MaybeSum &one, const MaybeSum &other) {
  if (!one || !other || (one->hasRounds() && other->hasRounds()))
    return std::nullopt;
  IndexSum sum;
  for (const auto &[left, count] : one->products)
    for (const auto &[right, times] : other->products) {
      SmallVector<uint16_t, 2 * kUseFactors> all(left.begin(), left.end());
      all.append(right.begin(), right.end());
      sort(all);
      if (all[kUseFactors - 1])
        return std::nullopt; // more than there is room for
      Factors factors;
      std::copy_n(all.begin() + kUseFactors, kUseFactors, factors.begin());
      sum.products[factors] += count * times;
    }
  return small(std::move(sum));
}

bool hasFactor(const IndexSum &sum, uint16_t first, uint16_t end) {
  return any_of(sum.products, [&](const auto &product) {
    return any_of(product.first, [&](uint16_t each) { return each >= first && each < end; });
  });
}

} // namespace

bool IndexSum::hasRounds() const { return hasFactor(*this, kUseRound, kUseRound + 1); }
bool IndexSum::isUniform() const { return !hasFactor(*this, kUseLocalId, kUseGroupSize) && !hasRounds(); }

int64_t IndexSum::takeConstant() {
  const auto found = products.find(Factors{});
  const int64_t constant = found == products.end() ? 0 : found->second;
  products.erase(Factors{});
  return constant;
}

MaybeSum IndexSums::widened(MaybeSum sum, bool isUnsigned) {
  if (sum)
    narrow_->push_back({*sum, isUnsigned});
  return sum;
}

// Ids, and what the launch says of itself.
MaybeSum IndexSums::ofLoad(const Value *value) const {
  auto *load = dyn_cast<LoadInst>(value);
  if (!load)
    return std::nullopt;
  if (const auto read = itemReadBy(*load)) {
    switch (read->field) {
    case ItemField::localId: return factor(kUseLocalId + read->dimension);
    case ItemField::groupId: return factor(kUseGroupId + read->dimension);
    case ItemField::globalX: return add(factor(kUseLocalId), multiply(factor(kUseGroupId), factor(kUseGroupSize)));
    default: return std::nullopt;
    }
  }
  APInt offset(layout_.getIndexTypeSizeInBits(load->getPointerOperandType()), 0);
  const Value *base = load->getPointerOperand()->stripAndAccumulateConstantOffsets(layout_, offset, true);
  const auto launch = itemReadBy(base);
  if (!launch || launch->field != ItemField::launch || !load->getType()->isIntegerTy(32))
    return std::nullopt;
  for (unsigned d = 0; d < 3; ++d) {
    if (offset == offsetof(LaunchState, groupSize) + 4 * d)
      return factor(kUseGroupSize + d);
    if (offset == offsetof(LaunchState, groupCount) + 4 * d)
      return factor(kUseGroupCount + d);
  }
  return std::nullopt;
}

// A number that each round of a loop adds to.
MaybeSum IndexSums::ofRounds(const Value *value, unsigned depth) {
  auto *phi = dyn_cast<PHINode>(value);
  if (!phi || phi->getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned i = 0; i < 2; ++i) {
    auto *next = dyn_cast<BinaryOperator>(phi->getIncomingValue(i));
    if (!next || next->getOpcode() != Instruction::Add || (next->getOperand(0) != phi && next->getOperand(1) != phi))
      continue;
    const MaybeSum step = sumOf(next->getOperand(next->getOperand(0) == phi), depth + 1);
    if (!step || !step->isUniform())
      return std::nullopt;
    return add(sumOf(phi->getIncomingValue(1 - i), depth + 1), multiply(step, factor(kUseRound)));
  }
  return std::nullopt;
}

MaybeSum IndexSums::sumOf(const Value *value, unsigned depth) {
  if (!value->getType()->isIntegerTy() || value->getType()->getIntegerBitWidth() > 64 || depth > kDeepest)
    return std::nullopt;
  if (auto *constant = dyn_cast<ConstantInt>(value))
    return constantSum(constant->getSExtValue());
  if (auto *argument = dyn_cast<Argument>(value)) {
    const unsigned number = argument->getArgNo();
    const bool isNumber = number && kernel_.args[number - 1].kind == ArgKind::value && number < 1000;
    return isNumber && value->getType()->getIntegerBitWidth() >= 32 ? factor(kUseArgument + number - 1) : std::nullopt;
  }
  if (MaybeSum loaded = ofLoad(value))
    return loaded;
  auto *instruction = dyn_cast<Instruction>(value);
  if (!instruction)
    return std::nullopt;
  const bool isWide = value->getType()->getIntegerBitWidth() >= 32;
  const auto operand = [&](unsigned number) { return sumOf(instruction->getOperand(number), depth + 1); };
  switch (instruction->getOpcode()) {
  case Instruction::ZExt: return widened(operand(0), true);
  case Instruction::SExt: return widened(operand(0), false);
  case Instruction::Trunc: return isWide ? operand(0) : std::nullopt;
  case Instruction::And: // LLVM's way to write the extension of what has been cut
    return match(instruction->getOperand(1), m_SpecificInt(UINT32_MAX)) ? widened(operand(0), true) : std::nullopt;
  case Instruction::Add: return isWide ? add(operand(0), operand(1)) : std::nullopt;
  case Instruction::Sub: return isWide ? add(operand(0), operand(1), -1) : std::nullopt;
  case Instruction::Mul: return isWide ? multiply(operand(0), operand(1)) : std::nullopt;
  case Instruction::Shl: {
    auto *bits = dyn_cast<ConstantInt>(instruction->getOperand(1));
    return isWide && bits && bits->getValue().ult(30)
               ? multiply(operand(0), constantSum(int64_t{1} << bits->getZExtValue()))
               : std::nullopt;
  }
  case Instruction::PHI: return isWide ? ofRounds(value, depth) : std::nullopt;
  case Instruction::ExtractElement: // modules have vectors of ids
    if (auto *index = dyn_cast<ConstantInt>(instruction->getOperand(1)))
      if (Value *element = findScalarElement(instruction->getOperand(0), static_cast<unsigned>(index->getZExtValue())))
        return sumOf(element, depth + 1);
    return std::nullopt;
  default: return std::nullopt;
  }
}

MaybeSum IndexSums::between(const Value *base, const Value *pointer, SmallVectorImpl<NarrowSum> &narrow) {
  narrow_ = &narrow;
  const std::optional<Distance> distance = distanceTo(pointer, base, layout_);
  if (!distance)
    return std::nullopt;
  MaybeSum sum = constantSum(distance->constant);
  for (const auto &[number, bytes] : distance->factors) {
    MaybeSum times = sumOf(number, 0);
    if (number->getType()->isIntegerTy() && number->getType()->getIntegerBitWidth() < 64)
      times = widened(times, false);
    sum = add(sum, multiply(times, constantSum(bytes.getSExtValue())));
  }
  return sum;
}

} // namespace hiplz::cpu
