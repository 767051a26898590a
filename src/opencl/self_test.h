// SPDX-License-Identifier: MIT
// The abilities that a device of OpenCL really has. Its own answers are not enough: implementations list what they compute wrongly, or cannot compile.
#pragma once
#include <string>

namespace hiplz::opencl {

class Device;

struct Abilities {
  bool doubles = false, halfs = false;
  bool atomics64 = false;
  bool subgroups = false;       ///< of 32 work-items, with shuffles and ballots, in groups of one dimension
  bool shapedSubgroups = false; ///< ... and in groups of more dimensions
  bool divergence = false;      ///< ... under branches that some work-items do not take
  bool votes = false;           ///< non-uniform votes in these sub-groups
  bool variables = false;       ///< programs may have variables, which the host finds
  bool startsUnflushed = false; ///< launches begin without clFlush

  /// The names of those that are there, with blanks between.
  std::string text() const;
  static Abilities fromText(const std::string &text);
};

/// Builds and runs a small kernel for each ability, unless an earlier process has done it for the same version of the implementation and
/// its result is in the disk cache. Takes seconds with some implementations. With HIPLZ_OPENCL_SELF_TEST=0, what the device lists.
Abilities testedAbilities(const Device &device);

} // namespace hiplz::opencl
