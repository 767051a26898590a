// SPDX-License-Identifier: MIT
// How far apart in a block two lanes of one warp may be. Blocks of 16 x 16 have two rows in a warp, so `tile[y][x]` and `tile[y + 16][x]`
// are never two lanes' doing there; in blocks of 2 x 32 they may be.
#pragma once
#include <array>
#include <cstdint>
#include <tuple>

namespace hiplz {

/// Of a warp of 32 lanes that are consecutive work-items of one block, x fastest.
struct WarpExtent {
  /// The most by which the ids of two lanes differ, in x, y and z. That in y holds for blocks of one layer; kernels that read
  /// threadIdx.z are taken to have several, unless that in z is 0.
  std::array<int64_t, 3> apart{31, 31, 31};
  int64_t mostX = INT32_MAX; ///< the largest x that a lane may have

  bool operator<(const WarpExtent &other) const { return std::tie(apart, mostX) < std::tie(other.apart, other.mostX); }
};

} // namespace hiplz
