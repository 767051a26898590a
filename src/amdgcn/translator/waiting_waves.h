// SPDX-License-Identifier: MIT
// Loops in which a wave may wait for another one. A wave runs until it waits or ends, so such a loop has to let the others run. A loop may wait
// if it contains a coherent load, an invalidation of caches, an atomic exchange that returns the old value, or a read of local memory at one place: nothing
// marks volatile reads of local memory there, but the compiler takes others out of loops.
#pragma once
#include "amdgcn/translator/control_flow.h"

#include <map>
#include <set>

namespace hiplz::amdgcn {

/// The addresses of the branches with which such loops begin again.
std::set<uint64_t> findWaitingLoops(const std::map<uint64_t, Instruction> &code);

} // namespace hiplz::amdgcn
