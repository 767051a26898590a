// SPDX-License-Identifier: MIT
// The caches of the processors as Linux tells of them.
#pragma once
#include "roofline/result.h"

#include <string>
#include <vector>

namespace hiplz::roofline {

/// The data caches, by level, of the first processor that this process may use, and how many of each there are for all of them.
/// `root` is put before all paths. Empty if the system does not say.
std::vector<Level> systemCaches(const std::string &root = {});

} // namespace hiplz::roofline
