// SPDX-License-Identifier: MIT
// Medians and how far repetitions lie apart, and when there are enough of them.
#pragma once
#include "roofline/result.h"

#include <functional>
#include <vector>

namespace hiplz::roofline {

/// Of at least one time, in any order.
Statistics summarize(std::vector<double> seconds);

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

/// The number of iterations with which `run` takes about effort.target seconds, at most `most`. The last run was of that many.
unsigned calibrate(const std::function<double(unsigned)> &run, const Effort &effort, unsigned most);

} // namespace hiplz::roofline
