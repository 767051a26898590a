// SPDX-License-Identifier: MIT
// The text of zeDriverGetLastErrorDescription: each thread has the one of its last call that failed.
#pragma once
#include <level_zero/ze_api.h>

namespace hiplz::driver {

/// Makes a failure the calling thread's last error and returns its code. `function` is the name of the API function, or of
/// its entry point in this driver; `reason` may be null.
ze_result_t noteError(const char *function, ze_result_t code, const char *reason) noexcept;

/// A sentence about the calling thread's last error; empty if there was none. Valid until the thread's next error.
const char *lastErrorText() noexcept;

} // namespace hiplz::driver
