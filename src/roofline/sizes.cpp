// SPDX-License-Identifier: MIT
#include "roofline/sizes.h"

#include "roofline/chart.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace hiplz::roofline {

namespace {

constexpr uint64_t kKi = 1024, kMi = 1024 * kKi, kGi = 1024 * kMi;

// All caches of the last level together.
uint64_t lastCache(const Facts &facts) {
  if (facts.systemCaches.empty())
    return facts.cache;
  return facts.systemCaches.back().bytes * facts.systemCaches.back().instances;
}

uint64_t clampSize(uint64_t wanted, const Facts &facts, Mode mode, uint64_t full, uint64_t quick, uint64_t smoke) {
  const uint64_t limit = mode == Mode::Full ? full : mode == Mode::Quick ? quick : smoke;
  const uint64_t memory = facts.memory ? facts.memory / 8 : kGi;
  return std::min({std::max(wanted, 64 * kMi), limit, memory});
}

// first * (4, 5, 6, 7, 8, 10, ...) / 4, or every second of them, up to `last`.
std::vector<uint64_t> ladder(uint64_t first, uint64_t last, unsigned perOctave) {
  std::vector<uint64_t> sizes;
  for (uint64_t octave = first; octave <= last; octave *= 2)
    for (unsigned i = 0; i < perOctave; ++i)
      if (const uint64_t size = octave / 4 * (4 + 4 / perOctave * i); size <= last)
        sizes.push_back(size);
  return sizes;
}

} // namespace

uint64_t nearSize(const Facts &facts) {
  if (!facts.systemCaches.empty())
    return facts.systemCaches.front().bytes * facts.systemCaches.front().instances / 2;
  return facts.cache ? facts.cache / 2 : 256 * kKi;
}

std::vector<uint64_t> bandwidthSizes(const Facts &facts, Mode mode) {
  const uint64_t last = clampSize(lastCache(facts) * 4, facts, mode, 4 * kGi, kGi, 256 * kKi);
  return ladder(facts.units * 8 * kKi, std::max(last, facts.units * 16 * kKi), mode == Mode::Full ? 2 : 1);
}

std::vector<uint64_t> latencySizes(const Facts &facts, Mode mode) {
  const uint64_t last = clampSize(lastCache(facts) * 2, facts, mode, kGi, 64 * kMi, 16 * kKi);
  return ladder(4 * kKi, last, mode == Mode::Full ? 4 : 2);
}

std::vector<Step> staircaseOf(const Result &result) {
  std::vector<Step> staircase;
  for (const Sample &sample : result.samples)
    if (sample.section == "latency" && sample.kernel == "random")
      staircase.push_back({sample.bytes, sample.value});
  std::ranges::sort(staircase, {}, &Step::bytes);
  return staircase;
}

std::vector<uint64_t> edgeSizes(const std::vector<Step> &staircase, Mode mode) {
  constexpr double kRises = 1.15;
  const uint64_t most = mode == Mode::Full ? kGi : 4 * kMi; // a circle through much memory takes long
  std::vector<uint64_t> sizes;
  for (size_t i = 0; i + 1 < staircase.size() && staircase[i + 1].bytes <= most; ++i) {
    const Step &one = staircase[i], &next = staircase[i + 1];
    if (next.nanoseconds <= kRises * one.nanoseconds)
      continue;
    const uint64_t unit = std::bit_floor(one.bytes) / 32; // sizes are 32 to 64 of it
    for (const unsigned factor : {35, 36, 40, 42, 45, 48, 50, 54, 56, 60, 63})
      if (const uint64_t size = unit * factor; size > one.bytes && size < next.bytes && size % (64 * 4) == 0)
        sizes.push_back(size);
  }
  return sizes;
}

std::vector<Level> findCaches(const std::vector<Step> &staircase, double &last) {
  constexpr double kRise = 1.3;  // of a plateau: the next cache has begun
  constexpr double kFlat = 1.08; // from one size to one that is a quarter larger: still a plateau
  std::vector<Level> caches;
  size_t begin = 0; // of the plateau
  const auto plateau = [&](size_t end) {
    std::vector<double> values;
    for (size_t i = begin; i < end; ++i)
      values.push_back(staircase[i].nanoseconds);
    return summarize(values).median;
  };
  for (size_t i = 1; i < staircase.size(); ++i) {
    const double level = plateau(i);
    // A single size that is out of line is a disturbance.
    const bool stays = i + 1 == staircase.size() || staircase[i + 1].nanoseconds > kRise * level;
    if (staircase[i].nanoseconds <= kRise * level || !stays)
      continue;
    size_t end = i; // past the plateau: its last sizes may have begun to rise
    while (end > begin + 1 && staircase[end - 1].nanoseconds > (1 + kRise) / 2 * level)
      --end;
    // Anything shorter is the way from one plateau to the next.
    if (staircase[end - 1].bytes * 2 >= staircase[begin].bytes * 3) {
      Level cache;
      cache.bytes = staircase[end - 1].bytes;
      cache.latency = level;
      cache.source = "latency";
      caches.push_back(cache);
    }
    const auto rises = [&] {
      size_t larger = i;
      while (larger < staircase.size() && staircase[larger].bytes * 4 < staircase[i].bytes * 5)
        ++larger;
      return larger < staircase.size() && staircase[larger].nanoseconds > kFlat * staircase[i].nanoseconds;
    };
    while (rises())
      ++i;
    begin = i;
  }
  last = staircase.empty() ? 0 : plateau(staircase.size());
  return caches;
}

std::vector<Level> makeLevels(const Result &result) {
  const std::vector<Step> staircase = staircaseOf(result);
  double memoryLatency = 0;
  std::vector<Level> levels = findCaches(staircase, memoryLatency);
  const std::vector<Level> &system = result.device.systemCaches;
  // Each cache of the system is the found one that is nearest in size; two rises near one cache are not two caches.
  for (const Level &known : system) {
    Level *nearest = nullptr;
    double least = std::log(1.6);
    for (Level &level : levels)
      if (const double distance =
              std::abs(std::log(static_cast<double>(level.bytes) / static_cast<double>(known.bytes)));
          level.name.empty() && distance < least) {
        least = distance;
        nearest = &level;
      }
    if (nearest) {
      nearest->name = known.name;
      nearest->instances = known.instances;
    }
  }
  // Where the system names the caches, a rise that none of them explains is something else: translation of addresses, for example.
  if (!system.empty())
    std::erase_if(levels, [](const Level &level) { return level.name.empty(); });
  for (const Level &known : system)
    if (std::ranges::none_of(levels, [&](const Level &level) { return level.name == known.name; })) {
      levels.push_back(known);
      for (const Step &step : staircase)
        if (step.bytes <= known.bytes * 3 / 4)
          levels.back().latency = step.nanoseconds;
    }
  std::ranges::sort(levels, {}, &Level::bytes);
  for (size_t i = 0; i < levels.size(); ++i)
    if (levels[i].name.empty())
      levels[i].name = "cache " + std::to_string(i + 1);
  Level memory;
  memory.name = "memory";
  memory.source = "latency";
  const uint64_t lastBytes = levels.empty() ? 0 : levels.back().bytes;
  // The staircase may have ended before it left the last cache.
  if (!staircase.empty() && staircase.back().bytes > lastBytes * 3 / 2)
    memory.latency = memoryLatency;
  levels.push_back(memory);

  double before = 0; // bytes of all instances of the level before
  for (Level &level : levels) {
    const double all = static_cast<double>(level.bytes) * level.instances;
    const auto best = [&](double from, double to) {
      double value = 0;
      for (const Sample &sample : result.samples)
        if (const auto bytes = static_cast<double>(sample.bytes);
            sample.section == "bandwidth" && bytes > from && (to <= 0 || bytes <= to))
          value = std::max(value, sample.value);
      return value;
    };
    // Half of twice a cache's size may stay in the cache, so memory has the sizes from four times on, if there are any.
    level.bandwidth = best(before * (level.bytes ? 1.2 : 3.5), all * 0.8);
    if (level.bandwidth <= 0)
      level.bandwidth = level.bytes ? best(before, all) : best(before * 1.9, 0);
    before = all;
  }
  return levels;
}

std::vector<std::string> unseenCaches(const Result &result) {
  const std::vector<Step> staircase = staircaseOf(result);
  std::vector<std::string> sentences;
  uint64_t before = 0; // the cache in front of it
  for (const Level &known : result.device.systemCaches) {
    const auto found = std::ranges::find(result.levels, known.name, &Level::name);
    const bool seen = found != result.levels.end() && found->source == "latency";
    const std::string size = known.name + ": the system says " + bytesText(static_cast<double>(known.bytes)) + ", ";
    if (staircase.empty() || (seen && found->bytes * 4 >= known.bytes * 3)) {
      before = known.bytes;
      continue;
    }
    // Up to where does it serve what does not fit into the one before?
    const Step *first = nullptr, *last = nullptr;
    for (const Step &step : staircase)
      if (step.bytes >= before * 3 / 2 && step.bytes <= known.bytes &&
          (!first || step.nanoseconds <= first->nanoseconds * 1.5)) {
        first = first ? first : &step;
        last = &step;
      } else if (first) {
        break;
      }
    if (staircase.back().bytes < known.bytes && (!last || last == &staircase.back()))
      sentences.push_back(size + "which is more than the largest size that was measured");
    else if (last)
      sentences.push_back(size + "but latencies rise from " + bytesText(static_cast<double>(last->bytes)) +
                          " on: others use it too, or the pages of the data fall on the same sets");
    before = known.bytes;
  }
  return sentences;
}

} // namespace hiplz::roofline
