// SPDX-License-Identifier: MIT
// See row_loops.h. An estimate, like that of wide_warps.h, but it needs to know addresses: how far they move in a round of the loop, and
// how far the lanes of a warp are apart. LLVM's scalar evolution answers the first; the second is the coefficient of the lane's id in what
// it knows of the address in the first round.
//
// Every innermost loop must be one that gains. Words that lanes read side by side are what vectors are for, and so are arithmetic and rows
// that are walked again and again, which stay in the cache. A word for all lanes is a load in either case.
#include "cpu/vectorizer/row_loops.h"
#include "cpu/vectorizer/dependents.h"
#include "cpu/vectorizer/lane_distances.h"
#include "cpu/vectorizer/loop_analyses.h"
#include "cpu/vectorizer/work_item_fields.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/Analysis/ScalarEvolutionExpressions.h>
#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>

#include <cstdlib>
#include <map>
#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

constexpr int64_t kLine = 64;             // bytes that a round may advance along a row
constexpr int64_t kWordsOfARow = 8;       // in loops
constexpr int64_t kWordsOfAStructure = 5; // smaller ones are read as vectors (row_access.cpp, coalesce.cpp)
constexpr unsigned kGathersPerRow = 2;    // accesses to any place for each access along a row
constexpr unsigned kArithmetic = 2;       // operations for each access
constexpr long kArithmeticAround = 64;    // operations outside of loops

/// How the lanes' addresses of an access in a loop relate to each other and to those of the next round.
enum class Walk { alongRows, anywhere, sideBySide, forAll, staysHere };

class RowLoops {
public:
  explicit RowLoops(Function &body) : body_(body), analyses_(body), lanes_(body) {}

  bool prevail() {
    bool any = false;
    for (Loop *loop : analyses_.loops.getLoopsInPreorder())
      if (loop->isInnermost()) {
        if (!gains(*loop))
          return false;
        any = true;
      }
    return any ? arithmeticAround() <= kArithmeticAround : gainsWithoutLoops();
  }

private:
  struct Counts {
    unsigned rows = 0, elsewhere = 0, common = 0, sideBySide = 0, arithmetic = 0;
    bool calls = false;

    bool gain() const {
      return !calls && rows > 0 && common <= rows && elsewhere <= kGathersPerRow * rows &&
             arithmetic <= kArithmetic * (rows + elsewhere);
    }
  };

  bool gains(const Loop &loop) {
    Counts counts;
    for (BasicBlock *block : loop.blocks())
      for (Instruction &instruction : *block) {
        count(instruction, counts);
        if (const Value *place = accessedPointer(instruction))
          switch (walkOf(loop, *place, typeOf(instruction))) {
          case Walk::alongRows: ++counts.rows; break;
          case Walk::anywhere: ++counts.elsewhere; break;
          case Walk::sideBySide: ++counts.sideBySide; break;
          case Walk::forAll: ++counts.common; break;
          case Walk::staysHere: break;
          }
      }
    return counts.gain() && counts.sideBySide == 0;
  }

  // A structure or an unrolled row for each lane.
  bool gainsWithoutLoops() {
    Counts counts;
    std::map<std::pair<const SCEV *, int64_t>, unsigned>
        rows; // accesses by what they are relative to, and by the length of rows
    for (Instruction &instruction : instructions(body_)) {
      count(instruction, counts);
      const Value *place = accessedPointer(instruction);
      if (!place || isItemAddress(place, body_))
        continue;
      const SCEV *address = analyses_.evolution.getSCEV(const_cast<Value *>(place));
      const std::optional<int64_t> apart = lanes_.distance(address);
      if (apart && std::abs(*apart) >= kWordsOfAStructure * sizeOf(typeOf(instruction)))
        ++rows[{analyses_.evolution.getPointerBase(address), *apart}];
      else if (!apart)
        ++counts.elsewhere;
      else if (*apart)
        ++counts.sideBySide;
    }
    for (const auto &[row, accesses] : rows)
      (accesses >= kWordsOfAStructure ? counts.rows : counts.elsewhere) += accesses;
    return counts.gain() && counts.sideBySide * kWordsOfAStructure <= counts.rows;
  }

  long arithmeticAround() const {
    return count_if(instructions(body_), [this](const Instruction &instruction) {
      return !analyses_.loops.getLoopFor(instruction.getParent()) && isComputed(instruction);
    });
  }

  void count(const Instruction &instruction, Counts &counts) const {
    auto *call = dyn_cast<CallBase>(&instruction);
    counts.calls = counts.calls || (call && !isa<IntrinsicInst>(call));
    counts.arithmetic += isComputed(instruction);
  }

  static Type *typeOf(const Instruction &instruction) {
    auto *store = dyn_cast<StoreInst>(&instruction);
    return store ? store->getValueOperand()->getType() : instruction.getType();
  }

  Walk walkOf(const Loop &loop, const Value &place, Type *type) {
    if (isa<AllocaInst>(getUnderlyingObject(&place))) // a private array, which interleave_allocas.cpp puts side by side
      return Walk::sideBySide;
    const SCEV *address = analyses_.evolution.getSCEV(const_cast<Value *>(&place));
    if (analyses_.evolution.isLoopInvariant(address, &loop))
      return Walk::staysHere;
    const auto *rounds = dyn_cast<SCEVAddRecExpr>(address);
    const bool advances = rounds && rounds->getLoop() == &loop;
    const SCEV *first = advances ? rounds->getStart() : address;
    if (!lanes_.differs(first))
      return Walk::forAll;
    const std::optional<int64_t> apart = lanes_.distance(first);
    if (apart && std::abs(*apart) < kWordsOfARow * sizeOf(type))
      return Walk::sideBySide;
    if (!advances || !isStepAlongRow(*rounds))
      return Walk::anywhere;
    const Loop *around = loop.getParentLoop();
    return around && analyses_.evolution.isLoopInvariant(first, around) ? Walk::sideBySide : Walk::alongRows;
  }

  int64_t sizeOf(Type *type) const {
    auto *pair = dyn_cast<StructType>(type); // of a compare-and-exchange
    return static_cast<int64_t>(
        body_.getParent()->getDataLayout().getTypeStoreSize(pair ? pair->getElementType(0) : type));
  }

  bool isStepAlongRow(const SCEVAddRecExpr &rounds) {
    auto *step = dyn_cast<SCEVConstant>(rounds.getStepRecurrence(analyses_.evolution));
    return step && std::abs(step->getAPInt().getSExtValue()) <= kLine;
  }

  // Numbers, not addresses and counters.
  bool isComputed(const Instruction &instruction) const {
    if (isa<PHINode>(instruction) || !lanes_.differs(instruction))
      return false;
    if (instruction.getType()->isFPOrFPVectorTy())
      return !isa<LoadInst>(instruction) && !isa<SelectInst>(instruction);
    const bool isOfIntegers = isa<BinaryOperator>(instruction) && instruction.getOpcode() != Instruction::Add &&
                              instruction.getOpcode() != Instruction::Shl;
    return isOfIntegers || isa<CallBase>(instruction);
  }

  Function &body_;
  LoopAnalyses analyses_;
  LaneDistances lanes_;
};

} // namespace

bool walksRows(Function &body) { return RowLoops(body).prevail(); }

} // namespace hiplz::cpu
