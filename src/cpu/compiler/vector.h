// SPDX-License-Identifier: MIT
// The vector path. The vectoriser (src/cpu/vectorizer) makes the function of a warp out of a kernel's body; here is
// what goes around it: the choice of the width, and the loops over work-groups and warps.
#pragma once
#include "cpu/compiler/work_group.h"
#include "cpu/vectorizer/vectorizer.h"

namespace llvm {
class TargetMachine;
}

namespace hiplz::cpu {

/// Compiles a kernel for launches of one shape. Declines kernels that the vectoriser declines, with a line in the log that names kernel, source line and reason.
class VectorLowering final : public WorkGroupLowering {
public:
  /// `dump` gets the module after each pass of the vectoriser that changes it.
  VectorLowering(const llvm::TargetMachine &machine, GroupShape shape, ModuleDump &dump)
      : machine_(machine), shape_(shape), dump_(dump) {}
  bool lower(Kernel &kernel, const CompileOptions &options) override;

private:
  WarpOptions optionsFor(GroupShape shape, const KernelTraits &traits) const;

  const llvm::TargetMachine &machine_;
  const GroupShape shape_;
  ModuleDump &dump_;
};

} // namespace hiplz::cpu
