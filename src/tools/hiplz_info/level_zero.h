// SPDX-License-Identifier: MIT
// The answers of Level Zero drivers to every query about themselves and their devices, for hiplz-info --level-zero.
#pragma once
#include "tools/hiplz_info/report.h"

#include <vector>

namespace hiplz {

/// A section for each driver that the loader has open and for each of its devices. A query that fails is shown with its result.
std::vector<Section> levelZeroQueries();

} // namespace hiplz
