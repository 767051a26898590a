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
  for (;;) {
    const double seconds = run(iterations);
    if (seconds >= effort.target / 2 || iterations >= most)
      return iterations;
    // Not all at once: a short run is mostly its launch.
    const double factor = seconds > 0 ? std::clamp(effort.target / seconds, 2.0, 16.0) : 16.0;
    iterations = static_cast<unsigned>(std::min<double>(most, std::ceil(iterations * factor)));
  }
}

} // namespace hiplz::roofline
