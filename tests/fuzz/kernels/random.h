// SPDX-License-Identifier: MIT
// Numbers for the generators: the same for a seed on every machine, so that a seed names a program (xorshift64*, Vigna 2016).
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

namespace fuzz {

class Random {
protected:
  /// `stream` tells apart generators that get the same seed.
  Random(uint64_t seed, uint64_t stream) : state_(seed * 0x9e3779b97f4a7c15ull + stream) {
    for (int i = 0; i < 4; ++i)
      next();
  }

  uint64_t next() {
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    state_ ^= state_ << 17;
    return state_ * 0x2545f4914f6cdd1dull >> 16;
  }
  unsigned below(unsigned limit) { return unsigned(next() % limit); }
  bool chance(unsigned percent) { return below(100) < percent; }
  template <class T, size_t n> const T &oneOf(const T (&values)[n]) { return values[below(n)]; }
  template <class T> const T &oneOf(const std::vector<T> &values) { return values[below(unsigned(values.size()))]; }

private:
  uint64_t state_;
};

} // namespace fuzz
