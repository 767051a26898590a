// SPDX-License-Identifier: MIT
// All calls of the checks (cpu/check), those of abi/check_functions.h included.
#pragma once
#include "cpu/abi/check_functions.h"
#include "cpu/vectorizer/runtime_calls.h"

namespace hiplz::cpu {

/// An attribute of kernels in which checks have made numbers of addresses, to find what is known of the memory elsewhere: the numbers of a row
/// of lanes are as far apart as their addresses.
inline constexpr char kLooksAtRows[] = "hiplz-looks-at-rows";

/// A call that changes nothing that the program could notice.
inline bool isAnyCheck(const llvm::CallBase &call) {
  return isCheck(call) || callsRuntime(call, runtime::checkAllocated) || callsRuntime(call, runtime::checkSeen) ||
         callsRuntime(call, runtime::checkFence) || callsRuntime(call, runtime::checkMeeting) ||
         callsRuntime(call, runtime::checkGoesOn) || callsRuntime(call, runtime::checkMetSome) ||
         callsRuntime(call, runtime::checkUses) || callsRuntime(call, runtime::checkShared) ||
         callsRuntime(call, runtime::checkAllPassed) || callsRuntime(call, runtime::checkPrivateVariable) ||
         callsRuntime(call, runtime::checkPrivateEnd);
}

} // namespace hiplz::cpu
