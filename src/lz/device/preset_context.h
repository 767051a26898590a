// SPDX-License-Identifier: MIT
// Level Zero contexts of the application that the runtime is to use instead of making its own.
#pragma once
#include "lz/core/ze_handle.h"

namespace hiplz {

/// Makes drivers opened later use this context. Returns false (and leaves the handle) once the runtime has been
/// initialised, unless it uses the context already. Thread-safe.
bool presetContext(ze_driver_handle_t driver, ze_context_handle_t context, bool owned);

/// The context that was preset for a driver; empty if none was. For LZDriver.
ZeContext takePresetContext(ze_driver_handle_t driver);

} // namespace hiplz
