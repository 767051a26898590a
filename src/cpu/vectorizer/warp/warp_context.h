// SPDX-License-Identifier: MIT
// State that the parts of the warp builder share: the two functions, the insertion point and the current mask.
#pragma once
#include "cpu/vectorizer/shape_analysis.h"
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/IR/IRBuilder.h>

namespace hiplz::cpu {

struct WarpContext {
  /// `warp` is an empty function with the parameters of `body`, which is structured and analysed.
  WarpContext(llvm::Function &body, llvm::Function &warp, const ShapeInfo &shapes, const WarpOptions &options);

  /// The type of the values of all lanes. Of vectors and structures it has the elements, as arrays and structures of lanes.
  llvm::Type *laneType(llvm::Type *type) const;
  llvm::BasicBlock *newBlock(const llvm::Twine &name) const; ///< of the warp function, at its end
  /// Ends the work: there is no vector form. The first sentence is kept.
  void decline(const llvm::Twine &why);
  void decline(const llvm::Instruction &instruction, const llvm::Twine &why); ///< with its source line

  llvm::Function &body;
  llvm::Function &warp;
  const ShapeInfo &shapes;
  const WarpOptions options;
  const llvm::DataLayout &layout;
  llvm::IRBuilder<> builder;
  llvm::BasicBlock *prologue;  ///< of the warp function: variables, and what is made of parameters
  llvm::Value *mask = nullptr; ///< the lanes that are there in the block that is being written; null: all
  std::string reason;          ///< why there is no vector form; empty so far
};

/// The context's members under short names, for the classes that write a part of the warp function.
class WarpPart {
protected:
  explicit WarpPart(WarpContext &context)
      : context_(context), body_(context.body), warp_(context.warp), shapes_(context.shapes), options_(context.options),
        layout_(context.layout), width_(context.options.width), b_(context.builder), mask_(context.mask) {}

  llvm::Type *laneType(llvm::Type *type) const { return context_.laneType(type); }
  void decline(const llvm::Instruction &instruction, const llvm::Twine &why) { context_.decline(instruction, why); }

  WarpContext &context_;
  llvm::Function &body_;
  llvm::Function &warp_;
  const ShapeInfo &shapes_;
  const WarpOptions &options_;
  const llvm::DataLayout &layout_;
  const unsigned width_;
  llvm::IRBuilder<> &b_;
  llvm::Value *const &mask_; ///< changes from block to block
};

} // namespace hiplz::cpu
