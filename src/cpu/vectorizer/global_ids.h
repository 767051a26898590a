// SPDX-License-Identifier: MIT
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::cpu {

/// Makes one read (ItemField::globalX) of every blockIdx.x * blockDim.x + threadIdx.x in 32 bits. For layouts in which
/// that number ascends by one from lane to lane and the caller of the warp function sees to it that it does not wrap on
/// the way. Returns whether there was any.
bool readGlobalIds(llvm::Function &body);

} // namespace hiplz::cpu
