// SPDX-License-Identifier: MIT
#include "roofline/pictures.h"

#include "roofline/chart.h"
#include "roofline/roofs.h"

#include <algorithm>
#include <functional>
#include <map>

namespace hiplz::roofline {

namespace {

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

Picture roofline(const Result &result, bool cacheAware) {
  // The kernels were run within the first cache and in memory: by size the points are of one or the other.
  uint64_t largest = 0;
  for (const Sample &sample : result.samples)
    if (sample.section == "mixed")
      largest = std::max(largest, sample.bytes);
  std::vector<RoofDot> dots;
  for (const Sample &sample : result.samples)
    if (sample.section == "mixed" && (cacheAware || sample.bytes == largest))
      dots.push_back({"measured, " + bytesText(static_cast<double>(sample.bytes)), sample.intensity, sample.value});
  std::ranges::stable_sort(dots, {}, &RoofDot::legend);
  return {cacheAware ? "roofline-cache-aware.svg" : "roofline.svg",
          rooflineChart(result,
                        {cacheAware ? "Cache-aware roofline" : "Original roofline", subtitle(result),
                         cacheAware ? "operations for each byte that the kernel accesses"
                                    : "operations for each byte of memory traffic",
                         cacheAware, false},
                        dots)};
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
      roofline(result, false),
      roofline(result, true),
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
