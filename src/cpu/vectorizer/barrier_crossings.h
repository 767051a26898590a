// SPDX-License-Identifier: MIT
// The values that a warp function carries across its barriers. A function with barriers is a graph of regions: pieces of code without a
// barrier, one from the beginning and one from each barrier on; what is said of barriers here holds for turns, too. Values that are live where a region begins must be kept
// somewhere, or computed again.
#pragma once
#include <llvm/ADT/BitVector.h>
#include <llvm/ADT/MapVector.h>
#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

class BarrierCrossings {
public:
  /// Each barrier must be at the end of a block: separateBarriers(). The function stays as it is.
  explicit BarrierCrossings(llvm::Function &warp);

  /// The blocks that regions begin with; number 0 is the entry of the function.
  llvm::ArrayRef<llvm::BasicBlock *> entries() const { return entries_; }

  /// The number of the region that begins behind the barrier at the end of the block; 0 if there is no barrier.
  unsigned regionBehind(const llvm::BasicBlock *block) const { return behind_.lookup(block); }

  /// True if the block can run in the region.
  bool contains(unsigned region, const llvm::BasicBlock *block) const { return blocks_[region].count(block) != 0; }

  /// Blocks of all regions together; a block that belongs to several counts for each.
  size_t blockCount() const;

  /// The values that must be kept, and the regions at whose beginning each is live.
  const llvm::MapVector<llvm::Instruction *, llvm::BitVector> &kept() const { return kept_; }

  /// Values that are live at the beginning of a region but cost little to compute from the parameters, operands first.
  llvm::ArrayRef<llvm::Instruction *> recomputed() const { return recomputed_.getArrayRef(); }

  /// Private memory whose content must be kept, and the rest.
  llvm::ArrayRef<llvm::AllocaInst *> keptMemory() const { return keptMemory_; }
  llvm::ArrayRef<llvm::AllocaInst *> otherMemory() const { return otherMemory_; }

private:
  void findEntries();
  void findBlocks();
  void classifyMemory(llvm::AllocaInst &memory);
  bool recompute(llvm::Instruction &value);

  llvm::Function &warp_;
  llvm::SmallVector<llvm::BasicBlock *, 8> entries_;
  llvm::DenseMap<const llvm::BasicBlock *, unsigned> behind_;
  llvm::SmallVector<llvm::DenseSet<const llvm::BasicBlock *>, 8> blocks_;
  llvm::MapVector<llvm::Instruction *, llvm::BitVector> kept_;
  llvm::SetVector<llvm::Instruction *> recomputed_;
  llvm::SmallVector<llvm::AllocaInst *, 8> keptMemory_, otherMemory_;
};

/// True if the instruction waits for the work-group.
bool isWarpBarrier(const llvm::Instruction &instruction);

/// True if the instruction lets the other warps come as far, which machine code does (amdgcn/translator/wave_turns.h).
bool isWarpTurn(const llvm::Instruction &instruction);

/// True for both of them, at which regions end.
inline bool endsRegion(const llvm::Instruction &instruction) {
  return isWarpBarrier(instruction) || isWarpTurn(instruction);
}

/// Puts each barrier and each turn at the end of a block; the function means the same as before.
void separateBarriers(llvm::Function &warp);

} // namespace hiplz::cpu
