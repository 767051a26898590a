// SPDX-License-Identifier: MIT
#include "roofline/roofs.h"

#include "base/format.h"
#include "roofline/chart.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace hiplz::roofline {

namespace {

// The peaks that roofs are drawn of, best first.
struct Roof {
  std::string text;
  double value;
};

std::vector<Roof> roofsOf(const Result &result) {
  std::vector<Roof> roofs;
  for (const Peak &peak : result.peaks)
    if (peak.type == "float" || (peak.type == "double" && peak.operation == "mad"))
      roofs.push_back({peak.type + " " + peak.operation + " " + figure(peak.value) + " Gop/s", peak.value});
  // What one chain of dependent operations in each work-item reaches.
  double dependent = 0;
  for (const Sample &sample : result.samples)
    if (sample.section == "throughput" && sample.kernel == "mad" && sample.type == "float" && sample.width == 1 &&
        sample.chains == 1)
      dependent = std::max(dependent, sample.value);
  if (dependent > 0 && !roofs.empty())
    roofs.push_back({"float mad, dependent " + figure(dependent) + " Gop/s", dependent});
  std::ranges::sort(roofs, std::greater{}, &Roof::value);
  return roofs;
}

} // namespace

std::vector<Level> bandwidthRoofs(const Result &result, bool allLevels) {
  std::vector<Level> levels;
  for (const Level &level : result.levels)
    if (level.bandwidth > 0 && (allLevels || level.name == "memory"))
      levels.push_back(level);
  if (levels.empty() && !allLevels)
    for (const Level &level : result.levels)
      if (level.bandwidth > 0)
        levels = {level};
  std::ranges::sort(levels, {}, &Level::bandwidth);
  return levels;
}

std::string rooflineChart(const Result &result, const RooflineText &text, std::span<const RoofDot> dots) {
  const std::vector<Roof> roofs = roofsOf(result);
  std::vector<Level> levels = bandwidthRoofs(result, text.allLevels);
  if (roofs.empty() || levels.empty())
    return {};
  std::ranges::reverse(levels);
  const double peak = roofs.front().value;
  double left = std::min(1.0 / 16, peak / levels.front().bandwidth / 8);
  double right = std::max(64.0, peak / levels.back().bandwidth * 8);
  for (const RoofDot &dot : dots) {
    left = std::min(left, dot.intensity / 2);
    right = std::max(right, dot.intensity * 2);
  }
  double low = std::min(roofs.back().value, levels.back().bandwidth * left) / 1.5;
  for (const RoofDot &dot : dots)
    low = std::min(low, dot.value / 2);
  Chart chart(text.title, {text.intensity, left, right, false}, {"Gop/s", low, peak * 2, false});
  chart.subtitle(text.subtitle);
  unsigned colour = 0;
  for (const Level &level : levels) {
    const double knee = peak / level.bandwidth;
    chart.line({{left, left * level.bandwidth}, {knee, peak}}, colour, level.name, false);
    chart.label({left * 1.05, left * 1.05 * level.bandwidth}, level.name + " " + figure(level.bandwidth) + " GB/s",
                colour, true);
    ++colour;
  }
  bool first = true;
  double labelled = right / 1.03;
  for (const Roof &roof : roofs) {
    chart.line({{roof.value / levels.front().bandwidth, roof.value}, {right, roof.value}}, colour, roof.text, false,
               !first);
    chart.label({labelled, roof.value}, roof.text, colour, false, true);
    labelled = std::max(labelled / std::pow(right / left, 0.22), left); // roofs may lie on each other, labels not
    first = false;
    ++colour;
  }
  for (size_t index = 0; index < dots.size(); ++index) {
    const RoofDot &dot = dots[index];
    const std::string mark = text.numbered ? std::to_string(index + 1) : std::string();
    const std::string legend = mark + (mark.empty() ? "" : " ") + dot.legend;
    chart.dot({dot.intensity, dot.value}, colour, legend + ": " + figure(dot.value) + " Gop/s");
    if (!mark.empty())
      chart.label({dot.intensity, dot.value}, mark, colour);
    if (!mark.empty() || index + 1 == dots.size() || dots[index + 1].legend != dot.legend)
      chart.line({}, colour++, legend, false);
  }
  return chart.svg();
}

std::string figure(double value) { return format(value >= 100 ? "%.0f" : "%.3g", value); }

} // namespace hiplz::roofline
