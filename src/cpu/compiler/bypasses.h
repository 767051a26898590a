// SPDX-License-Identifier: MIT
// Barriers, for synccheck: what tells them apart, and whether work-items may go past them.
#pragma once
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// A barrier of the work-group, or another operation that all its work-items have to come to.
bool isGroupBarrier(const llvm::CallBase &call);

/// Inlines functions in which work-items come to a barrier, so that two calls of one function are two barriers. Before address spaces are
/// flattened: from then on the inliner would fold the addresses of shared variables, whose names and sizes are needed.
void inlineBarriers(llvm::Module &module);

/// The effects of work-items that go past the barrier, which is in a kernel: the first instruction with an effect behind a branch whose
/// condition may differ between them and that leads past the barrier, or past its next round. Null if nothing is left to them but to return.
const llvm::Instruction *effectPast(const llvm::CallInst &barrier);

} // namespace hiplz::cpu
