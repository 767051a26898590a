// SPDX-License-Identifier: MIT
// How bodies of the CPU device's compiler answer the analysis of lanes in step (lanes/lanes_in_step.h): ids are fields of the WorkItem.
#pragma once
#include "cpu/vectorizer/called_functions.h"
#include "lanes/lanes_in_step.h"

#include <llvm/IR/Function.h>

namespace hiplz::cpu {

class BodyFacts final : public LaneFacts {
public:
  /// Of the kernel, or of one of the functions that it calls.
  BodyFacts(const llvm::Function &body, const CalledFunctions &called) : body_(body), called_(called) {}

  std::optional<LaneId> idOf(const llvm::Value &value) const override;
  bool isOfBlock(const llvm::Value &value) const override;
  bool isBlockSizeX(const llvm::Value &value) const override;
  bool isBarrier(const llvm::CallBase &call) const override;
  bool isLocalObject(const llvm::Value &object) const override;
  bool isPrivate(const llvm::Value &pointer) const override;
  Effects effectsOf(const llvm::CallBase &call) const override { return called_.effectsOf(call); }
  bool hasCommonArguments() const override { return called_.isKernel(body_); }
  unsigned idsElsewhere() const override;

private:
  const llvm::Function &body_;
  const CalledFunctions &called_;
};

/// The exchanges between lanes of a kernel's body, or of a function that it calls. Ids are read once from then on.
LaneExchanges exchangesIn(llvm::Function &body, const CalledFunctions &called, const WarpExtent &extent = {});
/// True if there is any, for warps within the extent.
bool hasExchanges(llvm::Function &body, const CalledFunctions &called, const WarpExtent &extent = {});

} // namespace hiplz::cpu
