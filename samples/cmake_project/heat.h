// SPDX-License-Identifier: MIT
// Heat that spreads along a rod. The interface knows no HIP type, so that any compiler can use the library.
#pragma once
#include <vector>

/// Lets the heat of the rod spread for this many steps on the device. The ends keep their temperature. Returns false and
/// leaves the rod as it is if a HIP call fails.
bool spreadHeat(std::vector<float> &rod, unsigned steps, float conductivity);
