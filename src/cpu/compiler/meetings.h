// SPDX-License-Identifier: MIT
// Warp functions with masks, and functions of tiles and coalesced groups, for synccheck (check/meetings.cpp) and initcheck. HIP's headers call
// an empty function in front of each of them, __hiplz_expect (include/hip/spirv/sync.h), which names the threads that have to come.
#pragma once
#include "cpu/compiler/kernel_table.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/Module.h>

namespace hiplz::cpu {

/// Takes all such calls away, and the function.
void forgetMeetings(llvm::Module &module);

/// The masks of the operations of warps that do not name all lanes, for racecheck. For modules whose built-in functions have been lowered.
llvm::DenseMap<const llvm::CallInst *, llvm::Value *> partialMasks(llvm::Module &module);

/// Makes each such call one of the driver's runtime, which learns which lanes of the warp come together. What lanes do where they go on
/// without having come tells it from lanes that have returned. For modules whose built-in functions have been lowered. Where it can be seen that
/// all lanes come and are named there is no call, and where the code can see it, none is made.
void checkMeetings(llvm::Module &module, const ModuleTable &table);

/// Inlines functions that only announce an operation of the warp and leave it to their callers: code that is not optimised. For modules whose
/// built-in functions have been lowered.
void inlineExpectations(llvm::Module &module);

/// Keeps the masks of shuffles for initcheck: what comes from a lane that is not in the mask is undefined. For modules whose built-in functions
/// have been lowered, before the calls are gone.
void keepShuffleMasks(llvm::Module &module);

/// The mask that has been kept for an operation of the warp, or null.
llvm::Value *shuffleMaskOf(const llvm::CallInst &shuffle);

/// Takes the masks away again.
void forgetShuffleMasks(llvm::Module &module);

} // namespace hiplz::cpu
