// SPDX-License-Identifier: MIT
// See interleaved_words.h. Words are sorted in steps: each takes the even ones from the odd ones. Loads stand where the first of them was, stores where
// the last was, with nothing in between that would notice.
#include "amdgcn/translator/interleaved_words.h"
#include "amdgcn/translator/access_calls.h"
#include "amdgcn/translator/address_sum.h"
#include "amdgcn/translator/number_halves.h"

#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/Analysis/VectorUtils.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/PatternMatch.h>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace hiplz::amdgcn {
namespace {

constexpr uint64_t kWordBytes = 4;
constexpr unsigned kLanesOfVector = 16;
constexpr uint64_t kMostWords = 16; ///< of a lane

/// The accesses of one piece of memory.
class Group {
public:
  Group(KnownAccess &access, uint64_t step) : first_(&access), sum_(access.addresses()), step_(step) {}

  bool takes(KnownAccess &access) const { // the same lanes have the same step
    const AddressSum sum(access.addresses());
    return access.isStore() == first_->isStore() && sum.scalar == sum_.scalar && sum.lanes == sum_.lanes;
  }

  void add(KnownAccess &access, CallInst &call, CallInst &copy) {
    parts_.push_back(
        {&access, &call, &copy, AddressSum(access.addresses()).constant, access.elementBits() / 8 / kWordBytes});
    begin_ = std::min(begin_, parts_.back().offset);
  }

  /// True if each word of a lane is accessed once.
  bool isWhole() const {
    uint64_t seen = 0;
    for (const Part &part : parts_) {
      const uint64_t at = static_cast<uint64_t>(part.offset - begin_);
      if (at % kWordBytes != 0 || at + part.words * kWordBytes > step_)
        return false;
      for (uint64_t word = at / kWordBytes; word < at / kWordBytes + part.words; ++word) {
        if (seen >> word & 1)
          return false;
        seen |= uint64_t{1} << word;
      }
    }
    return seen == (uint64_t{1} << words()) - 1;
  }

  /// True if nothing between the accesses would notice that they are made at once.
  bool isUndisturbed() const {
    SmallPtrSet<const Instruction *, 16> own;
    for (const Part &part : parts_)
      own.insert(part.copy);
    for (const Instruction *between = parts_.front().copy; between != parts_.back().copy;
         between = between->getNextNode()) {
      auto *call = dyn_cast<CallInst>(between);
      if (own.contains(between) || (call && call->getIntrinsicID() == Intrinsic::prefetch))
        continue;
      const bool writes = between->mayWriteToMemory() && !(call && isLoadOfLanes(*call));
      if (writes || (first_->isStore() && between->mayReadFromMemory()))
        return false;
    }
    return true;
  }

  void build(const ValueToValueMapTy &copies, SmallPtrSetImpl<CallInst *> &replaced) const {
    IRBuilder<> b(first_->isStore() ? parts_.back().copy : parts_.front().copy);
    SmallVector<Value *, 4> rows;
    for (Value *place : parts_.front().access->mappedPlaces(copies))
      rows.push_back(b.CreateConstGEP1_64(b.getInt8Ty(), place, static_cast<uint64_t>(begin_ - parts_[0].offset)));
    if (first_->isStore())
      store(b, rows);
    else
      load(b, rows);
    for (const Part &part : parts_) {
      replaced.insert(part.call);
      part.copy->eraseFromParent();
    }
  }

private:
  struct Part {
    KnownAccess *access;
    CallInst *call, *copy;
    int64_t offset;
    uint64_t words;
  };
  using Vectors = SmallVector<Value *, 32>;

  uint64_t words() const { return step_ / kWordBytes; }
  uint64_t wordOf(const Part &part) const { return static_cast<uint64_t>(part.offset - begin_) / kWordBytes; }

  static Value *shuffled(IRBuilder<> &b, Value *left, Value *right, function_ref<unsigned(unsigned)> from) {
    SmallVector<int, kLanesOfVector> mask;
    for (unsigned n = 0; n < kLanesOfVector; ++n)
      mask.push_back(static_cast<int>(from(n)));
    return b.CreateShuffleVector(left, right, mask);
  }

  /// The places of the vectors in memory, in the order of the lanes.
  Vectors places(IRBuilder<> &b, ArrayRef<Value *> rows) const {
    Vectors all;
    for (Value *row : rows)
      for (uint64_t at = 0; at < kLanes / rows.size() * step_; at += kLanesOfVector * kWordBytes)
        all.push_back(b.CreateConstGEP1_64(b.getInt8Ty(), row, at));
    return all;
  }

  void load(IRBuilder<> &b, ArrayRef<Value *> rows) const {
    auto *type = FixedVectorType::get(b.getInt32Ty(), kLanesOfVector);
    std::vector<Vectors> all(words());
    const Vectors from = places(b, rows);
    for (size_t begin = 0; begin < from.size();
         begin += words()) {          // half of the lanes: the processor has registers for their words
      std::vector<Vectors> sorted(1); // by the lower bits of the word's number
      for (Value *place : ArrayRef<Value *>(from).slice(begin, words()))
        sorted[0].push_back(b.CreateAlignedLoad(type, place, Align(1)));
      for (uint64_t count = 1; count < words(); count *= 2) {
        std::vector<Vectors> next(2 * count);
        for (uint64_t n = 0; n < count; ++n)
          for (size_t v = 0; v < sorted[n].size(); v += 2)
            for (const unsigned odd : {0u, 1u})
              next[n + odd * count].push_back(
                  shuffled(b, sorted[n][v], sorted[n][v + 1], [&](unsigned i) { return 2 * i + odd; }));
        sorted = std::move(next);
      }
      for (uint64_t word = 0; word < words(); ++word)
        all[word].push_back(sorted[word][0]);
    }
    for (const Part &part : parts_) {
      const uint64_t word = wordOf(part);
      Value *result = concatenateVectors(b, all[word]);
      if (part.words == 2) {
        Type *wide = part.copy->getType();
        Value *high = b.CreateZExt(concatenateVectors(b, all[word + 1]), wide);
        result = b.CreateOr(b.CreateZExt(result, wide), b.CreateShl(high, 8 * kWordBytes));
      }
      part.copy->replaceAllUsesWith(result);
    }
  }

  void store(IRBuilder<> &b, ArrayRef<Value *> rows) const {
    auto *type = FixedVectorType::get(b.getInt32Ty(), kLanes);
    Vectors lanes(words());
    for (const Part &part : parts_) {
      Value *stored = part.access->storedBy(*part.copy), *low = stored, *high = nullptr;
      auto *joint = dyn_cast<Instruction>(stored);
      if (part.words == 2 && !(joint && isJoined(*joint, low, high))) {
        low = b.CreateTrunc(stored, type);
        high = b.CreateTrunc(b.CreateLShr(stored, 8 * kWordBytes), type);
      }
      lanes[wordOf(part)] = low;
      if (part.words == 2)
        lanes[wordOf(part) + 1] = high;
    }
    const Vectors to = places(b, rows);
    for (size_t begin = 0; begin < to.size(); begin += words()) {
      std::vector<Vectors> sorted(words());
      for (uint64_t word = 0; word < words(); ++word)
        sorted[word].push_back(shuffled(b, lanes[word], lanes[word], [&](unsigned i) {
          return i + static_cast<unsigned>(begin / words()) * kLanesOfVector;
        }));
      for (uint64_t count = words() / 2; count > 0; count /= 2) {
        std::vector<Vectors> next(count);
        for (uint64_t n = 0; n < count; ++n)
          for (size_t v = 0; v < sorted[n].size(); ++v)
            for (const unsigned half : {0u, 1u})
              next[n].push_back(shuffled(b, sorted[n][v], sorted[n + count][v], [&](unsigned i) {
                return (i + half * kLanesOfVector) / 2 + i % 2 * kLanesOfVector;
              }));
        sorted = std::move(next);
      }
      for (size_t n = 0; n < words(); ++n)
        b.CreateAlignedStore(sorted[0][n], to[begin + n], Align(1));
    }
  }

  KnownAccess *first_;
  AddressSum sum_;
  uint64_t step_;
  int64_t begin_ = std::numeric_limits<int64_t>::max();
  SmallVector<Part, 16> parts_;
};

/// The bytes of a lane if they suit. Rows of numbers of 64 bits do if they are taken apart or have been put together.
std::optional<uint64_t> stepOf(const KnownAccess &access, CallInst &call) {
  const auto step = access.step();
  const unsigned bits = access.elementBits();
  if (access.isRow() && bits == 64) {
    auto *stored = access.isStore() ? dyn_cast<Instruction>(access.storedBy(call)) : nullptr;
    Value *low, *high;
    const bool areWords = access.isStore() ? stored && isJoined(*stored, low, high) : isUsedAsHalves(call);
    return areWords ? std::optional<uint64_t>(2 * kWordBytes) : std::nullopt;
  }
  if (!step || (bits != 32 && bits != 64) || !isPowerOf2_64(*step) || *step < 2 * kWordBytes ||
      *step > kMostWords * kWordBytes)
    return std::nullopt;
  return step;
}

} // namespace

SmallPtrSet<CallInst *, 16> joinInterleaved(ArrayRef<CallInst *> calls, KnownAccesses &known,
                                            const ValueToValueMapTy &copies) {
  std::vector<Group> groups;
  for (CallInst *call : calls) {
    KnownAccess &access = *known.at(call);
    const auto step = stepOf(access, *call);
    if (!step)
      continue;
    auto group = find_if(groups, [&](const Group &one) { return one.takes(access); });
    if (group == groups.end())
      group = groups.insert(groups.end(), Group(access, *step));
    group->add(access, *call, *cast<CallInst>(copies.lookup(call)));
  }
  SmallPtrSet<CallInst *, 16> replaced;
  for (const Group &group : groups)
    if (group.isWhole() && group.isUndisturbed())
      group.build(copies, replaced);
  return replaced;
}

} // namespace hiplz::amdgcn
