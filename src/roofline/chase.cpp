// SPDX-License-Identifier: MIT
#include "roofline/chase.h"

#include <algorithm>
#include <numeric>

namespace hiplz::roofline {

std::vector<uint32_t> makeCircle(uint32_t count, uint32_t step, bool inOrder) {
  // x -> (factor x + summand) mod count goes round all numbers if the summand has no divisor in common with count, and factor - 1
  // has all its prime factors, and 4 (Hull and Dobell). That needs no shuffling, and memory is written in order.
  uint64_t factor = 1, summand = 1;
  if (!inOrder) {
    constexpr uint64_t kPrimes = 4 * 3 * 5 * 7;
    factor = (static_cast<uint64_t>(count * 0.618 / kPrimes) | 1) * kPrimes + 1;
    summand = static_cast<uint64_t>(count * 0.382) | 1;
    while (std::gcd(summand, kPrimes) != 1)
      summand += 2;
  }
  std::vector<uint32_t> next(size_t{count} * step);
  for (uint64_t i = 0; i < count; ++i)
    next[i * step] = static_cast<uint32_t>((factor * i + summand) % count * step);
  return next;
}

} // namespace hiplz::roofline
