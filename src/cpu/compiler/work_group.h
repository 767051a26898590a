// SPDX-License-Identifier: MIT
// The interface between the front of the compiler and its two paths: how a kernel becomes a function that executes
// work-groups (KernelFunction).
#pragma once
#include "cpu/compiler/kernel_table.h"
#include "cpu/compiler/options.h"

namespace hiplz::cpu {

/// One of the compiler's two paths. It gets a kernel whose callees are inlined as far as possible, with the WorkItem as
/// first parameter and built-in functions lowered, and adds the function kernelSymbol(name) to the module.
class WorkGroupLowering {
public:
  virtual ~WorkGroupLowering() = default;

  /// Returns false, with the module unchanged, if this path does not handle the kernel. Fills `code` of the
  /// kernel.
  virtual bool lower(Kernel &kernel, const CompileOptions &options) = 0;
};

/// Handles every kernel: a loop over the work-items, or fibers.
class ScalarLowering final : public WorkGroupLowering {
public:
  bool lower(Kernel &kernel, const CompileOptions &options) override;
};

} // namespace hiplz::cpu
