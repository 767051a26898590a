// SPDX-License-Identifier: MIT
#include "roofline/pictures.h"

#include "roofline/chart.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>

namespace hiplz::roofline {

namespace {

std::string number(double value) {
  char text[40];
  std::snprintf(text, sizeof text, value >= 100 ? "%.0f" : "%.3g", value);
  return text;
}

std::string subtitle(const Result &result) {
  return result.device.name + ", " + std::to_string(result.device.units) + " units, " + result.mode + " run of " +
         result.date;
}

// Samples of a section as lines: the key is the legend.
using Lines = std::map<std::string, std::vector<Chart::Point>>;

Chart::Axis axisOver(const Lines &lines, const std::string &title, double Chart::Point::*member, bool bytes) {
  double low = 1e300, high = 0;
  for (const auto &[name, points] : lines)
    for (const Chart::Point &point : points) {
      low = std::min(low, point.*member);
      high = std::max(high, point.*member);
    }
  if (!bytes) { // room above and below
    low /= 1.6;
    high *= 1.6;
  }
  return {title, low, high, bytes};
}

// The peaks that roofs are drawn of, best first.
struct Roof {
  std::string text;
  double value;
};

std::vector<Roof> roofsOf(const Result &result) {
  std::vector<Roof> roofs;
  for (const Peak &peak : result.peaks)
    if (peak.type == "float" || (peak.type == "double" && peak.operation == "mad"))
      roofs.push_back({peak.type + " " + peak.operation + " " + number(peak.value) + " Gop/s", peak.value});
  // What one chain of dependent operations in each work-item reaches.
  double dependent = 0;
  for (const Sample &sample : result.samples)
    if (sample.section == "throughput" && sample.kernel == "mad" && sample.type == "float" && sample.width == 1 &&
        sample.chains == 1)
      dependent = std::max(dependent, sample.value);
  if (dependent > 0 && !roofs.empty())
    roofs.push_back({"float mad, dependent " + number(dependent) + " Gop/s", dependent});
  std::ranges::sort(roofs, std::greater{}, &Roof::value);
  return roofs;
}

// Roofs of compute and of some levels, and the points of the mixed kernels that lie below them.
Picture rooflines(const Result &result, bool cacheAware) {
  const std::vector<Roof> roofs = roofsOf(result);
  std::vector<Level> levels;
  for (const Level &level : result.levels)
    if (level.bandwidth > 0 && (cacheAware || level.name == "memory"))
      levels.push_back(level);
  // Without a measurement of memory alone, the original roofline has the slowest roof that there is, and says which.
  if (levels.empty() && !cacheAware)
    for (const Level &level : result.levels)
      if (level.bandwidth > 0)
        levels = {level};
  if (roofs.empty() || levels.empty())
    return {};
  std::ranges::sort(levels, std::greater{}, &Level::bandwidth);
  const double peak = roofs.front().value;
  const double left = std::min(1.0 / 16, peak / levels.front().bandwidth / 8);
  const double right = std::max(64.0, peak / levels.back().bandwidth * 8);
  Chart chart(
      cacheAware ? "Cache-aware roofline" : "Original roofline",
      {cacheAware ? "operations for each byte that the kernel accesses" : "operations for each byte of memory traffic",
       left, right, false},
      {"Gop/s", std::min(roofs.back().value, levels.back().bandwidth * left) / 1.5, peak * 2, false});
  chart.subtitle(subtitle(result));
  unsigned colour = 0;
  for (const Level &level : levels) {
    const double knee = peak / level.bandwidth;
    chart.line({{left, left * level.bandwidth}, {knee, peak}}, colour, level.name, false);
    chart.label({left * 1.05, left * 1.05 * level.bandwidth}, level.name + " " + number(level.bandwidth) + " GB/s",
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
  // The kernels were run within the first cache and in memory: by size the points are of one or the other.
  uint64_t smallest = UINT64_MAX, largest = 0;
  for (const Sample &sample : result.samples)
    if (sample.section == "mixed") {
      smallest = std::min(smallest, sample.bytes);
      largest = std::max(largest, sample.bytes);
    }
  Lines points;
  for (const Sample &sample : result.samples)
    if (sample.section == "mixed" && (cacheAware || sample.bytes == largest))
      points["measured, " + bytesText(static_cast<double>(sample.bytes))].push_back({sample.intensity, sample.value});
  for (const auto &[name, list] : points) {
    for (const Chart::Point &point : list)
      chart.dot(point, colour, name + ": " + number(point.y) + " Gop/s");
    chart.line({}, colour, name, false);
    ++colour;
  }
  return {cacheAware ? "roofline-cache-aware.svg" : "roofline.svg", chart.svg()};
}

// The marks of the caches, as the device has them altogether or as one work-item sees them.
void markCaches(Chart &chart, const Result &result, bool all) {
  for (const Level &level : result.levels)
    if (level.bytes)
      chart.mark(static_cast<double>(level.bytes) * (all ? level.instances : 1), level.name);
}

Picture overBytes(const Result &result, const std::string &section, const std::string &title, const std::string &unit,
                  const std::string &file, const std::function<std::string(const Sample &)> &lineOf) {
  Lines lines;
  for (const Sample &sample : result.samples)
    if (sample.section == section)
      if (const std::string line = lineOf(sample); !line.empty())
        lines[line].push_back({static_cast<double>(sample.bytes), sample.value});
  if (lines.empty())
    return {};
  Chart chart(title, axisOver(lines, "bytes", &Chart::Point::x, true), axisOver(lines, unit, &Chart::Point::y, false));
  chart.subtitle(subtitle(result));
  unsigned colour = 0;
  for (auto &[name, points] : lines) {
    std::ranges::sort(points, {}, &Chart::Point::x);
    chart.line(points, colour++, name);
  }
  if (section != "copies")
    markCaches(chart, result, section == "bandwidth");
  return {file, chart.svg()};
}

// Throughput of one operation over the work-items of the grid, a line for each number of threads of a block.
Picture overGrid(const Result &result, const std::string &operation) {
  Lines lines;
  for (const Sample &sample : result.samples)
    if (sample.section == "throughput" && sample.kernel == operation && sample.type == "float")
      lines["x" + std::to_string(sample.width) + ", " + std::to_string(sample.chains) + " chains, blocks of " +
            std::to_string(sample.threads)]
          .push_back({static_cast<double>(sample.blocks), sample.value});
  std::erase_if(lines, [](const auto &line) { return line.second.size() < 2; });
  if (lines.empty())
    return {};
  Chart chart("Throughput of float " + operation + " over the grid", axisOver(lines, "blocks", &Chart::Point::x, false),
              axisOver(lines, "Gop/s", &Chart::Point::y, false));
  chart.subtitle(subtitle(result));
  unsigned colour = 0;
  for (auto &[name, points] : lines) {
    std::ranges::sort(points, {}, &Chart::Point::x);
    chart.line(points, colour++, name);
  }
  return {"throughput-" + operation + ".svg", chart.svg()};
}

} // namespace

std::vector<Picture> pictures(const Result &result) {
  const auto nameAndWidth = [](const Sample &s) { return s.kernel + " x" + std::to_string(s.width); };
  std::vector<Picture> all = {
      rooflines(result, false),
      rooflines(result, true),
      overGrid(result, "add"),
      overGrid(result, "mad"),
      overBytes(result, "bandwidth", "Bandwidth over the size of the data", "GB/s", "bandwidth.svg",
                [&](const Sample &s) { return s.width == 1 ? s.kernel : std::string(); }),
      overBytes(result, "bandwidth", "Bandwidth of reads by vector type", "GB/s", "bandwidth-vectors.svg",
                [&](const Sample &s) { return s.kernel == "read" ? nameAndWidth(s) : std::string(); }),
      overBytes(result, "latency", "Latency of dependent loads", "ns", "latency.svg",
                [](const Sample &s) { return s.kernel == "random" ? s.kernel + " order" : std::string(); }),
      overBytes(result, "copies", "Copies", "GB/s", "copies.svg",
                [](const Sample &s) { return s.kernel + (s.type.empty() ? "" : ", " + s.type); }),
  };
  std::erase_if(all, [](const Picture &picture) { return picture.svg.empty(); });
  return all;
}

} // namespace hiplz::roofline
