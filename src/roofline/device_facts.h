// SPDX-License-Identifier: MIT
// Facts about a device from the driver and, for processors, from Linux: the yardsticks that measurements are put beside.
#pragma once
#include "roofline/result.h"

#include <string>

namespace hiplz::roofline {

/// Of the HIP device with this number. Throws DeviceError.
Facts readFacts(int device);

/// Theoretical Gop/s of an operation, or 0 where neither properties nor documents say; `formula` receives the calculation.
double theoretical(const Facts &facts, const std::string &operation, const std::string &type, std::string &formula);

} // namespace hiplz::roofline
