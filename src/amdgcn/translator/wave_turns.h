// SPDX-License-Identifier: MIT
// Where a wave lets the others of its work-group go first. On a GPU the waves of a work-group run beside each other, so that one that reads
// local memory has done so before another one, at the same place of the code, overwrites it. Programs lean on it: rocSOLVER adds up counters
// of all threads and overwrites its own without a barrier between. Here a wave runs to the next barrier before the next one begins, so
// a wave that has read local memory lets the others read theirs before it writes there.
#pragma once
#include "amdgcn/translator/control_flow.h"

#include <map>
#include <set>

namespace hiplz::amdgcn {

/// The addresses of the instructions that write local memory where the wave may have read some since the last barrier or turn. `starts`:
/// of the blocks. `entries`: of those that jumps to addresses in registers may reach.
std::set<uint64_t> findTurns(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                             const std::set<uint64_t> &entries);

} // namespace hiplz::amdgcn
