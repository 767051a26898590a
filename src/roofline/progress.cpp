// SPDX-License-Identifier: MIT
#include "roofline/progress.h"

#include <algorithm>
#include <cstdio>

namespace hiplz::roofline {

Progress::Progress(double shares, bool draws) : shares_(shares), draws_(draws) {}

Progress::~Progress() {
  if (draws_)
    std::fputs("\r\033[K", stderr);
}

void Progress::chapter(const std::string &name, double weight) {
  before_ += weight_;
  weight_ = weight;
  name_ = name;
  steps_ = 1;
  done_ = 0;
  draw({});
}

void Progress::step(const std::string &what) {
  draw(what);
  ++done_;
}

void Progress::draw(const std::string &what) {
  if (!draws_)
    return;
  constexpr int kWidth = 30;
  const double within = std::min(1.0, static_cast<double>(done_) / std::max(1u, steps_));
  const double share = std::min(1.0, (before_ + weight_ * within) / shares_);
  const int full = static_cast<int>(share * kWidth);
  std::fprintf(stderr, "\r\033[K[%s%s] %3.0f %%  %s %.40s", std::string(full, '#').c_str(),
               std::string(kWidth - full, '.').c_str(), share * 100, name_.c_str(), what.c_str());
  std::fflush(stderr);
}

} // namespace hiplz::roofline
