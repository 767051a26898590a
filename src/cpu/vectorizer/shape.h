// SPDX-License-Identifier: MIT
// How the values that one instruction has in the lanes of a warp relate to each other: all the same, an arithmetic
// progression, or anything. This is the lattice of the shape analysis (shape_analysis.h).
#pragma once
#include <llvm/Support/raw_ostream.h>

#include <algorithm>
#include <bit>
#include <cstdint>

namespace hiplz::cpu {

/// The lattice: nothing known yet < uniform, strided < varying. A uniform value is the same in all *active* lanes. A strided
/// one is `first + lane * stride` in the modular arithmetic of its type (bytes for pointers), where `first` is what lane 0
/// would have, even if lane 0 is not active. `align` is the logarithm of a power of two that divides `first`.
///
/// Some varying values are known to be strided within each row of lanes (LaneLayout::folded), with any distance between
/// the rows: that holds for all lanes, active or not.
class Shape {
public:
  enum class Kind : uint8_t { unknown, uniform, strided, varying };

  Shape() = default;
  static Shape uniform(unsigned align = 0) { return {Kind::uniform, 0, align}; }
  static Shape varying() { return {Kind::varying, 0, 0}; }
  /// Uniform if the stride is 0.
  static Shape strided(int64_t stride, unsigned align = 0) {
    return {stride == 0 ? Kind::uniform : Kind::strided, stride, align};
  }

  /// `align` is that of the first lane of every row.
  static Shape inRows(int64_t stride, unsigned align = 0) {
    Shape shape{Kind::varying, stride, align};
    shape.inRows_ = true;
    return shape;
  }

  bool isUnknown() const { return kind_ == Kind::unknown; }
  bool isUniform() const { return kind_ == Kind::uniform; }
  bool isStrided() const { return kind_ == Kind::strided; }
  bool isVarying() const { return kind_ == Kind::varying; }
  /// Uniform or strided: one scalar describes all lanes.
  bool isRegular() const { return isUniform() || isStrided(); }
  /// Varying, but strided within each row, or even the same there.
  bool isInRows() const { return inRows_; }
  bool isSameInRows() const { return inRows_ && stride_ == 0; }
  int64_t stride() const { return stride_; }
  unsigned align() const { return align_; }

  /// The smallest power of two that is larger than all offsets of the lanes, as a logarithm, if `first` is a multiple of it,
  /// so that no lane carries into higher bits, and if these are within the low `typeBits`; else kNoLaneBits. Only for strides
  /// above 0. The width is that of the warp, or of a row.
  unsigned laneBits(unsigned width, unsigned typeBits) const {
    if (stride_ <= 0)
      return kNoLaneBits;
    auto bits = static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(stride_) * (width - 1)));
    return bits <= align_ && bits <= typeBits ? bits : kNoLaneBits;
  }
  static constexpr unsigned kNoLaneBits = 64;

  /// The shape that describes both.
  static Shape join(Shape a, Shape b) {
    if (a.isUnknown() || b == varying())
      return b;
    if (b.isUnknown() || a == varying())
      return a;
    if (a.stride_ != b.stride_)
      return varying();
    if (a.inRows_ || b.inRows_)
      return inRows(a.stride_, a.inRows_ && b.inRows_ ? std::min(a.align_, b.align_) : 0);
    return strided(a.stride_, std::min(a.align_, b.align_));
  }

  bool operator==(const Shape &) const = default;

  void print(llvm::raw_ostream &out) const {
    switch (kind_) {
    case Kind::unknown: out << "unknown"; break;
    case Kind::uniform: out << "uniform"; break;
    case Kind::strided: out << "strided(" << stride_ << ")"; break;
    case Kind::varying:
      out << "varying";
      if (inRows_)
        out << " rows(" << stride_ << ")";
      break;
    }
    if ((isRegular() || inRows_) && align_ > 0)
      out << " align(" << (uint64_t(1) << unsigned(align_)) << ")";
  }

private:
  Shape(Kind kind, int64_t stride, unsigned align)
      : kind_(kind), align_(static_cast<uint8_t>(std::min(align, 63u))), stride_(stride) {}

  Kind kind_ = Kind::unknown;
  uint8_t align_ = 0;
  bool inRows_ = false;
  int64_t stride_ = 0;
};

} // namespace hiplz::cpu
