// SPDX-License-Identifier: MIT
// The devices of the process, for code below LZContext, which owns them.
#pragma once
#include "lz/core/runtime.h"

#include <span>

namespace hiplz {

class LZDevice;

/// All devices by their ordinals; the number never changes. Initialises the runtime. Throws HipError as LZContext::instance().
std::span<LZDevice *const> allDevices();

/// The same, without initialising: none if the runtime is not usable.
std::span<LZDevice *const> existingDevices() noexcept;

/// Waits for the work of all devices; nothing if there are none yet. A fault stays with its device.
void synchronizeDevices();

/// For LZContext, once, before the runtime is usable. What the span refers to is never destroyed.
void enterDevices(std::span<LZDevice *const> devices) noexcept;

} // namespace hiplz
