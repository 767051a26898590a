// SPDX-License-Identifier: MIT
// Addresses as sums: what depends on the lane, what loops add, and what all lanes have in common. Two accesses with sums that differ by a
// number can be compared for all pairs of lanes.
#pragma once
#include "lanes/lane_facts.h"
#include "lanes/warp_extent.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <map>
#include <set>
#include <tuple>

namespace hiplz {

/// Facts about the bytes that two accesses touch in two different lanes of a warp.
enum class Overlap : uint8_t {
  never,
  unknown,   ///< they are a distance apart that is not known
  scattered, ///< nor is where each lane's are: that comes from memory or from bits of an id
  some
};

class LaneAddresses {
public:
  LaneAddresses(llvm::Function &body, const LaneFacts &facts, const WarpExtent &extent,
                llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops, const llvm::DominatorTree &tree);

  /// So many bytes at an address that an instruction touches.
  struct Range {
    const llvm::Instruction *at;
    const llvm::Value *pointer;
    uint64_t bytes;
  };

  /// `isRound` tells the headers of loops that control may come to between the two accesses: of these they may belong to two rounds.
  ///
  /// Indices are taken for numbers that do not wrap, those that are divided for no less than 0, and rows (`y * n + x`) for long enough
  /// not to overlap.
  Overlap overlap(const Range &first, const Range &second, llvm::function_ref<bool(const llvm::BasicBlock *)> isRound);

private:
  enum class Kind : uint8_t {
    lane,     // an id of the lane
    product,  // a sum of ids times something that all lanes have in common
    quotient, // a sum of ids divided by a number
    varying,  // anything else that lanes may have different values of
    uniform,  // the same in all lanes
    counter,  // rounds of a loop, with a constant step
    step,     // rounds of a loop, with another one
  };
  using Key = std::tuple<Kind, const void *, const void *>;
  struct Sum {
    std::map<Key, int64_t> terms;
    int64_t constant = 0;
  };

  // The ids of a work-item in its block. A body that does not read one has blocks that are one thick there.
  static constexpr unsigned kIds = 4, kLinear = kLinearId; // x, y, z, and the linear id
  struct Interval {
    int64_t low, high;
  };
  /// (ids times factors + constant) / divisor, rounded down. The constant is less than the divisor.
  struct Quotient {
    std::array<int64_t, kIds> factors{};
    int64_t constant = 0, divisor = 1;

    bool operator<(const Quotient &other) const {
      return std::tie(factors, constant, divisor) < std::tie(other.factors, other.constant, other.divisor);
    }
  };
  using Intervals = std::array<Interval, kIds>;
  /// The parts of an address that differ between lanes of the warp.
  struct LaneParts {
    std::array<int64_t, kIds> bytes{}; // from one lane to the next, by id
    unsigned rows = 0;                 // set of ids that are multiplied by what is not known
    bool isMixed = false;              // an id is there more than once, or the linear id beside others
    llvm::SmallVector<std::pair<const Quotient *, int64_t>, 2> quotients; // and their factors
    unsigned divided = 0;                                                 // set of ids in quotients

    bool has(unsigned id) const { return bytes[id] != 0 || ((rows | divided) >> id & 1); }
  };

  static const void *laneKey(const LaneId &id) {
    return reinterpret_cast<const void *>(uintptr_t(id.isGlobal) * kIds + id.id + 1);
  }
  static unsigned idOfKey(const void *key) { return (reinterpret_cast<uintptr_t>(key) - 1) % kIds; }

  // lane_sums.cpp
  void add(Sum &sum, const llvm::SCEV *expression, int64_t factor);
  static void addTerm(Sum &sum, Key key, int64_t factor);
  bool addQuotient(Sum &sum, const llvm::SCEV *dividend, int64_t divisor, int64_t factor, bool mayBeNegative);
  bool addDivision(Sum &sum, const llvm::SCEV *expression, int64_t factor);
  bool addMerged(Sum &sum, const llvm::PHINode &phi, int64_t factor);
  const Sum &sumOf(const llvm::Value *value, const llvm::BasicBlock *block);
  Kind kindOf(const llvm::SCEV *expression);
  bool isLaneSum(const llvm::SCEV *expression);
  bool isUniform(const llvm::Value *value, unsigned depth = 0);

  bool changes(const llvm::SCEV *expression, llvm::function_ref<bool(const llvm::BasicBlock *)> isRound) const;
  unsigned idsIn(const llvm::SCEV *expression) const;
  LaneParts lanePartsOf(const Sum &sum) const;
  bool anyLimit(const llvm::BasicBlock *block, unsigned id,
                llvm::function_ref<bool(const Sum &low, const Sum &limit)> suits);
  Intervals idsAt(const llvm::BasicBlock *block);
  Intervals apartIn(const llvm::BasicBlock *first, const llvm::BasicBlock *second);
  bool hasBlockSize(const llvm::SCEV *expression) const;

  const LaneFacts &facts_;
  llvm::ScalarEvolution &evolution_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &tree_;
  WarpExtent extent_;
  const llvm::Loop *scope_ = nullptr; // of the access whose address is taken apart
  unsigned idsRead_ = 1;              // set of ids that the body reads; x, if none
  std::map<std::pair<const llvm::Value *, const llvm::Loop *>, Sum> sums_;
  std::map<const llvm::BasicBlock *, Intervals> idsAt_;
  std::set<Quotient> quotients_;
  unsigned merges_ = 0;                                      // that are being added
  llvm::SmallVector<const llvm::Value *, 4> assumedUniform_; // while it is found out
};

} // namespace hiplz
