// SPDX-License-Identifier: MIT
// Which shape every value of a body has when a warp executes it in step, and which of its branches send the lanes of a warp
// different ways. A plain fixed point over the instructions, from what lane ids are upwards. What divergent branches decide about is
// in divergence.h: where their ways meet, the phis choose by lane, and a value that leaves a loop with a divergent exit is varying,
// since each lane has its own last iteration. That holds for any control flow. Masks are known of structured code alone
// (control_structure.h).
#pragma once
#include "cpu/vectorizer/control_structure.h"
#include "cpu/vectorizer/divergence.h"
#include "cpu/vectorizer/shape.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/PassManager.h>

namespace hiplz::cpu {

class ShapeInfo {
public:
  /// Analyses `body`, whose control flow must stay as it is while the analysis is used.
  ShapeInfo(llvm::Function &body, const WarpOptions &options);

  /// The shape of an instruction, an argument or a constant.
  Shape shapeOf(const llvm::Value *value) const;
  /// True if the lanes that come to the end of `block` may go different ways.
  bool isDivergent(const llvm::BasicBlock &block) const;
  /// True if lanes leave `loop` in different rounds.
  bool isDivergent(const llvm::Loop &loop) const { return divergence_.isLeftApart(loop); }
  /// The first block that ends in a divergent branch which is not structured; null if there is none.
  const llvm::BasicBlock *unstructured() const;
  /// True if all lanes have a work-item that comes to the block: no divergent branch lies before it.
  bool isUnmasked(const llvm::BasicBlock &block) const { return !masked_.count(&block); }

  /// True if extending a regular value to a wider type keeps what its lanes are apart: none of them wraps.
  bool keepsDistance(const llvm::Value &value, bool isSigned) const;

  const ControlStructure &structure() const { return structure_; }

  void print(llvm::raw_ostream &out) const;

private:
  /// Computes shapes until none changes any more.
  void settle();
  Shape compute(const llvm::Instruction &instruction) const;
  Shape ofBinary(const llvm::BinaryOperator &operation) const;
  Shape ofCast(const llvm::CastInst &cast) const;
  Shape ofAddress(const llvm::GetElementPtrInst &address) const;
  Shape ofLoad(const llvm::LoadInst &load) const;
  Shape ofCompare(const llvm::ICmpInst &compare) const;
  Shape ofSelect(const llvm::SelectInst &select) const;
  Shape ofCall(const llvm::CallBase &call) const;
  Shape ofPhi(const llvm::PHINode &phi) const;
  Shape rowsOf(Shape shape) const;
  Shape rowsOfBinary(const llvm::BinaryOperator &operation, Shape a, Shape b) const;
  Shape rowsOfCast(const llvm::CastInst &cast, Shape shape) const;
  bool ascends(const llvm::Value &value) const;
  bool isAddition(const llvm::BinaryOperator &either) const;
  void findMasked();

  llvm::Function &body_;
  WarpOptions options_;
  ControlStructure structure_;
  LaneDivergence divergence_;
  llvm::DenseMap<const llvm::Value *, Shape> shapes_;
  llvm::SmallPtrSet<const llvm::BasicBlock *, 16> masked_;
};

/// The shapes of a body, for the options in its attributes (warpOptionsOf()), in the analysis manager.
class ShapeAnalysis : public llvm::AnalysisInfoMixin<ShapeAnalysis> {
public:
  using Result = ShapeInfo;
  static ShapeInfo run(llvm::Function &body, llvm::FunctionAnalysisManager &analyses);

private:
  friend llvm::AnalysisInfoMixin<ShapeAnalysis>;
  static llvm::AnalysisKey Key;
};

/// True if a call of `callee` with the same arguments gives the same result and does nothing else, so that one call serves
/// all lanes.
bool isPureCall(const llvm::CallBase &call);

} // namespace hiplz::cpu
