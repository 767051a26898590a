// SPDX-License-Identifier: MIT
// The memory that a copy or a fill accesses: rows and slices with gaps between them.
#pragma once
#include "cpu/check/stream_checks.h"

#include <cstddef>
#include <cstdint>

namespace hiplz::cpu::check {

inline uintptr_t endOf(const Region &region) {
  return reinterpret_cast<uintptr_t>(region.begin) + (region.slices - 1) * region.slicePitch +
         (region.rows - 1) * region.pitch + region.width;
}

/// True if it has a byte of the range.
inline bool touches(const Region &region, uintptr_t begin, uintptr_t end) {
  const auto from = reinterpret_cast<uintptr_t>(region.begin);
  if (end <= from || begin >= endOf(region) || !region.width)
    return false;
  if (region.rows == 1 && region.slices == 1)
    return true;
  for (size_t slice = 0; slice < region.slices; ++slice)
    for (size_t row = 0; row < region.rows; ++row)
      if (const uintptr_t at = from + slice * region.slicePitch + row * region.pitch;
          end > at && begin < at + region.width)
        return true;
  return false;
}

} // namespace hiplz::cpu::check
