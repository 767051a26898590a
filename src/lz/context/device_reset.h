// SPDX-License-Identifier: MIT
// hipDeviceReset, which concerns everything that a device has.
#pragma once
#include "lz/core/error.h"

namespace hiplz {

class LZDevice;

/// Waits for the queues, forgets why a kernel gave up, frees the device's allocations, gives the variables of modules
/// their initial values, and resets the flags and the choice of a memory pool. Streams and events stay usable. Returns
/// the error that the wait met; a lost device stays lost, because Level Zero cannot revive it. Throws HipError.
hipError_t resetDevice(LZDevice &device);

} // namespace hiplz
