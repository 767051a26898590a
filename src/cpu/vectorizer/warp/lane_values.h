// SPDX-License-Identifier: MIT
// The values of the body in the warp function: for each the scalar that stands for all lanes, the vector of all lanes, or both on demand.
#pragma once
#include "cpu/vectorizer/warp/warp_context.h"

namespace hiplz::cpu {

class LaneValues : WarpPart {
public:
  explicit LaneValues(WarpContext &context);

  Shape shapeOf(const llvm::Value *value) const;
  bool isVarying(const llvm::Value *value) const { return shapeOf(value).isVarying(); }

  /// The value of all lanes if it is uniform, of lane 0 if it is strided.
  llvm::Value *scalar(const llvm::Value *value);
  /// The values of all lanes. A vector made from a scalar is placed next to it, so that it serves all uses.
  llvm::Value *vector(const llvm::Value *value);
  /// The value of one lane. `lane` is an i32 of the warp function.
  llvm::Value *atLane(const llvm::Value *value, llvm::Value *lane);

  void set(const llvm::Value &value, llvm::Value *result); ///< the scalar or the vector, by the shape
  void setScalar(const llvm::Value &value, llvm::Value *result) { scalars_[&value] = result; }
  void setVector(const llvm::Value &value, llvm::Value *result) { vectors_[&value] = result; }
  llvm::Value *takeVector(const llvm::Value &value); ///< and forgets it; null if there is none

  /// Until endAssumption() the varying `value` has another shape, and `first` as its scalar unless that is null.
  void assume(const llvm::Value &value, Shape shape, llvm::Value *first);
  void endAssumption();
  bool isAssumed(const llvm::Value *value) const { return value == assumed_; }

  llvm::Value *spread(llvm::Value *value);                       ///< one value of the warp function for all lanes
  llvm::Constant *lanes(int64_t stride, llvm::Type *type) const; ///< 0, stride, 2 * stride ...
  /// `yes` in the lanes of the mask, `no` in the others; values of laneType(type).
  llvm::Value *choose(llvm::Value *mask, llvm::Value *yes, llvm::Value *no, llvm::Type *type);
  /// A value of laneType(type), made by asking `leaf` for the vectors of its scalar elements; `values` are of that form too.
  llvm::Value *mapLeaves(llvm::Type *type, llvm::ArrayRef<llvm::Value *> values,
                         llvm::function_ref<llvm::Value *(llvm::ArrayRef<llvm::Value *>)> leaf);

private:
  llvm::DenseMap<const llvm::Value *, llvm::Value *> scalars_, vectors_;
  const llvm::Value *assumed_ = nullptr;
  Shape assumedShape_;
};

} // namespace hiplz::cpu
