// SPDX-License-Identifier: MIT
// The functions that a kernel calls because they could not be inlined: those that call themselves, and those behind pointers. The
// analysis of lanes in step asks what they do to memory.
#pragma once
#include "lanes/lane_facts.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <vector>

namespace hiplz::cpu {

/// Marks functions whose loops wait for the host or for other threads alone, and not for work-items of the same thread.
constexpr const char *kAloneAttribute = "hiplz-alone";

/// Marks functions of the built-in library (compiler/builtin_library.h), those that only it calls too. They have no WorkItem.
constexpr const char *kOfBuiltinLibrary = "hiplz-builtin-library";

/// Marks the parameters of functions that are pointers to the caller's private variables in all calls. To be done while the module
/// still has all of its kernels: a function that is called through pointers is compiled once for all of them.
void markPrivateParameters(llvm::Module &module);
bool isPrivateParameter(const llvm::Value &value);

class CalledFunctions {
public:
  /// Of the functions that control may come to from the body.
  explicit CalledFunctions(llvm::Function &body);
  /// Of a module without kernels.
  explicit CalledFunctions(llvm::Module &shared);

  /// Without the body, and without functions that are alone or of the built-in library.
  const std::vector<llvm::Function *> &all() const { return functions_; }
  bool isKernel(const llvm::Function &function) const { return &function == kernel_; }
  /// Calls of the driver's functions do nothing.
  Effects effectsOf(const llvm::CallBase &call) const;
  /// The ids in their block, as a set, that the functions read.
  unsigned idsRead() const { return idsRead_; }

private:
  void add(llvm::Function &root);
  void findEffects();

  const llvm::Function *kernel_ = nullptr;
  std::vector<llvm::Function *> functions_;
  llvm::DenseMap<const llvm::Function *, Effects> effects_;
  Effects throughPointers_;
  unsigned idsRead_ = 0;
  bool callsPointers_ = false;
};

} // namespace hiplz::cpu
