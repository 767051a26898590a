// SPDX-License-Identifier: MIT
// Where a wave lets the others of its work-group come as far. On a GPU the waves of a work-group run beside each other, so that at one place
// of the code all of them have read local memory before any overwrites it behind that place, and have written before any reads. Programs
// lean on it: rocSOLVER adds up counters of all threads and overwrites its own without a barrier between, and reduces the last 64 elements
// as if a wave had 64 lanes. Here a wave runs to the next barrier before the next one begins, so a wave that turns from reading local memory
// to writing, or back, lets the others do that first. So does one that stores in global memory after a load, which takes hundreds of cycles
// on a GPU: rocSOLVER scales a vector by the sign of one of its elements.
#pragma once
#include "amdgcn/translator/control_flow.h"

#include <map>
#include <set>

namespace hiplz::amdgcn {

/// The addresses of the instructions that write memory where the wave may have read some since the last barrier or turn, or that read local
/// memory where it may have written some. `starts`: of the blocks. `entries`: of those that jumps to addresses in registers may reach.
std::set<uint64_t> findTurns(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                             const std::set<uint64_t> &entries);

} // namespace hiplz::amdgcn
