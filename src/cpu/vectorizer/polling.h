// SPDX-License-Identifier: MIT
// Loops in which work-items wait for what others write. The compiler has put a call of hiplz_cpu_yield() into each
// (compiler/waiting_loops.h). Lanes in step cannot overtake each other: those that have left such a loop wait for those that have
// not, as on GPUs whose warps run in step. That is right where the one waited for belongs to another warp ("decoupled look-back"),
// and never ends where it is a lane of the same warp, which the scalar path can do. So a loop is vectorised if
// - it only looks: nothing in it writes. An exchange in a waiting loop is a lock, which one lane gets;
// - nothing is written in a branch that lanes take instead of coming to the loop (`if (producer) write(); else wait();`);
// - what its lanes write behind the loop is not where other lanes of the warp are seen to look: a ticket that is handed on, a chain
//   from one work-item to the next. Where that depends on data, the program is taken to be one that GPUs in step can execute.
// None of this concerns one lane that alone comes to the loop, and what the same lane writes.
#pragma once
#include "cpu/vectorizer/vectorizer.h"

#include <llvm/IR/Function.h>
#include <llvm/IR/Instructions.h>

namespace hiplz::cpu {

/// True if the function calls hiplz_cpu_yield().
bool hasPolls(llvm::Function &function);

/// True if the update leaves memory as it is: `atomicAdd(&flag, 0)`.
bool changesNothing(const llvm::AtomicRMWInst &update);

/// Makes atomic what programs wait with: loads of updates that change nothing (`atomicAdd(&flag, 0)`), and volatile accesses, which the
/// lanes of a vector would not be.
void makePollsAtomic(llvm::Function &body);

/// The instruction that may make lanes of a warp wait for each other, with a sentence in `reason`; null if nothing does. For a
/// canonical body (CanonicalizePass) that yields.
const llvm::Instruction *mayWaitForOwnWarp(llvm::Function &body, const WarpOptions &options, std::string &reason);

} // namespace hiplz::cpu
