// SPDX-License-Identifier: MIT
// See walk_lanes.h. A lane's values are scalars; vectors from outside, and those that are used behind the loop, go through arrays. Numbers of
// 64 bits that the wave computes by halves become whole, which is how LLVM knows that a lane's words follow each other.
#include "amdgcn/translator/walk_lanes.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/lane_masks.h"
#include "amdgcn/translator/lanes.h"
#include "base/llvm_compat.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr uint64_t kHalf = 32;
constexpr uint64_t kNear = 16;     ///< bytes: lanes that are no further from each other read side by side
constexpr unsigned kFew = 2;       ///< lanes, which are not worth a vector in any case
constexpr unsigned kMostDepth = 6; ///< of operations on 64 bits

class LaneCopy {
public:
  explicit LaneCopy(const LaneWalk &walk) : walk_(walk), function_(*walk.loop->getParent()), b_(walk.loop) {}

  void make() {
    auto *branch = cast<BranchInst>(walk_.loop->getTerminator());
    BasicBlock *left = SplitEdge(walk_.loop, branch->getSuccessor(branch->getSuccessor(0) == walk_.loop ? 1 : 0));
    BasicBlock *choose = SplitEdge(blockBefore(), walk_.loop);
    auto block = [&](const char *name) { return BasicBlock::Create(b_.getContext(), name, &function_, left); };
    BasicBlock *walk = block("walk"), *each = block("walk.lane"), *round = block("walk.round"),
               *done = block("walk.done"), *end = block("walk.end");
    b_.SetInsertPoint(walk);
    walkBegin_ = b_.CreateBr(each);
    b_.SetInsertPoint(choose->getTerminator());
    Value *all = entering(walk_.lanes);
    Value *apart = areApart(all, entering(walk_.row));
    choose->getTerminator()->eraseFromParent();
    b_.SetInsertPoint(choose);
    b_.CreateCondBr(apart, walk, walk_.loop);

    b_.SetInsertPoint(each);
    PHINode *waiting = b_.CreatePHI(b_.getInt32Ty(), 2, "waiting");
    waiting->addIncoming(all, walk);
    lane_ = b_.CreateIntrinsic(Intrinsic::cttz, {b_.getInt32Ty()}, {waiting, b_.getFalse()});
    laneBegin_ = b_.CreateBr(round);
    fillRound(*each, *round, *done);

    b_.SetInsertPoint(done);
    SmallVector<Value *, 4> results;
    for (const auto &[made, kept] : walk_.results)
      results.push_back(kept || made != walk_.rest ? putResult(*made, kept, all, *each) : nullptr);
    Value *others = b_.CreateAnd(waiting, b_.CreateSub(waiting, b_.getInt32(1)));
    waiting->addIncoming(others, done);
    b_.CreateCondBr(b_.CreateICmpNE(others, b_.getInt32(0)), each, end);
    b_.SetInsertPoint(end);
    for (unsigned n = 0; n < results.size(); ++n)
      if (auto *array = dyn_cast_or_null<AllocaInst>(results[n]))
        results[n] = b_.CreateAlignedLoad(walk_.results[n].first->getType(), array, Align(64));
    b_.CreateBr(left);
    b_.SetInsertPoint(left, left->begin());
    for (unsigned n = 0; n < results.size(); ++n)
      join(*walk_.results[n].first, results[n] ? results[n] : b_.getInt32(0), *left, *end);
  }

private:
  bool isInside(const Value *value) const {
    auto *made = dyn_cast<Instruction>(value);
    return made && made->getParent() == walk_.loop;
  }
  Value *next(PHINode &phi) const { return phi.getIncomingValueForBlock(walk_.loop); }

  /// The value with which a phi of the loop begins.
  Value *entering(Value *value) const {
    auto *phi = dyn_cast<PHINode>(value);
    return phi && isInside(phi) ? phi->getIncomingValueForBlock(blockBefore()) : value;
  }

  BasicBlock *blockBefore() const {
    return *find_if(predecessors(walk_.loop), [&](BasicBlock *from) { return from != walk_.loop; });
  }

  /// True if the first two lanes are far from each other, or there are few.
  Value *areApart(Value *lanes, Value *places) {
    auto at = [&](Value *mask) {
      Value *lane = b_.CreateIntrinsic(Intrinsic::cttz, {b_.getInt32Ty()}, {mask, b_.getFalse()});
      return b_.CreateExtractElement(places, b_.CreateAnd(lane, b_.getInt32(kLanes - 1)));
    };
    Value *first = at(lanes), *second = at(b_.CreateAnd(lanes, b_.CreateSub(lanes, b_.getInt32(1))));
    Type *type = first->getType();
    Value *way = b_.CreateAdd(b_.CreateSub(second, first), ConstantInt::get(type, kNear));
    Value *isFar = b_.CreateICmpUGT(way, ConstantInt::get(type, 2 * kNear));
    Value *count = b_.CreateIntrinsic(Intrinsic::ctpop, {b_.getInt32Ty()}, {lanes});
    Value *areFew = b_.CreateICmpULE(count, b_.getInt32(kFew));
    return b_.CreateAnd(b_.CreateOr(isFar, areFew), b_.CreateICmpNE(lanes, b_.getInt32(0)));
  }

  AllocaInst *array(Type *type) {
    BasicBlock &entry = function_.getEntryBlock();
    AllocaInst *made = IRBuilder<>(&entry, entry.begin()).CreateAlloca(type);
    made->setAlignment(Align(64));
    return made;
  }

  Value *element(IRBuilder<> &b, Type *type, Value *array) {
    return b.CreateInBoundsGEP(type, array, b.CreateZExt(lane_, b.getInt64Ty()));
  }

  Value *bitOf(IRBuilder<> &b, Value *mask) { return b.CreateTrunc(b.CreateLShr(mask, lane_), b.getInt1Ty()); }

  /// The lane of a vector, or its bit of a mask; numbers are the same for all.
  Value *scalar(Value *value, bool isMask = false) {
    if (const auto known = copies_.find(value); known != copies_.end())
      return known->second;
    auto *vector = dyn_cast<FixedVectorType>(value->getType());
    if ((isMask || vector) && walk_.areLanes(value))
      return b_.getTrue();
    if (!vector && !isMask)
      return value;
    if (auto *constant = dyn_cast<Constant>(value)) {
      if (!vector && (constant->isNullValue() || constant->isAllOnesValue()))
        return b_.getInt1(constant->isAllOnesValue());
      if (Constant *all = vector ? constant->getSplatValue() : nullptr)
        return all;
    }
    DenseMap<Value *, Value *> &taken = isMask ? bits_ : elements_;
    if (Value *known = taken.lookup(value))
      return known;
    IRBuilder<> outside(walkBegin_), b(laneBegin_);
    Value *made = nullptr;
    if (!vector || vector->getElementType()->isIntegerTy(1)) {
      made = bitOf(b, vector ? outside.CreateBitCast(value, outside.getInt32Ty()) : value);
    } else if (Value *all = getSplatValue(value)) {
      made = all;
    } else {
      AllocaInst *place = array(vector);
      outside.CreateAlignedStore(value, place, Align(64));
      made = b.CreateLoad(vector->getElementType(), element(b, vector->getElementType(), place));
    }
    taken[value] = made;
    return made;
  }

  bool isMask(Value *value) const { return walk_.masks.contains(value); }

  void fillRound(BasicBlock &each, BasicBlock &round, BasicBlock &done) {
    b_.SetInsertPoint(&round);
    SmallVector<std::pair<PHINode *, PHINode *>, 16> phis;
    for (PHINode &phi : walk_.loop->phis()) {
      if (&phi == walk_.lanes)
        continue;
      Type *type = isMask(&phi) ? b_.getInt1Ty() : phi.getType()->getScalarType();
      PHINode *made = b_.CreatePHI(type, 2, phi.getName());
      copies_[&phi] = made;
      phis.emplace_back(&phi, made);
    }
    joinPhis(each, round);
    auto *branch = cast<BranchInst>(walk_.loop->getTerminator());
    for (Instruction &operation : *walk_.loop)
      if (!isa<PHINode>(operation) && &operation != branch && !isEnd(operation, *branch))
        copies_[&operation] = copy(operation);
    for (const auto &[phi, made] : phis) {
      made->addIncoming(scalar(entering(phi), isMask(phi)), &each);
      made->addIncoming(scalar(next(*phi), isMask(phi)), &round);
    }
    for (const auto &[phi, place] : places_)
      place->addIncoming(b_.CreateConstGEP1_64(b_.getInt8Ty(), place, walk_.stepOf(*phi)->getZExtValue()), &round);
    Value *goesOn = walk_.rest ? scalar(walk_.rest, true) : scalar(branch->getCondition());
    if (!walk_.rest && branch->getSuccessor(1) == walk_.loop)
      goesOn = b_.CreateNot(goesOn);
    b_.CreateCondBr(goesOn, &round, &done);
  }

  /// True for what asks whether lanes are left, which a lane knows by itself.
  bool isEnd(Instruction &operation, BranchInst &branch) const {
    Value *test = branch.getCondition();
    while (walk_.rest && test != &operation && match(test, m_Not(m_Value(test))))
      ;
    return walk_.rest && test == &operation;
  }

  /// Places whose low half goes on by a constant, and whose high half by the carry.
  void joinPhis(BasicBlock &each, BasicBlock &round) {
    for (Instruction &operation : *walk_.loop) {
      Value *low, *high;
      if (!operation.getType()->isVectorTy() || !isJoined(operation, low, high))
        continue;
      auto *below = dyn_cast<PHINode>(low), *above = dyn_cast<PHINode>(high);
      if (!below || !above || !isInside(below) || !isInside(above) || !walk_.stepOf(*below) || places_.count(below) > 0)
        continue;
      Value *carry, *added = walk_.ofLane(next(*below));
      if (!match(walk_.ofLane(next(*above)), m_c_Add(m_Specific(above), m_ZExt(m_Value(carry)))))
        continue;
      carry = walk_.ofLane(carry);
      MatchedPredicate predicate;
      Value *sum, *from;
      if (!match(carry, m_ICmp(predicate, m_Value(sum), m_Value(from))) || predicate != ICmpInst::ICMP_ULT ||
          walk_.ofLane(sum) != added || from != below)
        continue;
      Value *first = scalar(entering(below)), *second = scalar(entering(above));
      IRBuilder<> b(laneBegin_);
      PHINode *place = PHINode::Create(b.getPtrTy(), 2, "place", &round.front());
      place->addIncoming(b.CreateIntToPtr(joined(b, first, second), b.getPtrTy()), &each);
      places_[below] = place;
      whole_[{below, above}] = b_.CreatePtrToInt(place, b_.getInt64Ty());
    }
  }

  Value *joined(IRBuilder<> &b, Value *low, Value *high) {
    return b.CreateOr(b.CreateZExt(low, b.getInt64Ty()), b.CreateShl(b.CreateZExt(high, b.getInt64Ty()), kHalf));
  }

  /// The number of 64 bits whose halves these vectors are, for the lane. Sums and shifts of halves are those of the whole.
  Value *wholeOfLane(Value *low, Value *high, unsigned depth = 0) {
    if (Value *wide = whole_.lookup({low, high}))
      return wide;
    if (depth < kMostDepth) {
      Value *down = walk_.ofLane(low), *up = walk_.ofLane(high), *a, *b, *c, *d, *e;
      if (Value *wide = whole_.lookup({down, up}))
        return wide;
      if (match(up, m_AShr(m_Specific(low), m_SpecificInt(kHalf - 1))) ||
          match(up, m_AShr(m_Specific(down), m_SpecificInt(kHalf - 1))))
        return b_.CreateSExt(scalar(low), b_.getInt64Ty());
      if (match(down, m_Shl(m_Value(a), m_Value(b))) &&
          match(up, m_Intrinsic<Intrinsic::fshl>(m_Value(c), m_Value(d), m_Value(e))) &&
          walk_.ofLane(d) == walk_.ofLane(a) && LaneWalk::constantOf(b) &&
          LaneWalk::constantOf(b) == LaneWalk::constantOf(e))
        if (const uint64_t by = LaneWalk::constantOf(b)->getZExtValue(); by < kHalf)
          return b_.CreateShl(wholeOfLane(a, c, depth + 1), by);
      Value *carry;
      if (match(down, m_Add(m_Value(a), m_Value(b))) &&
          match(up, m_c_Add(m_Add(m_Value(c), m_Value(d)), m_ZExt(m_Value(carry)))) && isCarry(carry, down, a, b)) {
        if (isInside(a) != isInside(c))
          std::swap(c, d);
        return b_.CreateAdd(wholeOfLane(a, c, depth + 1), wholeOfLane(b, d, depth + 1));
      }
    }
    return joined(b_, scalar(low), scalar(high));
  }

  bool isCarry(Value *carry, Value *sum, Value *a, Value *b) const {
    MatchedPredicate predicate;
    Value *left, *right;
    return match(walk_.ofLane(carry), m_ICmp(predicate, m_Value(left), m_Value(right))) &&
           predicate == ICmpInst::ICMP_ULT && walk_.ofLane(left) == sum &&
           (walk_.ofLane(right) == walk_.ofLane(a) || walk_.ofLane(right) == walk_.ofLane(b));
  }

  Value *copy(Instruction &operation) {
    Type *type = operation.getType()->getScalarType();
    const bool isBits = isMask(&operation);
    auto in = [&](unsigned n) { return scalar(operation.getOperand(n), isBits); };
    if (auto *call = dyn_cast<CallInst>(&operation); call && isLoadOfLanes(*call))
      return load(*call, type);
    if (isa<BitCastInst>(operation) && (isBits || !operation.getOperand(0)->getType()->isVectorTy()))
      return scalar(operation.getOperand(0), !isBits);
    if (!isBits && !operation.getType()->isVectorTy())
      return number(operation);
    if (Value *all = isa<ShuffleVectorInst>(operation) ? getSplatValue(&operation) : nullptr)
      return scalar(all);
    if (isa<InsertElementInst>(operation))
      return PoisonValue::get(type);
    if (Value * low, *high; isJoined(operation, low, high))
      return wholeOfLane(low, high);
    Value *made = nullptr;
    if (auto *call = dyn_cast<IntrinsicInst>(&operation)) {
      SmallVector<Value *, 3> arguments;
      for (Value *argument : call->args())
        arguments.push_back(scalar(argument));
      made = b_.CreateIntrinsic(call->getIntrinsicID(), {type}, arguments);
    } else if (auto *binary = dyn_cast<BinaryOperator>(&operation)) {
      made = b_.CreateBinOp(binary->getOpcode(), in(0), in(1));
    } else if (auto *cast = dyn_cast<CastInst>(&operation)) {
      made = b_.CreateCast(cast->getOpcode(), in(0), type);
    } else if (auto *compare = dyn_cast<CmpInst>(&operation)) {
      made = b_.CreateCmp(compare->getPredicate(), in(0), in(1));
    } else if (isa<SelectInst>(operation)) {
      made = b_.CreateSelect(in(0), in(1), in(2));
    } else if (auto *unary = dyn_cast<UnaryOperator>(&operation)) {
      made = b_.CreateUnOp(unary->getOpcode(), in(0));
    } else {
      made = b_.CreateFreeze(in(0));
    }
    if (auto *instruction = dyn_cast<Instruction>(made);
        instruction && instruction->getOpcode() == operation.getOpcode())
      instruction->copyIRFlags(&operation);
    return made;
  }

  Value *number(Instruction &operation) {
    Instruction *made = operation.clone();
    for (Use &operand : made->operands())
      operand = scalar(operand);
    return b_.Insert(made);
  }

  /// Lanes that do not take part read 0, and here a place that has it.
  Value *load(CallInst &call, Type *type) {
    Value *place = scalar(call.getArgOperand(kAccessAddresses)), *begin, *offset;
    if (match(place, m_c_Add(m_PtrToInt(m_Value(begin)), m_Value(offset)))) // LLVM sees rows in pointers
      place = b_.CreateGEP(b_.getInt8Ty(), begin, offset);
    else
      place = b_.CreateIntToPtr(place, b_.getPtrTy());
    Value *bit = scalar(call.getArgOperand(kAccessBits), true);
    if (match(bit, m_One()))
      return b_.CreateAlignedLoad(type, place, Align(1));
    if (!nothing_) {
      nothing_ = array(b_.getInt64Ty());
      IRBuilder<>(walkBegin_).CreateStore(b_.getInt64(0), nothing_);
    }
    return b_.CreateAlignedLoad(type, b_.CreateSelect(bit, place, nothing_), Align(1));
  }

  /// Keeps the lane's part of a result; returns an array, or a mask.
  Value *putResult(Instruction &made, PHINode *kept, Value *all, BasicBlock &each) {
    Value *before = kept ? entering(kept) : nullptr;
    auto *vector = dyn_cast<FixedVectorType>(made.getType());
    if (vector && !vector->getElementType()->isIntegerTy(1)) {
      AllocaInst *place = array(vector);
      if (before)
        IRBuilder<>(walkBegin_).CreateAlignedStore(before, place, Align(64));
      b_.CreateStore(scalar(&made), element(b_, vector->getElementType(), place));
      return place;
    }
    IRBuilder<> outside(walkBegin_);
    Value *others = b_.getInt32(0);
    if (before)
      others = outside.CreateAnd(outside.CreateBitCast(before, b_.getInt32Ty()), outside.CreateNot(all));
    PHINode *bits = PHINode::Create(b_.getInt32Ty(), 2, "bits", &each.front());
    bits->addIncoming(others, walkBegin_->getParent());
    Value *bit = b_.CreateShl(b_.CreateZExt(scalar(&made, true), b_.getInt32Ty()), lane_);
    Value *result = b_.CreateOr(bits, bit);
    bits->addIncoming(result, b_.GetInsertBlock());
    return result;
  }

  /// Behind the loop a value comes from either way.
  void join(Instruction &made, Value *walked, BasicBlock &left, BasicBlock &end) {
    IRBuilder<> b(&end, end.getTerminator()->getIterator());
    if (walked->getType() != made.getType())
      walked = b.CreateBitCast(walked, made.getType());
    PHINode *both = PHINode::Create(made.getType(), 2, made.getName(), &left.front());
    both->addIncoming(&made, walk_.loop);
    both->addIncoming(walked, &end);
    made.replaceUsesWithIf(
        both, [&](Use &use) { return !isInside(cast<Instruction>(use.getUser())) && use.getUser() != both; });
  }

  const LaneWalk &walk_;
  Function &function_;
  IRBuilder<> b_;
  Instruction *walkBegin_ = nullptr,
              *laneBegin_ = nullptr; // the ends of what comes in front of the lanes, and of a lane's rounds
  Value *lane_ = nullptr;
  AllocaInst *nothing_ = nullptr;
  DenseMap<Value *, Value *> copies_;
  DenseMap<Value *, Value *> elements_, bits_; // of what comes from outside
  DenseMap<PHINode *, PHINode *> places_;      // by low half
  DenseMap<std::pair<Value *, Value *>, Value *> whole_;
};

} // namespace

bool LaneWalk::areLanes(Value *mask) const {
  return amdgcn::isMask(mask) && !isa<Constant>(mask) && plainMask(mask) == plainMask(lanes);
}

Value *LaneWalk::ofLane(Value *value) const {
  for (;;) {
    auto *made = dyn_cast<Instruction>(value);
    Value *left, *right;
    if (!made || made->getParent() != loop)
      return value;
    if (auto *choice = dyn_cast<SelectInst>(made); choice && areLanes(choice->getCondition()))
      value = choice->getTrueValue();
    else if (!made->getType()->isVectorTy() || !match(made, m_And(m_Value(left), m_Value(right))))
      return value;
    else if (areLanes(right))
      value = left;
    else if (areLanes(left))
      value = right;
    else
      return value;
  }
}

const ConstantInt *LaneWalk::stepOf(PHINode &phi) const {
  Value *step;
  if (phi.getParent() != loop ||
      !match(ofLane(phi.getIncomingValueForBlock(loop)), m_c_Add(m_Specific(&phi), m_Value(step))))
    return nullptr;
  return constantOf(step);
}

bool isPerLaneIntrinsic(const CallInst &call) {
  auto *intrinsic = dyn_cast<IntrinsicInst>(&call);
  if (!intrinsic || !isTriviallyVectorizable(intrinsic->getIntrinsicID()))
    return false;
  // Of one type, for all of its arguments and the result.
  return all_of(call.args(), [&](const Use &argument) { return argument->getType() == call.getType(); });
}

void copyForOneLane(const LaneWalk &walk) { LaneCopy(walk).make(); }

} // namespace hiplz::amdgcn
