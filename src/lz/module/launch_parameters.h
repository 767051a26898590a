// SPDX-License-Identifier: MIT
// The parameters of a launch besides its kernel.
#pragma once
#include <cstddef>
#include <cstdint>

namespace hiplz {

/// The geometry of a launch, in HIP's terms: groups, and work-items of a group.
struct LaunchShape {
  uint32_t grid[3];
  uint32_t block[3];
  size_t sharedBytes;
  bool cooperative = false; ///< all groups run at the same time and may meet
  uint64_t gridState = 0;   ///< address of the GridState (module/grid.h) of a cooperative launch; 0: the stream's own
};

/// The arguments of a launch: an array of pointers to them, or one buffer in which each stands at its natural alignment.
struct LaunchArguments {
  void *const *pointers = nullptr;
  const std::byte *packed = nullptr;
  size_t packedBytes = 0;
};

} // namespace hiplz
