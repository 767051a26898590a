// SPDX-License-Identifier: MIT
// See lane_masks.h. The sets of masks that contain a mask are the greatest solution of their equations: at first each mask is taken to lie in
// all others, and what the code contradicts is taken back.
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/lanes.h"

#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr unsigned kMostContainers = 4096; ///< bounds memory and time of very large functions
constexpr unsigned kDepth = 3;             ///< how far unions are followed
constexpr unsigned kRounds = 8;            ///< of simplification: one for each depth of nested loops

} // namespace

bool isMask(const Value *value) {
  if (value->getType()->isIntegerTy(kLanes))
    return true;
  auto *vector = dyn_cast<FixedVectorType>(value->getType());
  return vector && vector->getNumElements() == kLanes && vector->getElementType()->isIntegerTy(1);
}

Value *plainMask(Value *mask) {
  while (auto *cast = dyn_cast<BitCastInst>(mask)) {
    if (!isMask(cast->getOperand(0)))
      break;
    mask = cast->getOperand(0);
  }
  return mask;
}

LaneMasks::LaneMasks(Function &wave, Value &live)
    : live_(&live), all_(ConstantInt::getAllOnesValue(live.getType())), dominators_(wave) {
  collect(wave);
  solve();
}

// Numbers the masks that select lanes, and those that they are computed from, in an order in which most operands come first.
void LaneMasks::collect(Function &wave) {
  SmallPtrSet<Value *, 32> known;
  SmallVector<Value *, 64> work{live_};
  for (Instruction &instruction : instructions(wave)) {
    if (auto *select = dyn_cast<SelectInst>(&instruction); select && isMask(select->getCondition()))
      work.push_back(select->getCondition());
    if (auto *call = dyn_cast<CallInst>(&instruction); call && (isLoadOfLanes(*call) || isStoreOfLanes(*call)))
      work.push_back(call->getArgOperand(kAccessBits));
    if (auto *cast = dyn_cast<BitCastInst>(&instruction); cast && isMask(cast) && isMask(cast->getOperand(0)))
      work.push_back(cast);
  }
  while (!work.empty()) {
    auto *mask = dyn_cast<Instruction>(plainMask(work.pop_back_val()));
    if (!mask || !isMask(mask) || !known.insert(mask).second)
      continue;
    if (auto *select = dyn_cast<SelectInst>(mask))
      work.append({select->getTrueValue(), select->getFalseValue()});
    else if (isa<PHINode>(mask) || mask->isBitwiseLogicOp())
      work.append(mask->op_begin(), mask->op_end());
  }
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&wave))
    for (Instruction &instruction : *block)
      if (known.contains(&instruction)) {
        numbers_[&instruction] = static_cast<unsigned>(masks_.size());
        masks_.push_back(&instruction);
      }
  containerCount_ = std::min(static_cast<unsigned>(masks_.size()), kMostContainers);
}

void LaneMasks::solve() {
  containers_.assign(masks_.size(), BitVector(containerCount_, true));
  for (bool changes = true; changes;) {
    changes = false;
    for (unsigned number = 0; number < masks_.size(); ++number) {
      BitVector containers = computed(*masks_[number]);
      if (number < containerCount_)
        containers.set(number);
      if (containers == containers_[number])
        continue;
      containers_[number] = std::move(containers);
      changes = true;
    }
  }
}

BitVector LaneMasks::containersOf(Value *mask) const {
  mask = plainMask(mask);
  if (const auto number = numbers_.find(mask); number != numbers_.end())
    return containers_[number->second];
  return BitVector(containerCount_, match(mask, m_Zero()));
}

BitVector LaneMasks::computed(Instruction &mask) {
  Value *a, *b;
  if (match(&mask, m_And(m_Value(a), m_Value(b))))
    return containersOf(a) |= containersOf(b);
  if (match(&mask, m_Or(m_Value(a), m_Value(b))) || match(&mask, m_Xor(m_Value(a), m_Value(b))) ||
      match(&mask, m_Select(m_Value(), m_Value(a), m_Value(b))))
    return containersOf(a) &= containersOf(b);
  auto *phi = dyn_cast<PHINode>(&mask);
  if (!phi)
    return BitVector(containerCount_, false);
  BitVector both = dominatorsOf(*phi->getParent());
  for (Value *value : phi->incoming_values())
    both &= containersOf(value);
  return both;
}

/// The masks of blocks that lie on each way to this one.
const BitVector &LaneMasks::dominatorsOf(const BasicBlock &block) {
  BitVector &known = blockDominators_[&block];
  if (known.empty() && containerCount_ > 0) {
    known.resize(containerCount_);
    for (unsigned number = 0; number < containerCount_; ++number)
      if (dominators_.properlyDominates(masks_[number]->getParent(), &block))
        known.set(number);
  }
  return known;
}

bool LaneMasks::isPart(Value *mask, Value *whole) const {
  struct Search {
    const LaneMasks &masks;
    Value *mask;
    BitVector containers;
    bool reaches(Value *whole, unsigned depth) const {
      whole = plainMask(whole);
      if (mask == whole || match(whole, m_AllOnes()))
        return true;
      const auto number = masks.numbers_.find(whole);
      if (number != masks.numbers_.end() && number->second < masks.containerCount_ && containers.test(number->second))
        return true;
      Value *a, *b;
      return depth > 0 && match(whole, m_Or(m_Value(a), m_Value(b))) &&
             (reaches(a, depth - 1) || reaches(b, depth - 1));
    }
  };
  mask = plainMask(mask);
  return match(mask, m_Zero()) || Search{*this, mask, containersOf(mask)}.reaches(whole, kDepth);
}

Value *LaneMasks::united(Value *a, Value *b) const {
  if (isPart(b, a))
    return a;
  if (isPart(a, b))
    return b;
  return smallest(containersOf(a) &= containersOf(b));
}

Value *LaneMasks::onEdge(const BasicBlock &from, const BasicBlock &to, Value *mask) {
  mask = plainMask(mask);
  auto *instruction = dyn_cast<Instruction>(mask);
  if (!instruction || dominators_.properlyDominates(instruction->getParent(), &to))
    return mask;
  BitVector known = dominatorsOf(to);
  for (const PHINode &phi : to.phis())
    if (const auto number = numbers_.find(&phi); number != numbers_.end() && number->second < containerCount_)
      known.set(number->second);
  Value *container = smallest(known &= containersOf(mask));
  auto *phi = dyn_cast<PHINode>(container);
  return phi && phi->getParent() == &to ? plainMask(phi->getIncomingValueForBlock(&from)) : container;
}

Value *LaneMasks::smallest(const BitVector &containers) const {
  int best = containers.find_first();
  if (best < 0)
    return all_;
  for (int next = containers.find_next(best); next >= 0; next = containers.find_next(next))
    if (containers_[static_cast<unsigned>(next)].test(static_cast<unsigned>(best)))
      best = next;
  return masks_[static_cast<unsigned>(best)];
}

namespace {

/// The mask that a phi stands for if it has only one value.
Value *onlyValue(PHINode &phi) {
  Value *only = phi.hasConstantValue();
  return only && only != &phi ? only : nullptr;
}

/// `whole` if `rest` consists of the lanes of it that are not in `part`, which lies in it: what `else` runs with.
Value *wholeOf(Value *rest, Value *part, const LaneMasks &masks) {
  Value *whole;
  if (match(rest, m_c_And(m_Value(whole), m_Not(m_Specific(part))))) {
    if (masks.isPart(part, whole))
      return whole;
    rest = whole; // some code takes the part away twice
  }
  return match(rest, m_c_Xor(m_Specific(part), m_Value(whole))) && masks.isPart(part, whole) ? whole : nullptr;
}

// A loop that lanes leave one after the other: it begins with the lanes `left` that have left (often none) and those that go on, and each round moves some
// from the ones to the others. Behind it all of them go on.
//     running = phi(outer, rest)      left = phi(nothing, gone)
//     gone = left | leaving           leaving lies in running
//     rest = running & ~gone
// Returns `outer` for rest | gone.
Value *lanesBehindLoop(BinaryOperator &both, const LaneMasks &masks) {
  Value *running, *gone, *left, *leaving;
  if (!match(&both, m_c_Or(m_c_And(m_Value(running), m_Not(m_Value(gone))), m_Deferred(gone))))
    return nullptr;
  if (!match(gone, m_Or(m_Value(left), m_Value(leaving))))
    return nullptr;
  if (!isa<PHINode>(left))
    std::swap(left, leaving);
  auto *runningPhi = dyn_cast<PHINode>(running), *leftPhi = dyn_cast<PHINode>(left);
  if (!runningPhi || !leftPhi || runningPhi->getParent() != leftPhi->getParent() || !masks.isPart(leaving, running))
    return nullptr;
  Value *outer = nullptr;
  for (BasicBlock *from : predecessors(runningPhi->getParent())) {
    Value *runs = runningPhi->getIncomingValueForBlock(from), *hasLeft = leftPhi->getIncomingValueForBlock(from);
    if (hasLeft == gone && match(runs, m_c_And(m_Specific(running), m_Not(m_Specific(gone)))))
      continue;
    if ((outer && outer != runs) || !masks.isPart(hasLeft, runs))
      return nullptr;
    outer = runs;
  }
  return outer;
}

/// The scalar that was put into a lane of a vector, if it was at one place, whichever way the code went from there.
Value *scalarInLane(ExtractElementInst &read) {
  auto *lane = dyn_cast<ConstantInt>(read.getIndexOperand());
  if (!lane)
    return nullptr;
  InsertElementInst *only = nullptr;
  SmallPtrSet<Value *, 16> seen;
  SmallVector<Value *, 16> work{read.getVectorOperand()};
  while (!work.empty()) {
    Value *vector = work.pop_back_val();
    if (!seen.insert(vector).second)
      continue;
    auto *insert = dyn_cast<InsertElementInst>(vector);
    if (auto *phi = dyn_cast<PHINode>(vector)) {
      work.append(phi->op_begin(), phi->op_end());
    } else if (!insert || !isa<ConstantInt>(insert->getOperand(2))) {
      return nullptr;
    } else if (cast<ConstantInt>(insert->getOperand(2))->getZExtValue() != lane->getZExtValue()) {
      work.push_back(insert->getOperand(0));
    } else if (only && only != insert) {
      return nullptr;
    } else {
      only = insert;
    }
  }
  return only ? only->getOperand(1) : nullptr;
}

Value *simplerMask(Instruction &mask, const LaneMasks &masks) {
  if (auto *read = dyn_cast<ExtractElementInst>(&mask))
    return scalarInLane(*read);
  if (auto *phi = dyn_cast<PHINode>(&mask))
    return onlyValue(*phi);
  Value *a, *b;
  if (match(&mask, m_Or(m_Value(a), m_Value(b)))) {
    if (masks.isPart(a, b))
      return b;
    if (masks.isPart(b, a))
      return a;
    for (const auto &[rest, part] : {std::pair(a, b), std::pair(b, a)})
      if (Value *whole = wholeOf(rest, part, masks))
        return whole;
    return lanesBehindLoop(cast<BinaryOperator>(mask), masks);
  }
  if (match(&mask, m_And(m_Value(a), m_Value(b)))) {
    if (masks.isPart(a, b))
      return a;
    if (masks.isPart(b, a))
      return b;
  }
  return nullptr;
}

} // namespace

void simplifyMasks(Function &wave, Value &live) {
  for (unsigned round = 0; round < kRounds; ++round) {
    const LaneMasks masks(wave, live);
    SmallVector<std::pair<Instruction *, Value *>, 16> simpler;
    for (Instruction &instruction : instructions(wave))
      if (isMask(&instruction))
        if (Value *value = simplerMask(instruction, masks))
          simpler.emplace_back(&instruction, value);
    if (simpler.empty())
      return;
    for (const auto &[mask, value] : simpler)
      mask->replaceAllUsesWith(value);
    for (const auto &[mask, value] : simpler) // some others may have been replaced by it meanwhile
      if (mask->use_empty())
        mask->eraseFromParent();
  }
}

} // namespace hiplz::amdgcn
