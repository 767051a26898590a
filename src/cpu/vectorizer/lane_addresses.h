// SPDX-License-Identifier: MIT
// Addresses as sums: what depends on the lane, what loops add, and what all lanes have in common. Two accesses with sums that differ by a
// number can be compared for all pairs of lanes.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <array>
#include <map>
#include <tuple>

namespace hiplz::cpu {

/// What is known of the bytes that two accesses touch in two different lanes of a warp.
enum class Overlap : uint8_t {
  never,
  unknown,   ///< they are a distance apart that is not known
  scattered, ///< nor is where each lane's are: that comes from memory or from bits of an id
  some
};

class LaneAddresses {
public:
  LaneAddresses(llvm::Function &body, llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops,
                const llvm::DominatorTree &tree);

  /// So many bytes at an address that an instruction touches.
  struct Range {
    const llvm::Instruction *at;
    const llvm::Value *pointer;
    uint64_t bytes;
  };

  /// `isRound` tells the headers of loops that control may come to between the two accesses: of these they may belong to two rounds.
  ///
  /// Indices are taken for numbers that do not wrap, and rows (`y * n + x`) for long enough not to overlap.
  Overlap overlap(const Range &first, const Range &second, llvm::function_ref<bool(const llvm::BasicBlock *)> isRound);

private:
  enum class Kind : uint8_t {
    lane,    // an id of the lane
    product, // a sum of ids times something that all lanes have in common
    varying, // anything else that lanes may have different values of
    uniform, // the same in all lanes
    counter, // rounds of a loop, with a constant step
    step,    // rounds of a loop, with another one
  };
  using Key = std::tuple<Kind, const void *, const void *>;
  struct Sum {
    std::map<Key, int64_t> terms;
    int64_t constant = 0;
  };

  // The ids of a work-item in its block. A body that does not read one has blocks that are one thick there.
  static constexpr unsigned kIds = 4, kLinear = 3; // x, y, z, and the linear id
  struct Interval {
    int64_t low, high;
  };
  using Intervals = std::array<Interval, kIds>;
  /// The parts of an address that differ between lanes of the warp.
  struct LaneParts {
    std::array<int64_t, kIds> bytes{}; // from one lane to the next, by id
    unsigned rows = 0;                 // set of ids that are multiplied by what is not known
    bool isMixed = false;              // an id is there more than once, or the linear id beside others

    bool has(unsigned id) const { return bytes[id] != 0 || (rows >> id & 1); }
  };

  void add(Sum &sum, const llvm::SCEV *expression, int64_t factor);
  void addTerm(Sum &sum, Key key, int64_t factor);
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
  static bool hasBlockSize(const llvm::SCEV *expression);

  llvm::Function &body_;
  llvm::ScalarEvolution &evolution_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &tree_;
  const llvm::Loop *scope_ = nullptr; // of the access whose address is taken apart
  unsigned idsRead_ = 1;              // set of ids that the body reads; x, if none
  std::map<std::pair<const llvm::Value *, const llvm::Loop *>, Sum> sums_;
  std::map<const llvm::BasicBlock *, Intervals> idsAt_;
  llvm::SmallVector<const llvm::Value *, 4> assumedUniform_; // while it is found out
};

} // namespace hiplz::cpu
