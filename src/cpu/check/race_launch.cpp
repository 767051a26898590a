// SPDX-License-Identifier: MIT
// See race_launch.h.
#include "cpu/check/race_launch.h"
#include "cpu/check/launches.h"
#include "cpu/check/tools.h"

#include <algorithm>

namespace hiplz::cpu::check {
namespace {

constexpr size_t kRecentLaunches = 32;

} // namespace

Lockable<Commands> &commands() {
  static auto *all = new Lockable<Commands>(LockRank::cpuCheckCells);
  return *all;
}

Kind kindOf(HostUse use) {
  switch (use) {
  case HostUse::read: return Kind::raceWithRead;
  case HostUse::write: return Kind::raceWithWrite;
  case HostUse::start: return Kind::raceWithStart;
  case HostUse::end: return Kind::raceWithEnd;
  }
  return Kind::raceWithWrite;
}

uint32_t Commands::orderedLaunches(const Clock &clock, uint32_t now) {
  uint32_t first = now;
  for (uint32_t stream = 0; stream < ofStreams.size(); ++stream) {
    auto &launchesOfStream = ofStreams[stream];
    const uint32_t known = stream < clock.size() ? clock[stream] : 0;
    const auto next = std::upper_bound(launchesOfStream.begin(), launchesOfStream.end(), std::pair(known, UINT32_MAX));
    if (next != launchesOfStream.end())
      first = std::min(first, next->second);
  }
  return first - 1;
}

const KnownLaunch *Commands::unorderedLaunch(uint32_t number, const Clock &clock) const {
  return number < launches.size() && !isBefore(launches[number].moment, clock) ? &launches[number] : nullptr;
}

void RaceLaunch::find(SeenCopies &seen) const {
  seen.launch = number;
  seen.version = copiesVersion.load(std::memory_order_acquire);
  seen.all.clear();
  const auto all = commands().lock();
  for (const HostAccess &copy : all->copies)
    if (!isBefore(copy.moment, clock))
      seen.all.push_back(copy);
}

std::shared_ptr<RaceLaunch> beginLaunch(const LaunchState &launch, CheckedLaunch &checked, const std::string &kernel,
                                        uint32_t submission, StreamOrder &order) {
  if (!tools().races) {
    checked.number = addLaunch(kernel, submission);
    return nullptr;
  }
  KnownLaunch known{order.next(), submission};
  std::copy_n(launch.groupCount, 3, known.count.begin());
  std::copy_n(launch.groupSize, 3, known.size.begin());
  // The number and the entry under one lock: a launch of another stream must not find a smaller number that is not in the lists yet, since it
  // would take it for one that comes before.
  const auto all = commands().lock();
  checked.number = addLaunch(kernel, submission);
  auto made = std::make_shared<RaceLaunch>(checked.number, known, order.clock());
  all->launches.resize(std::max<size_t>(all->launches.size(), made->number + 1));
  all->launches[made->number] = known;
  made->orderedUpTo = all->orderedLaunches(made->clock, made->number);
  all->ofStreams.resize(std::max<size_t>(all->ofStreams.size(), known.moment.stream + 1));
  auto &ofStream = all->ofStreams[known.moment.stream];
  ofStream.emplace_back(known.moment.time, made->number);
  if (ofStream.size() > Commands::kKept)
    ofStream.pop_front();
  all->recent.push_back(made);
  if (all->recent.size() > kRecentLaunches)
    all->recent.pop_front();
  return made;
}

} // namespace hiplz::cpu::check
