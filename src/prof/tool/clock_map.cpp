// SPDX-License-Identifier: MIT
#include "prof/tool/clock_map.h"

#include <algorithm>
#include <cmath>

namespace hiplz::prof {
namespace {

// Two readings that are closer than this say nothing of the rate: each is wrong by up to some microseconds.
constexpr uint64_t kLeastDistance = 10'000'000;

} // namespace

ClockMap::ClockMap(double tick, uint32_t bits, std::vector<Moment> moments) : tick_(tick > 0 ? tick : 1), bits_(bits) {
  std::sort(moments.begin(), moments.end(), [](const Moment &a, const Moment &b) { return a.host < b.host; });
  for (const Moment &moment : moments)
    if (moments_.empty() ||
        (moment.host - moments_.back().host >= kLeastDistance && moment.ticks > moments_.back().ticks))
      moments_.push_back(moment);
}

// Nanoseconds of a tick behind this moment.
double ClockMap::rate(size_t moment) const {
  if (moments_.size() < 2)
    return tick_;
  const Moment &first = moments_[std::min(moment, moments_.size() - 2)], &second = *(&first + 1);
  return static_cast<double>(second.host - first.host) / static_cast<double>(second.ticks - first.ticks);
}

// Everything is counted from a moment nearby, so that no digits are lost in numbers of 64 bits.
uint64_t ClockMap::toHost(uint64_t ticks, uint64_t near) const {
  if (moments_.empty())
    return near;
  const auto behind = std::upper_bound(moments_.begin(), moments_.end(), near,
                                       [](uint64_t host, const Moment &moment) { return host < moment.host; });
  size_t at = behind == moments_.begin() ? 0 : static_cast<size_t>(behind - moments_.begin()) - 1;
  int64_t away;
  if (bits_ == 0 || bits_ >= 64) {
    away = static_cast<int64_t>(ticks - moments_[at].ticks);
  } else {
    const uint64_t mask = (uint64_t{1} << bits_) - 1;
    const double period = std::ldexp(1.0, static_cast<int>(bits_));
    const double expected = static_cast<double>(static_cast<int64_t>(near - moments_[at].host)) / rate(at);
    const auto least = static_cast<double>((ticks - moments_[at].ticks) & mask);
    away = static_cast<int64_t>(least + std::round((expected - least) / period) * period);
  }
  // `near` is later than the command, by moments perhaps.
  while (away < 0 && at > 0) {
    away += static_cast<int64_t>(moments_[at].ticks - moments_[at - 1].ticks);
    --at;
  }
  return moments_[at].host + static_cast<uint64_t>(std::llround(static_cast<double>(away) * rate(at)));
}

} // namespace hiplz::prof
