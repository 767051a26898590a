// SPDX-License-Identifier: MIT
// Waits for stores that order memory. On a GPU s_waitcnt_vscnt lets a wave read only when other work-groups see what it has stored; here that is
// a full fence, which takes as long as some thirty additions. Compilers write one around each barrier. Without a store to global memory since
// the last one it orders nothing: local memory is only seen by waves that the same thread executes.
#pragma once
#include "amdgcn/translator/control_flow.h"

namespace hiplz::amdgcn {

/// True for an instruction that waits for the wave's stores.
inline bool isWaitForStores(const Instruction &i) { return i.name == "s_waitcnt_vscnt"; }

/// The addresses of the waits before which the wave may have stored something that others see, and has not waited for. `omitted` tells of a wait
/// that becomes no fence for other reasons. The other parameters are those of followDeeds().
std::set<uint64_t> findStoreFences(const std::map<uint64_t, Instruction> &code, const std::set<uint64_t> &starts,
                                   const std::set<uint64_t> &entries,
                                   llvm::function_ref<bool(const Instruction &)> omitted);

} // namespace hiplz::amdgcn
