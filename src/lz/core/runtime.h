// SPDX-License-Identifier: MIT
// The beginning and the end of the runtime, for code below LZContext, which stands on top of all rooms and cannot be
// included there: no driver may be called before the one or after the other.
#pragma once
#include <atomic>

namespace hiplz {

/// Set by LZContext alone.
inline constinit std::atomic<bool> runtimeReady{false};

/// True if drivers may be called: false before the first HIP call that needs a device, in a child of fork() whose parent
/// had initialised the runtime, and once the process runs its exit handlers. One acquire load.
inline bool runtimeUsable() noexcept { return runtimeReady.load(std::memory_order_acquire); }

/// The end of LZContext::instance() when the runtime is not usable. The one function here that is defined on top
/// (context/context.cpp).
void startRuntime();

/// Initialises the runtime if that has not happened yet. Throws HipError as LZContext::instance() does.
inline void requireRuntime() {
  if (!runtimeUsable()) [[unlikely]]
    startRuntime();
}

} // namespace hiplz
