// SPDX-License-Identifier: MIT
// The pictures of a result.
#pragma once
#include "roofline/result.h"

#include <string>
#include <vector>

namespace hiplz::roofline {

struct Picture {
  std::string file; ///< roofline.svg, for example
  std::string svg;
};

/// Those for which there are samples.
std::vector<Picture> pictures(const Result &result);

} // namespace hiplz::roofline
