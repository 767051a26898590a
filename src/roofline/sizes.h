// SPDX-License-Identifier: MIT
// Which sizes of memory are measured, and what the staircase of latencies says about caches.
#pragma once
#include "roofline/session.h"

#include <cstdint>
#include <vector>

namespace hiplz::roofline {

/// Sizes for the whole device, ascending, from well within the first cache to memory.
std::vector<uint64_t> bandwidthSizes(const Facts &facts, Mode mode);

/// Sizes for one work-item, ascending: 4, 5, 6 or 7 times a power of two.
std::vector<uint64_t> latencySizes(const Facts &facts, Mode mode);

/// A size for the whole device that is well within the caches nearest to the units.
uint64_t nearSize(const Facts &facts);

struct Step {
  uint64_t bytes;
  double nanoseconds;
};

/// The latencies of a result over the size, ascending.
std::vector<Step> staircaseOf(const Result &result);

/// Sizes between neighbouring steps of which the second one is slower: where caches may end. Their only prime factors are those of
/// latencySizes(), and 3, 5 and 7 more often.
std::vector<uint64_t> edgeSizes(const std::vector<Step> &staircase, Mode mode);

/// The caches that a staircase shows: the largest size of each plateau that a rise follows, and its latency. Ascending; the
/// plateau after the last rise is not one of them. `last` receives its latency.
std::vector<Level> findCaches(const std::vector<Step> &staircase, double &last);

/// Gives the levels that were found by latency the names and numbers of instances of the system's caches where these agree, puts
/// memory behind them, and fills in the best bandwidth of the sizes that fall into each.
std::vector<Level> makeLevels(const Result &result);

/// A sentence for each of the system's caches that the staircase does not show as large as it is said to be.
std::vector<std::string> unseenCaches(const Result &result);

} // namespace hiplz::roofline
