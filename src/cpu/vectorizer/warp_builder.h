// SPDX-License-Identifier: MIT
// Writes the warp function: goes over the structured body once, in an order in which definitions come before uses, and
// produces for every value the scalar that stands for all lanes, the vector of all lanes, or both on demand.
//
// Control flow. The blocks of the body become blocks of the warp function one to one (with loops over lanes inside some).
// Each has a mask: the lanes that are there. A divergent if jumps over what it guards when no lane wants to go there, and a
// divergent loop goes on while any lane does, so that **no block runs with an empty mask**. That is why uniform values can be
// computed by scalar code, loads and stores included, and why masked accesses never have an empty mask (which is slow on
// pages that are not present).
//
// The members are spread over several files by subject: values.cpp, control_flow.cpp, instructions.cpp, memory_access.cpp,
// wrapping_indices.cpp, lane_loop.cpp, calls.cpp, collectives.cpp, atomics.cpp.
#pragma once
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/IR/IRBuilder.h>

#include <functional>
#include <optional>

namespace hiplz::cpu {

class WarpBuilder {
public:
  /// `warp` is an empty function with the parameters of `body`, which is structured and analysed.
  WarpBuilder(llvm::Function &body, llvm::Function &warp, const ShapeInfo &shapes, const WarpOptions &options);

  /// Fills the warp function. False, with a sentence in `reason`, if something in the body has no vector form.
  bool build(std::string &reason);

private:
  using Values = llvm::SmallVector<llvm::Value *, 4>;

  // values.cpp
  llvm::Type *laneType(llvm::Type *type) const; ///< of the values of all lanes; vectors and structures by element
  llvm::Value *scalar(const llvm::Value *value);
  llvm::Value *vector(const llvm::Value *value);
  llvm::Value *spread(llvm::Value *value);
  llvm::Value *lanes(int64_t stride, llvm::Type *type) const; ///< 0, stride, 2 * stride ...
  llvm::Value *atLane(const llvm::Value *value, llvm::Value *lane);
  llvm::Value *mapLeaves(llvm::Type *type, llvm::ArrayRef<llvm::Value *> values,
                         llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> leaf);
  llvm::Value *choose(llvm::Value *mask, llvm::Value *yes, llvm::Value *no, llvm::Type *type);
  Shape shapeOf(const llvm::Value *value) const;
  bool isVarying(const llvm::Value *value) const { return shapeOf(value).isVarying(); }

  // Masks, control_flow.cpp. Null stands for all lanes.
  llvm::Value *maskVector(llvm::Value *mask) const;
  llvm::Value *maskBits(llvm::Value *mask); ///< an integer of `width` bits
  llvm::Value *inMask(llvm::Value *mask, llvm::Value *condition);
  llvm::Value *anyLane(llvm::Value *mask);
  llvm::Value *firstLane(llvm::Value *mask, llvm::Type *type);
  llvm::Value *lastLane(llvm::Value *mask);
  void createBlocks();
  llvm::Value *maskOf(const llvm::BasicBlock &block);
  void createPhis(const llvm::BasicBlock &block);
  void createTrackers(const llvm::Loop &loop);
  void emitTerminator(const llvm::BasicBlock &block);
  void completePhis();
  void completePhi(const llvm::PHINode &phi);

  // instructions.cpp
  void emit(const llvm::Instruction &instruction);
  void emitScalar(const llvm::Instruction &instruction);
  void emitVector(const llvm::Instruction &instruction);
  llvm::Value *vectorBinary(const llvm::BinaryOperator &operation);
  llvm::Constant *knownLowBits(const llvm::Value *value, unsigned bits, unsigned depth = 0) const;
  llvm::Value *vectorDivision(const llvm::BinaryOperator &operation);
  llvm::Value *vectorAddress(const llvm::GetElementPtrInst &address);
  llvm::Value *vectorSelect(const llvm::SelectInst &select);
  llvm::Value *interleaved(llvm::ArrayRef<llvm::Value *> elements);
  /// The reverse: of one long vector with `count` elements for each lane, a vector for each element.
  llvm::SmallVector<llvm::Value *, 16> separate(llvm::Value *all, unsigned count);
  llvm::Value *vectorBitCast(const llvm::Instruction &cast);
  llvm::Value *vectorElement(const llvm::Instruction &access);
  void emitAlloca(const llvm::AllocaInst &variable);

  // memory_access.cpp
  struct Address {
    const llvm::Value *pointer; ///< in the body
    int64_t offset;             ///< bytes from it
    llvm::Align align;
  };
  void emitLoad(const llvm::LoadInst &load);
  void emitStore(const llvm::StoreInst &store);
  bool emitItemRead(const llvm::LoadInst &load);
  llvm::Value *itemField(llvm::Type *type, uint64_t offset);
  llvm::Value *address(const Address &address, unsigned lane = 0);
  llvm::Value *addresses(const Address &address);
  llvm::Value *loadLanes(llvm::Type *type, const Address &from);
  void storeLanes(llvm::Value *value, const Address &to);
  struct Piece {
    unsigned begin; ///< elements from the first lane's one
    unsigned lane;  ///< the first lane whose element is in it
    unsigned lanes; ///< how many are
  };
  llvm::SmallVector<Piece, 4> piecesOf(unsigned places) const;
  unsigned placesApart(const Address &at, int64_t size) const;
  llvm::Value *pieceMask(const Piece &piece, unsigned places);
  llvm::Value *maskedLoad(llvm::Type *lanes, llvm::Value *address, llvm::Align align, llvm::Value *mask);
  void maskedStore(llvm::Value *value, llvm::Value *address, llvm::Align align, llvm::Value *mask);
  llvm::Value *loadPlaces(llvm::Type *type, const Address &from, unsigned places);
  void storePlaces(llvm::Value *value, const Address &to, unsigned places);
  llvm::Value *gather(llvm::Type *type, llvm::Value *pointers, llvm::Align align);
  llvm::IntegerType *wordOfElements(llvm::FixedVectorType *type, const Address &at) const;
  llvm::Value *loadWords(llvm::FixedVectorType *type, llvm::IntegerType *word, const Address &from);
  void storeWords(llvm::Value *elements, llvm::FixedVectorType *type, llvm::IntegerType *word, const Address &to);
  bool isPlainElement(llvm::Type *type) const; ///< as many bits in memory as in a vector
  llvm::Value *reversed(llvm::Value *vector);

  // wrapping_indices.cpp
  struct NoWrap {
    llvm::Value *holds; ///< when the code runs: the address is strided
    llvm::Value *first; ///< the first lane's address
    int64_t stride;     ///< bytes
  };
  /// Nothing if the varying address is not of this kind, or if knowing its stride would not help an access to `accessed`.
  std::optional<NoWrap> stridedUnlessWrapping(const llvm::Value *pointer, llvm::Type *accessed);
  /// Calls `emitAccess` twice: where `pointer` is strided, and where it is varying.
  void emitEitherWay(const llvm::Instruction &access, const llvm::Value *pointer, const NoWrap &condition,
                     llvm::function_ref<void()> emitAccess);

  // row_access.cpp
  bool liesInRows(const Address &at, int64_t size) const;
  llvm::Value *rowValue(const llvm::Value *value, unsigned row);
  llvm::Value *rowAddress(const Address &at, unsigned row);
  llvm::Value *rowMask(unsigned row);
  llvm::Value *loadRows(llvm::Type *type, const Address &from);
  void storeRows(llvm::Value *value, const Address &to);

  // lane_loop.cpp
  /// Runs `body` for every lane of the current mask, in ascending order; what it returns becomes vectors of `results`.
  Values forEachLane(llvm::ArrayRef<llvm::Type *> results, llvm::function_ref<Values(llvm::Value *lane)> body);
  /// Runs `body` for every lane, whatever the mask, in ascending order.
  void forAllLanes(llvm::function_ref<void(llvm::Value *lane)> body);
  llvm::Value *spill(llvm::Value *vector, llvm::Type *element);
  llvm::Value *spilled(llvm::Value *array, llvm::Value *lane, llvm::Type *element);
  llvm::Value *unspill(llvm::Value *array, llvm::Type *element);
  bool liesLikeVector(llvm::Type *stored) const;
  llvm::AllocaInst *laneArray(llvm::Type *element);
  void replicate(const llvm::Instruction &instruction);

  // calls.cpp
  llvm::Argument *itemArgument() const;
  void emitCall(const llvm::CallInst &call);
  bool emitIntrinsic(const llvm::CallInst &call);
  void prefetchLanes(const llvm::CallInst &call);
  llvm::Value *saturated(const llvm::CallInst &call, bool isSigned);
  llvm::Value *workItemOf(llvm::Value *lane);

  // collectives.cpp
  void emitCollective(const llvm::CallInst &call);
  llvm::Value *ballot(llvm::Value *values);
  llvm::Value *exchange(const llvm::CallInst &call, uint32_t code);
  llvm::Value *fold(const llvm::CallInst &call, uint32_t code);

  // atomics.cpp
  void emitAtomicUpdate(const llvm::AtomicRMWInst &update);
  void addInOrder(const llvm::AtomicRMWInst &update);
  void updateLocal(const llvm::AtomicRMWInst &update);
  bool isWorkGroupLocal(const llvm::Value *pointer) const;

  void decline(const llvm::Instruction &instruction, const llvm::Twine &why);
  void set(const llvm::Value &value, llvm::Value *result); ///< scalar or vector, by the shape

  llvm::Function &body_;
  llvm::Function &warp_;
  const ShapeInfo &shapes_;
  const llvm::DataLayout &layout_;
  const unsigned width_;
  const LaneLayout laneLayout_;
  const unsigned rowLanes_; // with LaneLayout::folded
  const bool rollsUpdates_;
  llvm::IRBuilder<> b_;
  llvm::BasicBlock *prologue_ = nullptr; // allocas and what is made of parameters
  llvm::Value *mask_ = nullptr;          // of the block that is being written
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars_, vectors_;
  llvm::DenseMap<std::pair<const llvm::Value *, unsigned>, llvm::Value *> rowValues_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::BasicBlock *> starts_, ends_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> masks_;
  llvm::DenseMap<const llvm::BasicBlock *, llvm::Value *> guardMasks_; // of guarded blocks
  llvm::DenseMap<const llvm::Loop *, llvm::PHINode *> loopMasks_;
  llvm::DenseMap<const llvm::PHINode *, llvm::PHINode *> trackers_; // of what leaves a divergent loop
  const llvm::Value *assumed_ = nullptr; // what has an assumed shape in the code that is being written
  Shape assumedShape_;
  unsigned assumptions_ = 0;
  std::string reason_;
};

} // namespace hiplz::cpu
