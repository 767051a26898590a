// SPDX-License-Identifier: MIT
#include "lz/core/thread_state.h"

namespace hiplz {

constinit thread_local ThreadState threadState{};

ThreadState &ownThreadState() noexcept { return threadState; }

} // namespace hiplz
