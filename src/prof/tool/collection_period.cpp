// SPDX-License-Identifier: MIT
#include "prof/tool/collection_period.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <unordered_set>

namespace hiplz::prof {
namespace {

/// True if moments lie in one of the periods.
class Windows {
public:
  Windows(std::span<const CollectionPeriod> periods, double unit, uint64_t start)
      : periods_(periods), unit_(unit), start_(start) {}

  bool contain(uint64_t time) const {
    double left = time < start_ ? 0 : static_cast<double>(time - start_); // from the beginning of a period on
    for (const CollectionPeriod &period : periods_) {
      const double delay = period.delay * unit_, cycle = delay + period.duration * unit_;
      const double all = period.repeat ? cycle * period.repeat : HUGE_VAL;
      if (left < all)
        return std::fmod(left, cycle) >= delay;
      left -= all;
    }
    return false;
  }

private:
  std::span<const CollectionPeriod> periods_;
  const double unit_;
  const uint64_t start_;
};

} // namespace

bool CollectionPeriod::parse(const std::string &text) {
  const auto number = [](const char *from, char until, double &value) -> const char * {
    char *end = nullptr;
    value = std::strtod(from, &end);
    return end != from && *end == until && std::isfinite(value) && value >= 0 ? end + (until != 0) : nullptr;
  };
  double repeats = 0;
  const char *at = number(text.c_str(), ':', delay);
  at = at ? number(at, ':', duration) : nullptr;
  at = at ? number(at, '\0', repeats) : nullptr;
  if (!at || repeats != std::floor(repeats) || repeats > UINT32_MAX || duration <= 0)
    return false;
  repeat = static_cast<uint32_t>(repeats);
  return true;
}

double nanosecondsOf(const std::string &unit) {
  static const std::map<std::string, double> kUnits = {{"hour", 3600e9}, {"min", 60e9}, {"sec", 1e9},
                                                       {"msec", 1e6},    {"usec", 1e3}, {"nsec", 1}};
  const auto found = kUnits.find(unit);
  return found == kUnits.end() ? 0 : found->second;
}

void keepPeriods(Process &process, std::span<const CollectionPeriod> periods, double unit, uint64_t start) {
  const Windows windows(periods, unit, start);
  std::erase_if(process.calls, [&](const Call &call) { return !windows.contain(call.begin); });
  std::erase_if(process.compilations, [&](const Compilation &each) { return !windows.contain(each.begin); });
  std::unordered_set<uint64_t> left;
  std::erase_if(process.commands, [&](const Command &command) {
    const bool outside = !windows.contain(command.about.submitted);
    if (outside)
      left.insert(command.about.id);
    return outside;
  });
  std::erase_if(process.nodes, [&](const Node &node) { return left.contains(node.about.command); });
  // A range that begins inside keeps its end.
  std::map<uint32_t, std::vector<bool>> pushed;
  std::unordered_set<uint64_t> started;
  std::erase_if(process.markers, [&](const Marker &marker) {
    const bool inside = windows.contain(marker.about.time);
    switch (marker.about.type) {
    case trace::Marker::Type::mark: break;
    case trace::Marker::Type::push: pushed[marker.thread].push_back(inside); break;
    case trace::Marker::Type::pop:
      if (auto &open = pushed[marker.thread]; !open.empty()) {
        const bool kept = open.back();
        open.pop_back();
        return !kept;
      }
      return true;
    case trace::Marker::Type::start:
      if (inside)
        started.insert(marker.about.id);
      break;
    case trace::Marker::Type::stop: return !started.contains(marker.about.id);
    }
    return !inside;
  });
}

} // namespace hiplz::prof
