// SPDX-License-Identifier: MIT
// Loads and stores by the shape of their address: one access for a uniform one, one vector for neighbouring elements, a
// reversed vector, a few vectors for elements a few places apart, and gather or scatter for everything else.
#pragma once
#include "cpu/vectorizer/warp/arithmetic.h"
#include "cpu/vectorizer/warp/lane_loops.h"
#include "cpu/vectorizer/warp/likely_strides.h"
#include "cpu/vectorizer/warp/row_access.h"

namespace hiplz::cpu {

class MemoryAccess : WarpPart {
public:
  MemoryAccess(WarpContext &context, LaneValues &values, LaneMasks &masks, ItemReads &items, LaneLoops &loops,
               Arithmetic &arithmetic)
      : WarpPart(context), values_(values), masks_(masks), items_(items), loops_(loops), arithmetic_(arithmetic),
        rows_(context, values), likely_(context, values) {}

  void emitLoad(const llvm::LoadInst &load);
  void emitStore(const llvm::StoreInst &store);
  llvm::Value *address(const LaneAddress &to, unsigned lane = 0); ///< a lane's, if it is strided

private:
  llvm::Value *addresses(const LaneAddress &to);
  llvm::Value *loadLanes(llvm::Type *type, const LaneAddress &from);
  void storeLanes(llvm::Value *value, const LaneAddress &to);
  struct Piece {
    unsigned begin; ///< elements from the first lane's one
    unsigned lane;  ///< the first lane whose element is in it
    unsigned lanes; ///< how many are
  };
  llvm::SmallVector<Piece, 4> piecesOf(unsigned places) const;
  unsigned placesApart(const LaneAddress &at, int64_t size) const;
  llvm::Value *pieceMask(const Piece &piece, unsigned places);
  llvm::Value *loadPlaces(llvm::Type *type, const LaneAddress &from, unsigned places);
  void storePlaces(llvm::Value *value, const LaneAddress &to, unsigned places);
  llvm::Value *gather(llvm::Type *type, llvm::Value *pointers, llvm::Align align);
  llvm::IntegerType *wordOfElements(llvm::FixedVectorType *type, const LaneAddress &at) const;
  llvm::Value *loadWords(llvm::FixedVectorType *type, llvm::IntegerType *word, const LaneAddress &from);
  void storeWords(llvm::Value *elements, llvm::FixedVectorType *type, llvm::IntegerType *word, const LaneAddress &to);
  llvm::Value *ofLastLane(const llvm::Value *value);
  llvm::Value *reversed(llvm::Value *lanes);

  LaneValues &values_;
  LaneMasks &masks_;
  ItemReads &items_;
  LaneLoops &loops_;
  Arithmetic &arithmetic_;
  RowAccess rows_;
  LikelyStrides likely_;
};

} // namespace hiplz::cpu
