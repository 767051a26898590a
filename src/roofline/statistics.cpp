// SPDX-License-Identifier: MIT
#include "roofline/statistics.h"

#include <algorithm>
#include <cmath>

namespace hiplz::roofline {

namespace {

// Of sorted values, between neighbours where the place falls between them.
double quantile(const std::vector<double> &sorted, double share) {
  const double place = share * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(place);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

} // namespace

Statistics summarize(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  Statistics result;
  result.median = quantile(seconds, 0.5);
  result.best = seconds.front();
  result.spread = result.median > 0 ? (quantile(seconds, 0.75) - quantile(seconds, 0.25)) / result.median : 0;
  result.repetitions = static_cast<unsigned>(seconds.size());
  return result;
}

std::optional<double> undisturbedDifference(const std::vector<double> &shorter, const std::vector<double> &longer) {
  const auto quartile = [](std::vector<double> seconds) -> std::optional<double> {
    if (seconds.empty())
      return std::nullopt;
    std::ranges::sort(seconds);
    const double lower = quantile(seconds, 0.25);
    // Half of the runs within a tenth of each other, or the machine was never quiet.
    return quantile(seconds, 0.5) <= 1.1 * lower ? std::optional(lower) : std::nullopt;
  };
  const std::optional<double> less = quartile(shorter), more = quartile(longer);
  return less && more && *more > *less ? std::optional(*more - *less) : std::nullopt;
}

std::optional<double> driftOf(std::span<const std::optional<double>> values) {
  std::vector<double> known;
  for (const std::optional<double> &value : values)
    if (value)
      known.push_back(*value);
  if (known.size() < 2)
    return std::nullopt;
  std::ranges::sort(known);
  return (known.back() - known.front()) / quantile(known, 0.5);
}

Statistics repeat(const std::function<double()> &once, const Effort &effort) {
  std::vector<double> times;
  double sum = 0;
  for (;;) {
    times.push_back(once());
    sum += times.back();
    if (times.size() < effort.least)
      continue;
    const Statistics soFar = summarize(times);
    if (soFar.spread <= effort.spread || times.size() >= effort.most || sum >= effort.seconds)
      return soFar;
  }
}

unsigned calibrate(const std::function<double(unsigned)> &run, const Effort &effort, unsigned most) {
  unsigned iterations = 1;
  double each = run(1); // seconds of an iteration, in the quickest run so far
  for (;;) {
    double seconds = run(iterations);
    // A longer run has less of its launch in each iteration, so this one was interrupted.
    if (seconds > 1.5 * each * iterations)
      seconds = std::min(seconds, run(iterations));
    each = std::min(each, seconds / iterations);
    if (seconds >= effort.target / 2 || iterations >= most)
      return iterations;
    // Not all at once: a short run is mostly its launch.
    const double factor = seconds > 0 ? std::clamp(effort.target / seconds, 2.0, 16.0) : 16.0;
    iterations = static_cast<unsigned>(std::min<double>(most, std::ceil(iterations * factor)));
  }
}

} // namespace hiplz::roofline
