// SPDX-License-Identifier: MIT
// Addresses as sums: what depends on the lane, what loops add, and what all lanes have in common. Two accesses with sums that differ by a
// number can be compared for all pairs of lanes.
#pragma once
#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/Analysis/ScalarEvolution.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>

#include <map>
#include <tuple>

namespace hiplz::cpu {

/// What is known of the bytes that two accesses touch in two different lanes of a warp.
enum class Overlap : uint8_t { never, unknown, some };

class LaneAddresses {
public:
  LaneAddresses(llvm::Function &body, llvm::ScalarEvolution &evolution, const llvm::LoopInfo &loops,
                const llvm::DominatorTree &tree)
      : body_(body), evolution_(evolution), loops_(loops), tree_(tree) {}

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

  void add(Sum &sum, const llvm::SCEV *expression, int64_t factor);
  void addTerm(Sum &sum, Key key, int64_t factor);
  const Sum &sumOf(const llvm::Value *pointer);
  Kind kindOf(const llvm::SCEV *expression);
  bool isLaneSum(const llvm::SCEV *expression);
  bool isUniform(const llvm::Value *value, unsigned depth = 0);
  bool changes(const llvm::SCEV *expression, llvm::function_ref<bool(const llvm::BasicBlock *)> isRound) const;
  bool isBelow(const llvm::BasicBlock *block, llvm::function_ref<bool(const Sum &limit)> suits);
  static bool hasBlockSize(const llvm::SCEV *expression);

  llvm::Function &body_;
  llvm::ScalarEvolution &evolution_;
  const llvm::LoopInfo &loops_;
  const llvm::DominatorTree &tree_;
  std::map<const llvm::Value *, Sum> sums_;
  llvm::SmallVector<const llvm::Value *, 4> assumedUniform_; // while it is found out
};

} // namespace hiplz::cpu
