// SPDX-License-Identifier: MIT
// Powers of two and logarithms of 32-bit numbers, for all lanes at once: the C library has them for one.
#pragma once
#include "amdgcn/translator/wave.h"

namespace hiplz::amdgcn {

/// The results are those of double arithmetic, rounded once: they differ from the nearest number in one of some thousand cases.
llvm::Value *powerOfTwo(Wave &wave, llvm::Value *exponent);
llvm::Value *logarithmOfTwo(Wave &wave, llvm::Value *number);

} // namespace hiplz::amdgcn
