// SPDX-License-Identifier: MIT
// An access of addresses that follow a known pattern: neighbours in each row of lanes, pairs of words of which each lane has the second one in
// common with the next (compilers join the loads of a[i - 1] and a[i]), one address for each row, or constant steps. Scalars tell whether the pattern holds.
#pragma once
#include "amdgcn/translator/access_ways.h"
#include "amdgcn/translator/lane_patterns.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/Transforms/Utils/ValueMapper.h>

#include <map>
#include <memory>

namespace hiplz::amdgcn {

/// Offsets in local memory below it, and constants added to them, are small: their sums do not wrap.
constexpr uint64_t kMostOffset = 1 << 20;

class KnownAccess {
public:
  KnownAccess(llvm::CallInst &access, bool isStore, LanePatterns &patterns);

  /// False if it is not one. Computes in front of the call where the rows are, and the conditions. `mayStep`: any constant steps from lane to
  /// lane will do, for which much code is made.
  bool prepare(bool mayStep);
  bool isStepped() const { return kind_ == Kind::stepped; }
  bool isRow() const { return kind_ == Kind::neighbours; }
  bool isStore() const { return isStore_; }
  llvm::Value *addresses() const { return addresses_; }
  unsigned elementBits() const { return elements_->getScalarSizeInBits(); }
  /// The bytes from each lane of a row to the next, if they are the same for all lanes and more than neighbours have.
  std::optional<uint64_t> step() const;

  /// The conditions under which all lanes take part and the pattern holds: i1, or bits of lanes which all have to be set.
  llvm::ArrayRef<llvm::Value *> conditions() const { return conditions_; }
  llvm::Value *lanes() const { return bits_; }

  /// Fetches into the cache what waves that come later will nearly always load: their lanes go on where those of this one end. Returns whether
  /// that may be.
  bool fetchNextRows();

  /// The places of the rows where `copies` of code are.
  llvm::SmallVector<llvm::Value *, 4> mappedPlaces(const llvm::ValueToValueMapTy &copies) const;
  llvm::Value *storedBy(llvm::CallInst &call) const;

  /// Puts the access in the place of a copy of the call, in code that runs under these conditions alone.
  void makePlain(llvm::CallInst &copy, const llvm::ValueToValueMapTy &copies);

  /// True if it need not have all lanes: then makeMasked() does the same in code where activeRows() are true as well.
  bool allowsMask() const {
    return kind_ == Kind::neighbours || kind_ == Kind::overlapping || (isUniform() && !isStore_);
  }
  void makeMasked(llvm::CallInst &copy, const llvm::ValueToValueMapTy &copies);
  void activeRows(llvm::IRBuilder<> &b, llvm::SmallVectorImpl<llvm::Value *> &conditions) const;

  /// Puts a test of the conditions and the ways behind it in front of the call.
  void build();

  /// Computes the vectors of the addresses where the call is, so that the other way is without them. Returns the number of instructions.
  size_t moveAddressesToCall();

private:
  using Value = llvm::Value;
  enum class Kind { neighbours, overlapping, uniform, stepped };

  bool isUniform() const { return kind_ == Kind::uniform; }
  llvm::Instruction *localMemory() const;
  bool isLocal() const { return localMemory() != nullptr; }
  Value *placeOf(unsigned row);
  void collectLanes(Value *lanes);
  void accessNeighbours(AccessWays &ways);
  std::array<Value *, 2> loadWords(llvm::ArrayRef<Value *> places, Value *mask);
  Value *maskOf(Value *bits);
  static llvm::Value *mapped(llvm::Value *value, const llvm::ValueToValueMapTy &copies);
  Value *joined(const std::array<Value *, 2> &words);
  void loadOverlapping(AccessWays &ways);
  Value *storeLast();
  Value *goByLane(llvm::ArrayRef<Value *> places, Value *stored);
  Value *loadRows(llvm::ArrayRef<Value *> places, const Value &call);

  llvm::IRBuilder<> b_;
  llvm::CallInst &access_;
  LanePatterns &patterns_;
  Value *addresses_;
  const bool isStore_;
  llvm::FixedVectorType *elements_;
  Kind kind_ = Kind::neighbours;
  Value *bits_; // of the lanes that take part
  llvm::SmallVector<Value *, 8> conditions_;
  llvm::SmallVector<llvm::Value *, 2> bounded_; // offsets in local memory that conditions keep inside
  llvm::SmallVector<Value *, 4> places_;        // of the rows
};

using KnownAccesses = std::map<const llvm::CallInst *, std::unique_ptr<KnownAccess>>;

/// Builds all accesses. Pieces of code with several of them, one way on from the first to the last, are copied for waves in which all patterns hold and
/// all lanes take part: one test stands for all of theirs, and plain loads and stores follow each other.
void buildKnownAccesses(llvm::Function &wave, KnownAccesses &accesses);

} // namespace hiplz::amdgcn
