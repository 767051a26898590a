// SPDX-License-Identifier: MIT
// Medians and how far repetitions lie apart, and when there are enough of them.
#pragma once
#include "roofline/result.h"

#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace hiplz::roofline {

/// Of at least one time, in any order.
Statistics summarize(std::vector<double> seconds);

/// The seconds of a run without what stands around it, from runs of one length and of a longer one: the difference of their lower
/// quartiles, because whatever disturbs a run makes it longer. Nothing if too few runs agree, so that nobody can say.
std::optional<double> undisturbedDifference(const std::vector<double> &shorter, const std::vector<double> &longer);

/// How far values lie apart: (largest - smallest) / median, of those that are known. Nothing if that are fewer than two.
std::optional<double> driftOf(std::span<const std::optional<double>> values);

/// How long to repeat.
struct Effort {
  double target = 0.01; ///< seconds that one repetition should take
  unsigned least = 5;   ///< repetitions
  unsigned most = 50;   ///< repetitions
  double spread = 0.02; ///< below which it ends
  double seconds = 1;   ///< after which it ends
};

/// Runs `once`, which returns its seconds, until the spread is small or the effort spent. Whatever warms up has been done:
/// calibrate() ends with such a run.
Statistics repeat(const std::function<double()> &once, const Effort &effort);

/// The number of iterations with which `run` takes about effort.target seconds, at most `most`. The last run was of that many. The
/// first one, which may compile the kernel and wake threads, says nothing about its length, and neither does one that something
/// interrupted.
unsigned calibrate(const std::function<double(unsigned)> &run, const Effort &effort, unsigned most);

} // namespace hiplz::roofline
