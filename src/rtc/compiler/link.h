// SPDX-License-Identifier: MIT
// The linker of hipRTC, in process.
#pragma once
#include "rtc/compiler_interface.h"

namespace hiplz::rtc {

/// Links bitcode with the device library and makes SPIR-V of it; several modules of SPIR-V are linked after that. Bitcode
/// may not use what only SPIR-V defines. Runs within runGuarded, with a PassLog.
void link(const LinkRequest &request, Result &result);

} // namespace hiplz::rtc
