// SPDX-License-Identifier: MIT
// See buildKnownAccesses() in known_access.h. A piece is a part of one block. The scalars that its test needs are moved in front of it, so an
// access whose address depends on what the piece loads begins the next one.
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/interleaved_words.h"
#include "amdgcn/translator/join_uses.h"
#include "amdgcn/translator/known_access.h"
#include "base/llvm_compat.h"

#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/PostOrderIterator.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/PatternMatch.h>
#include <llvm/Transforms/Utils/Cloning.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr size_t kFewest = 2;              ///< accesses of a piece
constexpr int kMany = 12;                  ///< loads of a piece
constexpr size_t kMostInstructions = 4000; ///< that are copied in a function
constexpr unsigned kMostMoved = 64;        ///< that the conditions of one access need

/// True if a copy of the instruction could be seen, or is a function of its own that the plain way is not to have.
bool endsPiece(const Instruction &instruction) {
  auto *call = dyn_cast<CallInst>(&instruction);
  return instruction.isTerminator() || (call && (!isa<IntrinsicInst>(call) || call->isConvergent()));
}

/// A piece of code, while it grows and when it is copied.
class Piece {
public:
  explicit Piece(KnownAccesses &known) : known_(&known) {}

  bool isEmpty() const { return calls_.empty(); }

  /// Adds an access if its conditions can be tested in front of the piece, which is where the first access is.
  bool add(CallInst &call) {
    KnownAccess &access = *known_->at(&call);
    Instruction *begin = isEmpty() ? &call : calls_.front();
    SetVector<Instruction *> moved;
    for (Value *condition : access.conditions())
      if (!collect(condition, *begin, moved))
        return false;
    if (!collect(access.lanes(), *begin, moved))
      return false;
    for (Instruction *instruction : moved)
      instruction->moveBefore(begin);
    calls_.push_back(&call);
    conditions_.insert(access.conditions().begin(), access.conditions().end());
    if (!isa<Constant>(access.lanes()))
      lanes_.insert(access.lanes());
    return true;
  }

  /// Copies it if that pays; returns the number of instructions.
  size_t copy(size_t most) {
    const bool hasMasked =
        !lanes_.empty() && all_of(calls_, [&](CallInst *call) { return known_->at(call)->allowsMask(); });
    const size_t copied = size() * (hasMasked ? 2 : 1);
    if (calls_.size() < kFewest || copied > most)
      return 0;
    BasicBlock *head = calls_.front()->getParent();
    mixed_ = head->splitBasicBlock(calls_.front()->getIterator(), "mixed");
    BasicBlock *rest = mixed_->splitBasicBlock(behind(), "both");
    ValueToValueMapTy copies, maskedCopies;
    BasicBlock *plain = clone(copies, ".plain"), *masked = hasMasked ? clone(maskedCopies, ".masked") : nullptr;
    head->getTerminator()->eraseFromParent();
    IRBuilder<> b(head);
    MDNode *likely = MDBuilder(b.getContext()).createBranchWeights(64, 1);
    if (masked) {
      BasicBlock *some = BasicBlock::Create(b.getContext(), "some", head->getParent(), masked);
      Value *all = test(b);
      b.CreateCondBr(both(b, all, haveAllLanes(b)), plain, some, likely);
      b.SetInsertPoint(some);
      b.CreateCondBr(both(b, all, haveActiveRows(b)), masked, mixed_, likely);
    } else {
      b.CreateCondBr(both(b, test(b), haveAllLanes(b)), plain, mixed_, likely);
    }
    b.SetInsertPoint(rest, rest->begin());
    for (Instruction &made : *mixed_) {
      SmallVector<std::pair<Value *, BasicBlock *>, 2> others{{copies[&made], plain}};
      if (masked)
        others.emplace_back(maskedCopies[&made], masked);
      joinUses(b, made, others);
    }
    const auto joined = joinInterleaved(calls_, *known_, copies);
    for (CallInst *call : calls_) {
      if (!joined.contains(call))
        known_->at(call)->makePlain(*cast<CallInst>(copies[call]), copies);
      if (masked)
        known_->at(call)->makeMasked(*cast<CallInst>(maskedCopies[call]), maskedCopies);
    }
    return copied;
  }

  /// Builds its accesses, which are those of the mixed copy if there are others.
  void build() {
    for (CallInst *call : calls_)
      known_->at(call)->build();
  }

private:
  size_t size() const {
    return static_cast<size_t>(std::distance(calls_.front()->getIterator(), behind()->getIterator()));
  }

  /// Where the copies end: behind the last access, but many words are used up in the copies as well, so that they need no registers behind them.
  Instruction *behind() const {
    Instruction *next = calls_.back()->getNextNode();
    if (count_if(calls_, [&](CallInst *call) { return !known_->at(call)->isStore(); }) >= kMany)
      while (!endsPiece(*next))
        next = next->getNextNode();
    return next;
  }

  /// Collects the instructions behind `begin` in its block that compute a value, operands first. False if they cannot be moved there.
  static bool collect(Value *value, Instruction &begin, SetVector<Instruction *> &moved) {
    auto *made = dyn_cast<Instruction>(value);
    if (!made || made->getParent() != begin.getParent() || made->comesBefore(&begin) || moved.contains(made))
      return true;
    if (made == &begin || isa<PHINode>(made) || made->mayReadOrWriteMemory() || !isSafeToSpeculativelyExecute(made) ||
        moved.size() >= kMostMoved)
      return false;
    for (Value *operand : made->operands())
      if (!collect(operand, begin, moved))
        return false;
    moved.insert(made);
    return true;
  }

  BasicBlock *clone(ValueToValueMapTy &copies, const char *name) const {
    BasicBlock *made = CloneBasicBlock(mixed_, copies, name, mixed_->getParent());
    made->moveBefore(mixed_);
    for (Instruction &instruction : *made)
      RemapInstruction(&instruction, copies, RF_NoModuleLevelChanges | RF_IgnoreMissingLocals);
    return made;
  }

  static Value *both(IRBuilder<> &b, Value *all, Value *condition) {
    return match(all, m_One()) ? condition : match(condition, m_One()) ? all : b.CreateAnd(all, condition);
  }

  Value *test(IRBuilder<> &b) const {
    Value *all = b.getTrue();
    MapVector<Value *, Range> ranges;
    for (Value *condition : conditions_)
      if (!addTo(ranges, condition))
        all = both(b, all, condition);
    for (const auto &entry : ranges) {
      const Range &range = entry.second;
      auto addTest = [&](uint64_t added) {
        Value *sum = b.CreateAdd(entry.first, ConstantInt::get(entry.first->getType(), added));
        all = both(b, all, b.CreateICmpULE(sum, ConstantInt::get(sum->getType(), range.bound)));
      };
      addTest(range.least);
      if (range.most > range.least)
        addTest(range.most);
    }
    return all;
  }

  /// Tests of local memory: a number and several constants are inside if it and the least and the most of them are, since the constants are small.
  struct Range {
    uint64_t least = kMostOffset, most = 0, bound = kMostOffset;
  };
  static bool addTo(MapVector<Value *, Range> &ranges, Value *condition) {
    MatchedPredicate predicate;
    Value *number, *part;
    ConstantInt *bound = nullptr, *constant = nullptr;
    if (!match(condition, m_ICmp(predicate, m_Value(number), m_ConstantInt(bound))) ||
        predicate != ICmpInst::ICMP_ULE || !bound->getValue().ult(kMostOffset))
      return false;
    uint64_t added = 0;
    if (match(number, m_Add(m_Value(part), m_ConstantInt(constant))) && constant->getValue().ult(kMostOffset)) {
      added = constant->getZExtValue();
      number = part;
    }
    Range &range = ranges[number];
    range.least = std::min(range.least, added), range.most = std::max(range.most, added);
    range.bound = std::min(range.bound, bound->getZExtValue());
    return true;
  }

  Value *haveAllLanes(IRBuilder<> &b) const {
    Value *all = b.getTrue();
    for (Value *lanes : lanes_)
      all = both(b, all, b.CreateICmpEQ(lanes, b.getInt32(~0u)));
    return all;
  }

  Value *haveActiveRows(IRBuilder<> &b) const {
    SmallVector<Value *, 8> conditions;
    for (CallInst *call : calls_)
      known_->at(call)->activeRows(b, conditions);
    Value *all = b.getTrue();
    for (Value *condition : conditions)
      all = both(b, all, condition);
    return all;
  }

  KnownAccesses *known_;
  SmallVector<CallInst *, 16> calls_;
  SmallSetVector<Value *, 32> conditions_, lanes_;
  BasicBlock *mixed_ = nullptr; // once there is a copy
};

} // namespace

// Accesses know scalars that nothing uses yet, and the copy of an earlier piece would not see that. So the last piece comes first: when a piece gets a
// copy, all that needs its values has been built.
void buildKnownAccesses(Function &wave, KnownAccesses &known) {
  std::vector<Piece> pieces;
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&wave)) {
    Piece piece(known);
    auto end = [&] {
      if (!piece.isEmpty())
        pieces.push_back(std::exchange(piece, Piece(known)));
    };
    SmallVector<Instruction *, 64> stops; // others are moved meanwhile
    for (Instruction &instruction : *block)
      if (endsPiece(instruction))
        stops.push_back(&instruction);
    for (Instruction *stop : stops) {
      auto *call = dyn_cast<CallInst>(stop);
      const bool isKnown = call && known.count(call) > 0;
      if (isKnown && piece.add(*call))
        continue;
      end();
      if (isKnown)
        piece.add(*call);
    }
  }
  size_t left = kMostInstructions;
  for (Piece &piece : reverse(pieces)) {
    left -= piece.copy(left);
    piece.build();
  }
}

} // namespace hiplz::amdgcn
