// SPDX-License-Identifier: MIT
// The runtime's side of base/check_mark.h.
#pragma once
#include "base/check_mark.h"
#include "lz/core/error.h"

namespace hiplz {

class LZDriver;

/// True if the checks of the driver look at memory (HIPLZ_CHECK). Thread-safe, like the other function.
bool checksMemory(const LZDriver &driver);

/// Tells those checks about memory, in the order of the list or, without one, at once. Without checks it does nothing.
ze_result_t markMemory(const LZDriver &driver, ze_command_list_handle_t list, const ZeCheckMark &mark);

} // namespace hiplz
