// SPDX-License-Identifier: MIT
// The one form in which the runtime describes copies and fills of rows and boxes, whatever function asked for them. It
// keeps the arrays and offsets that the application named, because graphs hand them back.
#pragma once
#include "lz/core/error.h"
#include "lz/memory/memory.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace hiplz {

class LZArray;

/// One end of a copy: a corner of a box in memory or in an array.
struct CopyEnd {
  std::byte *base = nullptr;      ///< of the memory, or of the array's
  size_t pitch = 0;               ///< bytes from one row to the next
  size_t rows = 0;                ///< rows from one slice to the next; 0: unknown, there is one slice
  size_t x = 0, y = 0, z = 0;     ///< where the box begins; x in bytes
  const LZArray *array = nullptr; ///< non-owning; what base belongs to, if the application named an array
  size_t xSize = 0;               ///< what the application said of it, in a hipPitchedPtr; means nothing to a copy

  bool operator==(const CopyEnd &) const = default;
  size_t slicePitch() const { return pitch * rows; }
  std::byte *first() const { return base + z * slicePitch() + y * pitch + x; }
};

/// A copy of depth slices of height rows of width bytes. A plain value, valid as long as the memory and the arrays are.
struct CopyRegion {
  CopyEnd to, from;
  size_t width = 0, height = 1, depth = 1;
  hipMemcpyKind kind = hipMemcpyDefault;

  bool operator==(const CopyRegion &) const = default;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// The entries of the table of allocations for both ends, which a copy asks once: where they begin; nothing for memory that is
/// not HIP's. Valid as long as the memory is.
struct CopyMemory {
  std::optional<Allocation> to, from;
};

/// A fill of depth slices of height rows of width elements. A plain value.
struct FillRegion {
  void *to = nullptr;
  size_t pitch = 0;          ///< bytes from one row to the next; unused if height and depth are 1
  size_t rows = 0;           ///< rows from one slice to the next; unused if depth is 1
  uint32_t value = 0;        ///< of an element, in its low bits
  uint32_t elementBytes = 1; ///< 1, 2 or 4
  size_t width = 0, height = 1, depth = 1;

  bool operator==(const FillRegion &) const = default;
  bool empty() const { return width == 0 || height == 0 || depth == 0; }
};

/// An end whose rows and slices follow each other without a gap.
CopyEnd packedEnd(void *memory, size_t width, size_t height);
/// A copy of consecutive bytes.
CopyRegion linearRegion(void *to, const void *from, size_t bytes, hipMemcpyKind kind);
/// A copy of rows between pitched memory.
CopyRegion rowsRegion(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width, size_t height,
                      hipMemcpyKind kind);

/// Makes an end of a copy of an array, at an offset in bytes and rows; hipErrorInvalidHandle if it does not exist.
hipError_t arrayEnd(CopyEnd &end, hipArray_const_t array, size_t x, size_t y, size_t z = 0);

/// The same copy with as few and as long rows as possible: one row if the bytes of both ends are consecutive.
CopyRegion joinRows(const CopyRegion &region);
/// The same copy by the host. No array of the region may be in memory that the host does not reach.
void copyOnHost(const CopyRegion &region);

/// Cuts a region into parts of no more than a number of bytes (at least 1): whole slices if they fit, else whole rows,
/// else pieces of rows. The region must outlive it.
class RegionParts {
public:
  RegionParts(const CopyRegion &region, size_t bytes);

  /// The next part; false if there is none. The region must not be empty.
  bool next(CopyRegion &part);

private:
  const CopyRegion &region_;
  size_t width_, height_, depth_;
  size_t x_ = 0, y_ = 0, z_ = 0;
};

/// A fill of consecutive elements.
FillRegion linearFill(void *to, uint32_t value, size_t elementBytes, size_t elements);

/// From the application's descriptions. They return hipErrorInvalidValue if a description names no memory, or two, or
/// arrays of different elements, and hipErrorInvalidHandle for an array that does not exist. Whether the box fits is
/// for checkCopy to say. A pitch or height of 0 in a description of the driver API means that rows or slices follow
/// each other without a gap.
hipError_t makeRegion(CopyRegion &region, const hipMemcpy3DParms &parameters);
hipError_t makeRegion(CopyRegion &region, const HIP_MEMCPY3D &description);
hipError_t makeRegion(CopyRegion &region, const hip_Memcpy2D &description);

/// Back again. What makeRegion got and a copy does not need (the level of detail) is 0.
hipMemcpy3DParms toParameters(const CopyRegion &region);
HIP_MEMCPY3D toDescription(const CopyRegion &region);

/// The table's entries for a copy or a fill that need not be checked.
CopyMemory memoryOf(const CopyRegion &region);
std::optional<Allocation> memoryOf(const FillRegion &region);

/// True if HIP allows the copy: the direction is one (hipErrorInvalidMemcpyDirection) and agrees with what the pointers
/// are, rows are no longer than the pitches (hipErrorInvalidPitchValue), boxes lie in their arrays and allocations
/// (hipErrorInvalidValue). An empty copy is allowed whatever it names. `memory` receives memoryOf(region) of a copy
/// that is allowed and not empty. Throws HipError (hipErrorNoDevice).
hipError_t checkCopy(const CopyRegion &region, CopyMemory &memory);

/// Likewise for a fill: element size, alignment, pitches, and the allocation that it must lie in.
hipError_t checkFill(const FillRegion &region, std::optional<Allocation> &memory);

} // namespace hiplz
