// SPDX-License-Identifier: MIT
// The lanes of a wave, for what knows vectors of them and nothing else of waves.
#pragma once

namespace hiplz::amdgcn {

constexpr unsigned kLanes = 32;
constexpr unsigned kLanesOfHalf = kLanes / 2; ///< work-groups of 16 in a row are frequent (lane_rows.h)

} // namespace hiplz::amdgcn
