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
  std::string name;
  double value;  // Gop/s
  double spread; // of the measurement's repetitions
};

std::vector<Roof> roofsOf(const Result &result) {
  std::vector<Roof> roofs;
  for (const Peak &peak : result.peaks)
    if (peak.type == "float" || (peak.type == "double" && peak.operation == "mad"))
      roofs.push_back({peak.type + " " + peak.operation, peak.value,
                       peak.sample < result.samples.size() ? result.samples[peak.sample].time.spread : 0});
  // The throughput of one chain of dependent operations in each work-item.
  Roof dependent = {"float mad, dependent", 0, 0};
  for (const Sample &sample : result.samples)
    if (sample.section == "throughput" && sample.kernel == "mad" && sample.type == "float" && sample.width == 1 &&
        sample.chains == 1 && sample.value > dependent.value) {
      dependent.value = sample.value;
      dependent.spread = sample.time.spread;
    }
  if (dependent.value > 0 && !roofs.empty())
    roofs.push_back(dependent);
  std::ranges::sort(roofs, std::greater{}, &Roof::value);
  return roofs;
}

// The spread of the measurement that a level's bandwidth comes from.
double spreadOf(const Result &result, const Level &level) {
  for (const Sample &sample : result.samples)
    if (sample.section == "bandwidth" && sample.value == level.bandwidth)
      return sample.time.spread;
  return 0;
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
  std::string scattered;
  const auto isSteady = [&](const std::string &name, double spread) {
    if (spread > kLargestSpread)
      scattered += (scattered.empty() ? "" : ", ") + name;
    return spread <= kLargestSpread;
  };
  unsigned colour = 0;
  for (const Level &level : levels) {
    const double knee = peak / level.bandwidth;
    if (isSteady(level.name, spreadOf(result, level))) {
      const std::string name = level.name + " " + figure(level.bandwidth) + " GB/s";
      chart.line({{left, left * level.bandwidth}, {knee, peak}}, colour, name, false);
      // Near its foot, where roofs of the levels lie farthest from the roofs of operations.
      const double end = std::min(knee, left * std::pow(right / left, 0.4));
      chart.labelLine({left, left * level.bandwidth}, {end, end * level.bandwidth}, name, colour);
    }
    ++colour;
  }
  bool first = true;
  for (const Roof &roof : roofs) {
    if (isSteady(roof.name, roof.spread)) {
      const std::string name = roof.name + " " + figure(roof.value) + " Gop/s";
      const Chart::Point from = {roof.value / levels.front().bandwidth, roof.value}, to = {right, roof.value};
      chart.line({from, to}, colour, name, false, !first);
      chart.labelLine(from, to, name, colour);
    }
    first = false;
    ++colour;
  }
  chart.subtitle(text.subtitle, scattered.empty() ? "" : "not drawn, as repetitions differ too much: " + scattered);
  unsigned marker = 0;
  for (size_t index = 0; index < dots.size(); ++index) {
    const RoofDot &dot = dots[index];
    const std::string number = text.numbered ? std::to_string(index + 1) : std::string();
    const std::string legend = number + (number.empty() ? "" : " ") + dot.legend;
    chart.dot({dot.intensity, dot.value}, marker, legend + ": " + figure(dot.value) + " Gop/s", number);
    if (!number.empty() || index + 1 == dots.size() || dots[index + 1].legend != dot.legend)
      chart.legendOfDots(marker++, legend);
  }
  return chart.svg();
}

std::string figure(double value) { return format(value >= 100 ? "%.0f" : "%.3g", value); }

} // namespace hiplz::roofline
