// SPDX-License-Identifier: MIT
// Rooflines: the roofs of a device, and what lies under them, be it the device's own measurements or the kernels of a program.
#pragma once
#include "roofline/result.h"

#include <span>
#include <string>

namespace hiplz::roofline {

/// Something that does so many operations for each byte, and so many a second.
struct RoofDot {
  std::string legend; ///< neighbours with equal ones have one marker
  double intensity;   ///< above zero
  double value;       ///< Gop/s
};

struct RooflineText {
  std::string title, subtitle, intensity; ///< the last one is the title of the axis
  bool allLevels;                         ///< a roof for each level, or for the memory alone
  bool numbered;                          ///< dots have numbers, as the legend has
};

/// As SVG; empty if the result has no peaks or no bandwidths. Measurements that scatter are not drawn as roofs, and the subtitle
/// names them.
std::string rooflineChart(const Result &result, const RooflineText &text, std::span<const RoofDot> dots);

/// The bandwidth roofs, slowest first: those of all levels or of the memory alone. Where the memory has not been measured, the
/// slowest level stands for it.
std::vector<Level> bandwidthRoofs(const Result &result, bool allLevels);

/// The largest spread of repetitions, as a share of their median, with which a measurement is still drawn as a roof.
constexpr double kLargestSpread = 0.25;

/// A figure as pictures and tables of rooflines show it: three digits, or more before the point.
std::string figure(double value);

} // namespace hiplz::roofline
