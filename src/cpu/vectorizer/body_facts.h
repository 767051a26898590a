// SPDX-License-Identifier: MIT
// What bodies of the CPU device's compiler say about lanes in step (lanes/lanes_in_step.h): ids are fields of the WorkItem.
#pragma once
#include "lanes/lanes_in_step.h"

#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Marks functions whose loops wait for the host or for other threads alone, and not for work-items of the same thread.
constexpr const char *kAloneAttribute = "hiplz-alone";

class BodyFacts final : public LaneFacts {
public:
  explicit BodyFacts(const llvm::Function &body) : body_(body) {}

  std::optional<LaneId> idOf(const llvm::Value &value) const override;
  bool isOfBlock(const llvm::Value &value) const override;
  bool isBlockSizeX(const llvm::Value &value) const override;
  bool isBarrier(const llvm::CallBase &call) const override;
  bool isLocalObject(const llvm::Value &object) const override;
  bool isPrivate(const llvm::Value &pointer) const override;
  bool isOpaque(const llvm::CallBase &call) const override;
  bool hasCommonArguments() const override { return true; }

private:
  const llvm::Function &body_;
};

/// The exchanges between lanes of a body. Ids are read once from then on.
LaneExchanges exchangesIn(llvm::Function &body, const WarpExtent &extent = {});

} // namespace hiplz::cpu
