// SPDX-License-Identifier: MIT
// Two accesses of a work-item to neighbouring words, the two halves of a complex number or of a float2, become one access to both
// where the lanes' addresses are anywhere: a gather or scatter takes its time for each element, not for its size. Neighbouring bytes,
// as in a uchar4, become a halfword, and such halfwords a word, if they are aligned: no processor gathers bytes, and words of
// neighbouring lanes are a vector. Loads are joined where the first one stands, stores where the second one stands; nothing in
// between may notice.
//
// Neighbours have one base and one sum of indices, each with its factor, and differ in a number. Scalar evolution would tell the distance,
// but the factors are needed as well: two pairs of words overlap in different lanes unless each is a multiple of a pair (keepOrder()).
#include "base/llvm_compat.h"
#include "cpu/vectorizer/passes.h"
#include "cpu/vectorizer/shape_analysis.h"

#include <llvm/Analysis/ValueTracking.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/Operator.h>

#include <optional>

using namespace llvm;

namespace hiplz::cpu {
namespace {

// Sizes of the accesses in bytes. Two words are the largest element that is gathered; two halfwords are a word, where a halfword alone
// has no access under a mask.
constexpr int64_t kWord = 4, kHalfword = 2, kByte = 1;

/// A load or store that may be joined with another one.
struct Access {
  Instruction *instruction;
  Value *pointer;
  Type *type;
  int64_t size;      // of the type, in bytes
  const Value *base; // the pointer is the sum of it, multiples of variables, and a number of bytes
  OffsetVariables multiples;
  int64_t offset;
};

class Joiner {
public:
  Joiner(BasicBlock &block, const ShapeInfo &shapes)
      : block_(block), shapes_(shapes), layout_(block.getModule()->getDataLayout()) {}

  bool run() {
    const bool hadBytes = joinNumbers(kByte);
    if (hadBytes)
      joinNumbers(kHalfword);
    numbers_ = 0;
    return join() || hadBytes;
  }

private:
  bool joinNumbers(int64_t size) {
    numbers_ = size;
    return join();
  }

  bool join() {
    loads_.clear();
    stores_.clear();
    bool changed = false;
    for (Instruction &instruction : make_early_inc_range(block_)) {
      const std::optional<Access> access = accessOf(instruction);
      if (access) {
        auto &open = isa<LoadInst>(instruction) ? loads_ : stores_;
        const auto *partner = find_if(
            open, [&](const Access &other) { return areNeighbours(*access, other) && keepOrder(*access, other); });
        if (partner != open.end()) {
          const Access other = *partner;
          open.erase(partner);
          isa<LoadInst>(instruction) ? joinLoads(other, *access) : joinStores(other, *access);
          for (Instruction *joined : {&instruction, other.instruction}) {
            made_.erase(joined);
            joined->eraseFromParent();
          }
          changed = true;
          continue;
        }
      }
      // A load must not move over what writes, a store not over anything that touches memory.
      const bool ends = !isGuaranteedToTransferExecutionToSuccessor(&instruction);
      if (ends || instruction.mayWriteToMemory())
        loads_.clear();
      if (ends || instruction.mayReadOrWriteMemory())
        stores_.clear();
      if (access)
        (isa<LoadInst>(instruction) ? loads_ : stores_).push_back(*access);
    }
    return changed;
  }

  std::optional<Access> accessOf(Instruction &instruction) const {
    auto *load = dyn_cast<LoadInst>(&instruction);
    auto *store = dyn_cast<StoreInst>(&instruction);
    if (!(load && load->isSimple()) && !(store && store->isSimple()))
      return std::nullopt;
    Value *pointer = getLoadStorePointerOperand(&instruction);
    Type *type = getLoadStoreType(&instruction);
    const Shape shape = shapeOf(pointer);
    const bool isWord = type->isFloatTy() || type->isIntegerTy(32), isMade = made_.contains(&instruction);
    const bool isWanted = numbers_
                              ? type->isIntegerTy(8 * unsigned(numbers_)) && isMade == (numbers_ > kByte)
                              : !isMade && (isWord || type->isHalfTy() || type->isBFloatTy() || type->isIntegerTy(16));
    if (!isWanted)
      return std::nullopt;
    if (shape.isUnknown() || shape.isUniform() || isa<AllocaInst>(getUnderlyingObject(pointer)))
      return std::nullopt;
    // Words a few places apart are as cheap by themselves.
    const int64_t size = numbers_ ? numbers_ : isWord ? kWord : kHalfword, fewest = isWord ? 4 * size : size;
    if (shape.isStrided() && std::abs(shape.stride()) <= fewest && shape.stride() != 2 * size)
      return std::nullopt;
    const unsigned bits = layout_.getIndexTypeSizeInBits(pointer->getType());
    APInt offset(bits, 0);
    Access access{&instruction, pointer, type, size, pointer, {}, 0};
    while (auto *address = dyn_cast<GEPOperator>(access.base)) {
      if (!address->collectOffset(layout_, bits, access.multiples, offset))
        return std::nullopt;
      access.base = address->getPointerOperand();
    }
    access.offset = offset.getSExtValue();
    return access;
  }

  bool areNeighbours(const Access &a, const Access &b) const {
    if (a.base != b.base || a.type != b.type || std::abs(a.offset - b.offset) != a.size ||
        a.multiples.size() != b.multiples.size())
      return false;
    if (numbers_ && getLoadStoreAlignment((a.offset < b.offset ? a : b).instruction).value() < 2 * uint64_t(a.size))
      return false;
    return all_of(a.multiples, [&](const auto &one) {
      const auto other = b.multiples.find(one.first);
      return other != b.multiples.end() && other->second == one.second;
    });
  }

  /// Lanes in step all store the one word before any of them stores the other one. One scatter stores both lane by lane, so
  /// no lane may write what is the other word to another lane: pairs are the same or apart. Loads have no order.
  bool keepOrder(const Access &a, const Access &b) const {
    if (isa<LoadInst>(a.instruction) || shapeOf(a.pointer).isStrided() ||
        getLoadStoreAlignment((a.offset < b.offset ? a : b).instruction).value() >= 2 * uint64_t(a.size))
      return true;
    return shapes_.shapeOf(a.base).isUniform() &&
           all_of(a.multiples, [&](const auto &one) { return one.second.srem(2 * a.size) == 0; });
  }

  /// The lower address, made of that of `at`, which is known at its place, and how it is aligned.
  static std::pair<Value *, Align> begin(IRBuilder<> &b, const Access &at, const Access &other) {
    const bool isLower = at.offset < other.offset;
    Value *pointer =
        isLower ? at.pointer : b.CreateConstGEP1_64(b.getInt8Ty(), at.pointer, static_cast<uint64_t>(-at.size));
    return {pointer, getLoadStoreAlignment(isLower ? at.instruction : other.instruction)};
  }

  void joinLoads(const Access &first, const Access &second) {
    IRBuilder<> b(first.instruction);
    const auto [pointer, align] = begin(b, first, second);
    if (numbers_) {
      auto *both = keep(b.CreateAlignedLoad(twice(first.type), pointer, align), pointer, first);
      const unsigned bits = first.type->getIntegerBitWidth();
      Value *low = b.CreateTrunc(both, first.type), *high = b.CreateTrunc(b.CreateLShr(both, bits), first.type);
      first.instruction->replaceAllUsesWith(first.offset < second.offset ? low : high);
      second.instruction->replaceAllUsesWith(first.offset < second.offset ? high : low);
      return;
    }
    Value *both = b.CreateAlignedLoad(FixedVectorType::get(first.type, 2), pointer, align);
    const uint64_t place = first.offset < second.offset ? 0 : 1;
    first.instruction->replaceAllUsesWith(b.CreateExtractElement(both, place));
    second.instruction->replaceAllUsesWith(b.CreateExtractElement(both, 1 - place));
  }

  void joinStores(const Access &first, const Access &second) {
    IRBuilder<> b(second.instruction);
    const auto [pointer, align] = begin(b, second, first);
    if (numbers_) {
      const bool inOrder = first.offset < second.offset;
      auto wide = [&](const Access &one) {
        return b.CreateZExt(cast<StoreInst>(one.instruction)->getValueOperand(), twice(one.type));
      };
      Value *low = wide(inOrder ? first : second), *high = wide(inOrder ? second : first);
      Value *both = b.CreateOr(low, b.CreateShl(high, first.type->getIntegerBitWidth()));
      keep(b.CreateAlignedStore(both, pointer, align), pointer, second);
      return;
    }
    const uint64_t place = first.offset < second.offset ? 0 : 1;
    Value *both = PoisonValue::get(FixedVectorType::get(first.type, 2));
    both = b.CreateInsertElement(both, cast<StoreInst>(first.instruction)->getValueOperand(), place);
    both = b.CreateInsertElement(both, cast<StoreInst>(second.instruction)->getValueOperand(), 1 - place);
    b.CreateAlignedStore(both, pointer, align);
  }

  static Type *twice(Type *number) { return IntegerType::get(number->getContext(), 2 * number->getIntegerBitWidth()); }

  /// Remembers an access that was made of others. The analysis does not know its address if that is new; it has the shape of `like`'s.
  Instruction *keep(Instruction *access, Value *pointer, const Access &like) {
    made_.insert(access);
    if (pointer != like.pointer)
      places_[pointer] = shapeOf(like.pointer);
    return access;
  }

  Shape shapeOf(Value *pointer) const {
    const auto place = places_.find(pointer);
    return place != places_.end() ? place->second : shapes_.shapeOf(pointer);
  }

  BasicBlock &block_;
  const ShapeInfo &shapes_;
  const DataLayout &layout_;
  int64_t numbers_ = 0;                // integers of so many bytes are joined to larger ones; 0: elements to vectors
  SmallPtrSet<Instruction *, 8> made_; // larger ones
  SmallDenseMap<Value *, Shape, 4> places_; // of addresses that were made
  SmallVector<Access, 8> loads_, stores_;   // nothing since then keeps them from being joined
};

} // namespace

PreservedAnalyses CoalescePass::run(Function &body, FunctionAnalysisManager &analyses) {
  const ShapeInfo &shapes = analyses.getResult<ShapeAnalysis>(body);
  bool changed = false;
  for (BasicBlock &block : body)
    changed |= Joiner(block, shapes).run();
  return preservedControlFlow(changed);
}

} // namespace hiplz::cpu
