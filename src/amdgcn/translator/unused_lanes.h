// SPDX-License-Identifier: MIT
// Instructions leave the lanes that EXEC excludes as they were, so each becomes a selection between the new value and the old one. Most
// code never reads the lanes that it has left out: then the selection goes, and with it the old value.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// Drops selections whose other lanes nobody reads. Registers must be values already (mem2reg). `live` is the mask with which the wave begins.
void dropUnusedLanes(llvm::Function &wave, llvm::Value &live);

} // namespace hiplz::amdgcn
