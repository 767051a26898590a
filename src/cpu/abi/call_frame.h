// SPDX-License-Identifier: MIT
// Where a lane is in functions that it calls. Lanes meet at a place in a function only if the same calls have led there. Compiled code
// keeps this up to date, the fibers compare it.
#pragma once
#include <cstdint>

namespace hiplz::cpu {

/// A call in progress of a function that may wait for other lanes. It lies on the stack of the caller.
struct CallFrame {
  const CallFrame *caller; ///< the call of the function around it; null in the kernel itself
  uint64_t site;           ///< the call's place in its function, numbered together with the collective operations there
};

/// The beginning of what WorkItem::fiber points to.
struct FiberCalls {
  const CallFrame *innermost = nullptr; ///< null in the kernel itself
};

/// The value of a sync (abi/collective.h) that does not wait for lanes of the warp that wait in a loop.
constexpr uint64_t kStep = 1;

} // namespace hiplz::cpu
