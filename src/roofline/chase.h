// SPDX-License-Identifier: MIT
// Circles through memory for the latency kernel.
#pragma once
#include <cstdint>
#include <vector>

namespace hiplz::roofline {

/// The array `next` in which index i, a multiple of `step`, holds the index to go to from there, so that starting at 0 all
/// multiples below count * step are visited before 0 comes again. In order, or in one that no prefetcher foresees; for the latter
/// count has no prime factors but 2, 3, 5 and 7.
std::vector<uint32_t> makeCircle(uint32_t count, uint32_t step, bool inOrder);

} // namespace hiplz::roofline
