// SPDX-License-Identifier: MIT
// See global_access.h.
#include "cpu/check/global_access.h"
#include "cpu/check/regions.h"
#include "cpu/check/site_numbers.h"

#include <cstring>
#include <utility>

namespace hiplz::cpu::check {
namespace {

/// Like isSignal().
bool isSignalTo(const Side &before, const CheckSite &site) {
  if (isSignal(site, site))
    return true;
  const CheckSite *other = siteOf(before.site);
  return !other || isSignal(*other, site);
}

/// True if the side that was found first is to be named first. Which one that is must not depend on when streams and blocks are executed.
bool isNamedFirst(const Finding &finding, const KnownLaunch &before, const KnownLaunch &now) {
  if (finding.kind == Kind::raceOfLaunches && before.submission != now.submission)
    return before.submission > now.submission;
  if (finding.kind != Kind::raceOfLaunches && finding.kind != Kind::raceOfBlocks)
    return false;
  const uint32_t other = finding.other->flags & checkWrite, one = finding.site->flags & checkWrite;
  return other != one ? other != 0 : std::strcmp(finding.other->text, finding.site->text) < 0;
}

} // namespace

Relation relate(const Side &before, const Side &now, const CheckSite &site, Group &group) {
  RaceLaunch &launch = *group.race;
  const uint32_t number = numberOf(before.launch, launch.number);
  const bool inLaunch = number == launch.number, inBlock = inLaunch && before.block == now.block;
  if (before.orders && now.orders && (inBlock || !(before.blockScope || now.blockScope)) &&
      ((inBlock && areInOneWarp(before, now)) || isSignalTo(before, site)))
    return Relation::ordered;
  if (inBlock && areInOneWarp(before, now))
    return Relation::inWarp;
  if (inBlock && group.warpOrder.hasSeen(before.item / kSubgroupSize, now.item / kSubgroupSize))
    return Relation::ordered;
  if (!inLaunch) {
    if (number <= launch.orderedUpTo)
      return Relation::ordered;
    if (!commands().lock()->unorderedLaunch(number, launch.clock))
      return Relation::ordered;
  }
  switch (launch.blocks.find(number, before.block, before.steps, now.block)) {
  case BlocksOrder::ordered: return Relation::ordered;
  case BlocksOrder::withoutFence: // a flag that is read and then written needs no fence
    return inBlock || (before.orders && now.orders && site.flags & checkWrite) ? Relation::ordered
                                                                               : Relation::withoutFence;
  case BlocksOrder::none: break;
  }
  return Relation::race;
}

void noteRace(const Side &before, Relation relation, const GlobalAccess &access) {
  const RaceLaunch &launch = *access.group.race;
  const uint32_t number = numberOf(before.launch, launch.number);
  const CheckSite *other = siteOf(before.site);
  if (!other)
    return;
  KnownLaunch known;
  {
    const auto all = commands().lock();
    if (number >= all->launches.size())
      return;
    known = all->launches[number];
  }
  Finding finding = access.finding(before.isConstant && &access.site == other ? Kind::sameValue
                                   : relation == Relation::withoutFence       ? Kind::noFence
                                   : number != launch.number                  ? Kind::raceOfLaunches
                                   : relation == Relation::inWarp             ? Kind::raceOfLanes
                                                                              : Kind::raceOfBlocks);
  if (finding.kind == Kind::sameValue)
    access.group.sameValue = {launch.number, before.site};
  finding.other = other;
  finding.otherPlace = known.placeOf(before.item, before.block);
  finding.launch = launch.number;
  finding.otherLaunch = number;
  if (isNamedFirst(finding, known, launch.known)) {
    std::swap(finding.site, finding.other);
    std::swap(finding.place, finding.otherPlace);
    std::swap(finding.launch, finding.otherLaunch);
    finding.kernel = nullptr; // the launch has its name
    if (finding.site->accessBytes)
      finding.bytes = finding.site->accessBytes;
  }
  note(*access.group.launch, finding);
}

void compareWithCopies(const std::vector<HostAccess> &copies, const GlobalAccess &access, uintptr_t begin,
                       uintptr_t end) {
  for (const HostAccess &copy : copies)
    if ((access.writes() || copy.writes()) && touches(copy.region, begin, end)) {
      Finding finding = access.finding(kindOf(copy.use));
      finding.otherSubmission = copy.submission;
      return note(*access.group.launch, finding);
    }
}

void compareWithCopies(const std::vector<HostAccess> &copies, const GlobalAccess &access) {
  const auto begin = reinterpret_cast<uintptr_t>(access.address);
  compareWithCopies(copies, access, begin, begin + access.bytes);
}

} // namespace hiplz::cpu::check
