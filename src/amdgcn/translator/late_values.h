// SPDX-License-Identifier: MIT
// Values that are made where they are used. Compilers for GPUs load early, into hundreds of registers; here most of them would be put on the stack
// and loaded a second time. And what loops do not change stands in front of them, even if only calls need it that are hardly ever executed: vectors of
// addresses, which waves would keep across barriers.
#pragma once
#include <llvm/IR/Function.h>

namespace hiplz::amdgcn {

/// In blocks with many vectors, moves loads, and what only puts their words in order, down to the first use, unless something in between may write.
void loadLate(llvm::Function &wave);

/// Computes the addresses of calls that load and store (access_calls.h) beside these, from scalars and what must be kept in any case, and adds the
/// constants of other addresses where these are used.
void computeAddressesLate(llvm::Function &wave);

} // namespace hiplz::amdgcn
