// SPDX-License-Identifier: MIT
// From what Level Zero says about a device to what HIP programs ask for.
#pragma once
#include "lz/device/device.h"

namespace hiplz {

/// Every field of HIP's structure; what Level Zero does not report gets the value that promises least.
hipDeviceProp_tR0600 hipProperties(const LZDevice &device);

/// The same in the structure of HIP before 6.0.
hipDeviceProp_tR0000 olderProperties(const hipDeviceProp_tR0600 &prop);

/// One attribute. hipErrorInvalidValue for an attribute that does not exist.
hipError_t hipAttribute(const LZDevice &device, hipDeviceAttribute_t attribute, int &value);

} // namespace hiplz
