// SPDX-License-Identifier: MIT
// The commands that a fill of rows or boxes takes. Level Zero fills consecutive bytes only.
#pragma once
#include "lz/memory/copy_region.h"

#include <algorithm>

namespace hiplz {

// Rows with gaps between them are filled by a command each if they are few or long. Otherwise one row is filled, and the
// rest is copied from what is there already, twice as much with each command: reading costs less than a command a row.
inline constexpr size_t kFewRows = 8, kLongRow = 64 << 10;

/// Calls fillRow(std::byte *first, size_t bytes) and copyPart(const CopyRegion &), which return a hipError_t, in an order
/// in which they make up the fill; returns the first error.
template <class FillRow, class CopyPart>
hipError_t forEachFillCommand(const FillRegion &region, FillRow fillRow, CopyPart copyPart) {
  // A fill joins rows like a copy onto itself.
  CopyRegion box;
  box.to = {static_cast<std::byte *>(region.to), region.pitch, region.rows};
  box.from = box.to;
  box.width = region.width * region.elementBytes;
  box.height = region.height;
  box.depth = region.depth;
  box = joinRows(box);
  if (box.height * box.depth <= kFewRows || box.width >= kLongRow) {
    for (size_t z = 0; z < box.depth; ++z)
      for (size_t y = 0; y < box.height; ++y)
        if (hipError_t error = fillRow(box.to.base + z * box.to.slicePitch() + y * box.to.pitch, box.width))
          return error;
    return hipSuccess;
  }
  if (hipError_t error = fillRow(box.to.base, box.width))
    return error;
  CopyRegion part = box;
  part.depth = 1;
  for (size_t rows = 1; rows < box.height; rows *= 2) {
    part.to.y = rows;
    part.height = std::min(rows, box.height - rows);
    if (hipError_t error = copyPart(part))
      return error;
  }
  part.to.y = 0;
  part.height = box.height;
  for (size_t slices = 1; slices < box.depth; slices *= 2) {
    part.to.z = slices;
    part.depth = std::min(slices, box.depth - slices);
    if (hipError_t error = copyPart(part))
      return error;
  }
  return hipSuccess;
}

} // namespace hiplz
