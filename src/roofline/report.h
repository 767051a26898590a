// SPDX-License-Identifier: MIT
// Results as text for the terminal.
#pragma once
#include "roofline/result.h"

#include <string>
#include <utility>
#include <vector>

namespace hiplz::roofline {

/// Everything, a few lines for each section, with the study's figures for its GPU beside the device's.
std::string asText(const Result &result);

/// Each figure of `before` beside the one of `after` and their ratio, and which differences are larger than both spreads.
std::string asComparison(const Result &before, const Result &after);

/// The headlines as names and values, for hiplz-info.
std::vector<std::pair<std::string, std::string>> headlines(const Result &result);

} // namespace hiplz::roofline
