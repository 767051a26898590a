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

  bool isUnknown() const { return kind_ == Kind::unknown; }
  bool isUniform() const { return kind_ == Kind::uniform; }
  bool isStrided() const { return kind_ == Kind::strided; }
  bool isVarying() const { return kind_ == Kind::varying; }
  /// Uniform or strided: one scalar describes all lanes.
  bool isRegular() const { return isUniform() || isStrided(); }
  int64_t stride() const { return stride_; }
  unsigned align() const { return align_; }

  /// The smallest power of two that is larger than all offsets of the lanes, as a logarithm, if `first` is a multiple of it,
  /// so that no lane carries into higher bits, and if these are within the low `typeBits`; else kNoLaneBits. Only for strides
  /// above 0.
  unsigned laneBits(unsigned width, unsigned typeBits) const {
    if (!isStrided() || stride_ <= 0)
      return kNoLaneBits;
    auto bits = static_cast<unsigned>(std::bit_width(static_cast<uint64_t>(stride_) * (width - 1)));
    return bits <= align_ && bits <= typeBits ? bits : kNoLaneBits;
  }
  static constexpr unsigned kNoLaneBits = 64;

  /// What describes both.
  static Shape join(Shape a, Shape b) {
    if (a.isUnknown() || b.isVarying())
      return b;
    if (b.isUnknown() || a.isVarying())
      return a;
    if (a.stride_ != b.stride_)
      return varying();
    return strided(a.stride_, std::min(a.align_, b.align_));
  }

  bool operator==(const Shape &) const = default;

  void print(llvm::raw_ostream &out) const {
    switch (kind_) {
    case Kind::unknown: out << "unknown"; break;
    case Kind::uniform: out << "uniform"; break;
    case Kind::strided: out << "strided(" << stride_ << ")"; break;
    case Kind::varying: out << "varying"; break;
    }
    if (isRegular() && align_ > 0)
      out << " align(" << (uint64_t(1) << unsigned(align_)) << ")";
  }

private:
  Shape(Kind kind, int64_t stride, unsigned align)
      : kind_(kind), align_(static_cast<uint8_t>(std::min(align, 63u))), stride_(stride) {}

  Kind kind_ = Kind::unknown;
  uint8_t align_ = 0;
  int64_t stride_ = 0;
};

} // namespace hiplz::cpu
