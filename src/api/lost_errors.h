// SPDX-License-Identifier: MIT
// Launches by `<<<>>>` that have failed, of which a program learns by hipGetLastError alone. One that never asks computes nothing
// and says nothing; so the process says it when it ends.
#pragma once
#include "api/api_scope.h"

#include <utility>

namespace hiplz {

/// Notes that the launch of a host function has failed, unless the fault of a kernel has been reported already. `sentence` says
/// why; it may be empty. Only the first of a thread's failures counts until somebody asks.
void noteFailedLaunch(const void *function, hipError_t error, const char *sentence) noexcept;

/// The calling thread is asked for its error: there is nothing to say about it.
void claimErrors() noexcept;

/// Calls `launch`, and if it belongs to a `<<<>>>` and fails, notes that.
template <class Launch> hipError_t notingFailure(const void *function, Launch launch) {
  if (!std::exchange(ownThreadState().inLaunch, false))
    return launch();
  try {
    const hipError_t error = launch();
    if (error != hipSuccess) [[unlikely]]
      noteFailedLaunch(function, error, "");
    return error;
  } catch (const HipError &error) {
    noteFailedLaunch(function, error.code(), error.what());
    throw;
  }
}

} // namespace hiplz
