// SPDX-License-Identifier: MIT
// The sizes of work-groups that code is specialised for. The driver knows the size of a launch, the compiler which shapes one piece of
// code serves; kernels are compiled when a size comes that no code is there for.
#pragma once
#include <cstdint>
#include <optional>

namespace hiplz::cpu {

/// Work-items of a work-group in each dimension; none is 0.
struct GroupSize {
  // Implicit: a size of one dimension is its x. NOLINTNEXTLINE(google-explicit-constructor)
  GroupSize(uint32_t x, uint32_t y = 1, uint32_t z = 1) : x(x), y(y), z(z) {}
  bool operator==(const GroupSize &) const = default;
  uint32_t operator[](unsigned dimension) const { return dimension == 0 ? x : dimension == 1 ? y : z; }
  uint32_t x, y, z;
};

/// The facts about the size of a work-group that can decide how its work-items lie in the lanes of warps.
enum class GroupShape : uint32_t {
  single,   ///< one work-item
  tinyLine, ///< one row of at most kMaxTinyItems
  tinyBox,  ///< several rows, at most kMaxTinyItems in all
  rows32,   ///< x is a multiple of 32
  rows16,   ///< several rows, x is an odd multiple of 16 above it
  rows8,    ///< the same with 8
  line16,   ///< one row, x is an odd multiple of 16
  line8,    ///< the same with 8
  line,     ///< one row of any other length
  row16,    ///< several rows of 16
  row8,     ///< several rows of 8
  row4,     ///< several rows of 4
  any,      ///< everything else
};
constexpr uint32_t kGroupShapes = 13;
constexpr uint32_t kMaxTinyItems = 8; // there may be room for several in a warp

/// A set of shapes: one bit each.
using GroupShapes = uint32_t;
constexpr GroupShapes kAllGroupShapes = (1u << kGroupShapes) - 1;
constexpr GroupShapes setOf(GroupShape shape) { return 1u << static_cast<uint32_t>(shape); }

inline GroupShape shapeOf(const GroupSize &size) {
  const bool isLine = size.y == 1 && size.z == 1;
  const uint32_t items = size.x * size.y * size.z;
  if (items == 1)
    return GroupShape::single;
  if (items <= kMaxTinyItems && size.x != kMaxTinyItems)
    return isLine ? GroupShape::tinyLine : GroupShape::tinyBox;
  if (size.x % 32 == 0)
    return GroupShape::rows32;
  if (size.x % 16 == 0)
    return isLine ? GroupShape::line16 : size.x == 16 ? GroupShape::row16 : GroupShape::rows16;
  if (size.x % 8 == 0)
    return isLine ? GroupShape::line8 : size.x == 8 ? GroupShape::row8 : GroupShape::rows8;
  return isLine ? GroupShape::line : size.x == 4 ? GroupShape::row4 : GroupShape::any;
}

/// The work-groups that code is made for: all of a shape, or those of one size.
struct GroupKind {
  // Implicit: all of a shape. NOLINTNEXTLINE(google-explicit-constructor)
  GroupKind(GroupShape shape) : shape(shape) {}
  explicit GroupKind(const GroupSize &size) : shape(shapeOf(size)), size(size) {}
  GroupShape shape;
  std::optional<GroupSize> size;
};

} // namespace hiplz::cpu
