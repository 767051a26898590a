// SPDX-License-Identifier: MIT
// Functions that instrumented code calls in front of an access: they find out what memory it is, and whether it may be accessed.
#include "cpu/abi/check_functions.h"
#include "cpu/check/global_races.h"
#include "cpu/check/group_state.h"
#include "cpu/check/lane_access.h"
#include "cpu/check/memory.h"
#include "cpu/check/shadow.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <sys/mman.h>
#include <unistd.h>

using namespace hiplz::cpu;

namespace hiplz::cpu::check {
namespace {

constexpr uintptr_t kNearLocal = 32 << 10; // what is so far from shared memory was meant to be in it
constexpr uintptr_t kLargestArguments = 4096;

/// True if there is memory at the address, whoever's it is.
bool isMapped(const void *address) {
  const auto page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  unsigned char resident;
  return ::mincore(reinterpret_cast<void *>(reinterpret_cast<uintptr_t>(address) & ~(page - 1)), 1, &resident) == 0;
}

void noteAccess(Kind kind, const WorkItem &item, const void *address, uint64_t bytes, int64_t offset,
                const CheckSite &site) {
  note(*item.launch, {kind, &site, nullptr, placeOf(item), {}, address, bytes, offset, item.worker->kernelName});
}

/// True for an access that begins or ends in the padding of a row.
bool isPaddingUpTo(const void *address, uint64_t bytes) {
  return isPadding(address) || isPadding(static_cast<const std::byte *>(address) + bytes - 1);
}

/// False if the access has been found to be wrong.
bool checkSharedAccess(const WorkItem &item, uintptr_t offset, const void *address, uint64_t bytes, const void *base,
                       const CheckSite &site) {
  const auto from =
      base ? static_cast<int64_t>(static_cast<const std::byte *>(address) - static_cast<const std::byte *>(base))
           : static_cast<int64_t>(offset);
  const bool isInside = offset < item.launch->localBytes && bytes <= item.launch->localBytes - offset;
  const bool inObject = !base || (from >= 0 && (!site.objectBytes || (static_cast<uint64_t>(from) <= site.objectBytes &&
                                                                      bytes <= site.objectBytes - from)));
  if (!isInside || !inObject) {
    if (tools().memory)
      noteAccess(Kind::outsideShared, item, address, bytes, from, site);
    return false;
  }
  return true;
}

/// False if the access writes __constant__ memory.
bool checkNoConstant(const WorkItem &item, const void *address, uint64_t bytes, const CheckSite &site) {
  const bool isWrong = tools().memory && site.flags & checkWrite && isConstant(address);
  if (isWrong)
    noteAccess(Kind::constantMemory, item, address, bytes, 0, site);
  return !isWrong;
}

/// A private variable whose address others may know, or private memory that is none any more.
void checkPrivateVariable(const WorkItem &item, const void *address, uint64_t bytes, const CheckSite &site) {
  Group &group = groupOf(item);
  const PrivateVariables::Variable *variable = group.variables.find(address);
  const bool isOther = variable && variable->item != item.linearId;
  if (variable && variable->exists != isOther) // the stack of one that is gone may be another one's now
    return;
  Finding finding{isOther ? Kind::privateOfOther : Kind::privateGone,
                  &site,
                  nullptr,
                  placeOf(item),
                  {},
                  address,
                  bytes,
                  0,
                  item.worker->kernelName};
  if (isOther)
    finding.otherPlace = group.placeOf(variable->item);
  note(*item.launch, finding);
}

/// False if the access has been found to be wrong.
bool checkGlobalAccess(const WorkItem &item, const void *address, uint64_t bytes, const void *base,
                       const CheckSite &site) {
  if (const uint32_t parameter = parameterOf(site)) {
    const CheckBounds &bounds = checkedLaunch(*item.launch).bounds[parameter - 1];
    const uint64_t offset = reinterpret_cast<uintptr_t>(address) - bounds.begin;
    if (offset < bounds.bytes && bytes <= bounds.bytes - offset)
      return true;
    if (areApart(base, address)) {
      noteAccess(Kind::otherAllocation, item, address, bytes, 0, site);
      return true;
    }
  }
  if (inRegion(address)) {
    const bool allowed = isAllowed(address, bytes);
    if (!allowed && isOwn(address)) {
      checkPrivateVariable(item, address, bytes, site);
      return true;
    }
    if (!allowed)
      noteAccess(wasFreed(address)               ? Kind::freed
                 : isPaddingUpTo(address, bytes) ? Kind::padding
                                                 : Kind::outside,
                 item, address, bytes, 0, site);
    return allowed;
  }
  if (!checkNoConstant(item, address, bytes, site))
    return false;
  const uintptr_t ofArguments = reinterpret_cast<uintptr_t>(address) - reinterpret_cast<uintptr_t>(item.launch->args);
  if (ofArguments < kLargestArguments || isKnown(address, bytes))
    return true;
  noteAccess(isMapped(address) ? Kind::hostMemory : Kind::outside, item, address, bytes, 0, site);
  return false;
}

/// Where to look for races, if the access is right.
enum class Races { none, shared, global };
Races checkPlace(const WorkItem &item, const void *address, uint64_t bytes, const void *base, const CheckSite &site) {
  const auto place = reinterpret_cast<uintptr_t>(address), local = reinterpret_cast<uintptr_t>(item.worker->local);
  const auto from = static_cast<int64_t>(place - reinterpret_cast<uintptr_t>(base));
  if (site.flags & (checkPrivate | checkVariable)) {
    const bool isInside = from >= 0 && static_cast<uint64_t>(from) <= site.objectBytes &&
                          bytes <= site.objectBytes - static_cast<uint64_t>(from);
    if (!isInside && tools().memory)
      noteAccess(site.flags & checkPrivate ? Kind::outsidePrivate : Kind::outsideVariable, item, address, bytes, from,
                 site);
    else if (isInside && tools().memory && static_cast<uint64_t>(from) % site.align)
      noteAccess(Kind::misaligned, item, address, bytes, 0, site);
    return isInside && site.flags & checkVariable && checkNoConstant(item, address, bytes, site) ? Races::global
                                                                                                 : Races::none;
  }
  if (tools().memory && place % site.align) {
    noteAccess(Kind::misaligned, item, address, bytes, 0, site);
    return Races::none;
  }
  if (place - local + kNearLocal < kMaxLocalBytes + 2 * kNearLocal)
    return checkSharedAccess(item, place - local, address, bytes, base, site) ? Races::shared : Races::none;
  if (site.flags & (checkShared | checkDynamic)) {
    if (tools().memory)
      noteAccess(Kind::outsideShared, item, address, bytes, from, site);
    return Races::none;
  }
  return !tools().memory || checkGlobalAccess(item, address, bytes, base, site) ? Races::global : Races::none;
}

/// From one work-item of the group to one behind it.
void advance(WorkItem &item, uint32_t count) {
  const uint32_t *size = item.launch->groupSize;
  item.linearId += count;
  item.localId[0] += count;
  while (item.localId[0] >= size[0]) {
    item.localId[0] -= size[0];
    if (++item.localId[1] == size[1]) {
      item.localId[1] = 0;
      ++item.localId[2];
    }
  }
}

/// The distances between the addresses of lanes, and all their bits.
struct Extent {
  uintptr_t lowest = UINTPTR_MAX, highest = 0, bits = 0;
};
Extent extentOf(const LaneAccess &access) {
  if (const Row &row = access.row)
    return {row.begin, row.last(), row.begin | row.stride};
  Extent extent;
  for (uint32_t left = access.lanes; left; left &= left - 1) {
    const auto place = reinterpret_cast<uintptr_t>(access.addressOf(static_cast<uint32_t>(std::countr_zero(left))));
    extent = {std::min(extent.lowest, place), std::max(extent.highest, place), extent.bits | place};
  }
  return extent;
}

/// Where to look for races if all lanes access what they may, as they mostly do; nothing if each has to be looked at.
std::optional<Races> placeOfAll(const LaneAccess &access, const void *base) {
  const CheckSite &site = access.site;
  const LaunchState &launch = *access.first.launch;
  const Extent extent = extentOf(access);
  if (site.flags & (checkPrivate | checkVariable) || (tools().memory && extent.bits & (site.align - 1)))
    return std::nullopt;
  const auto local = reinterpret_cast<uintptr_t>(access.first.worker->local);
  const auto isInside = [&](uintptr_t begin, uintptr_t end) {
    return begin <= extent.lowest && extent.highest <= end && access.bytes <= end - extent.highest;
  };
  if (extent.lowest - local < launch.localBytes) {
    const auto object = base ? reinterpret_cast<uintptr_t>(base) : local;
    const uintptr_t end = local + launch.localBytes;
    return object >= local &&
                   isInside(object,
                            base && site.objectBytes ? std::min<uintptr_t>(end, object + site.objectBytes) : end)
               ? std::optional(Races::shared)
               : std::nullopt;
  }
  if (site.flags & (checkShared | checkDynamic) ||
      (extent.lowest < local + kMaxLocalBytes + kNearLocal && extent.highest + kNearLocal >= local))
    return std::nullopt;
  if (const uint32_t parameter = parameterOf(site)) {
    const CheckBounds &bounds = checkedLaunch(launch).bounds[parameter - 1];
    if (isInside(bounds.begin, bounds.begin + bounds.bytes))
      return Races::global;
    return tools().memory ? std::nullopt : std::optional(Races::global);
  }
  constexpr uint64_t kFew = 1024; // allocations lie farther apart
  const auto *const lowest = reinterpret_cast<const void *>(extent.lowest);
  const uint64_t bytes = extent.highest - extent.lowest + access.bytes;
  return !tools().memory || (bytes <= kFew && inRegion(lowest) && isAllowed(lowest, bytes))
             ? std::optional(Races::global)
             : std::nullopt;
}

void checkAccesses(LaneAccess &&access, const void *base) {
  const uint32_t lanes = access.lanes;
  uint32_t shared = 0, global = 0;
  if (const auto place = placeOfAll(access, base)) {
    shared = *place == Races::shared ? lanes : 0;
    global = *place == Races::global ? lanes : 0;
  } else {
    WorkItem item = access.first;
    for (uint32_t left = lanes; left; left &= left - 1) {
      const auto lane = static_cast<uint32_t>(std::countr_zero(left));
      advance(item, access.first.linearId + lane - item.linearId);
      const Races races = checkPlace(item, access.addressOf(lane), access.bytes, base, access.site);
      shared |= uint32_t{races == Races::shared} << lane;
      global |= uint32_t{races == Races::global} << lane;
    }
    if (shared != lanes && global != lanes)
      access.row = {};
  }
  if (!tools().races || access.site.flags & checkOrdered || !(shared | global))
    return;
  Group &group = groupOf(access.first);
  access.lanes = shared;
  if (orders(access.site))
    group.look();
  if (shared)
    group.accessShared(access);
  access.lanes = global;
  if (global)
    accessGlobal(access, group);
}

} // namespace
} // namespace hiplz::cpu::check

void hiplz_cpu_check_access(WorkItem *item, const void *address, uint64_t bytes, const void *base,
                            const CheckSite *site) {
  if (bytes)
    check::checkAccesses({*item, address, 0, bytes, *site, 1}, base);
}

void hiplz_cpu_check_access_of_lanes(WorkItem *item, const void *const *addresses, uint64_t bytes, const void *base,
                                     const CheckSite *site, uint32_t lanes) {
  if (bytes && lanes)
    check::checkAccesses({*item, addresses, bytes, *site, lanes}, base);
}

void hiplz_cpu_check_access_of_row(WorkItem *item, const void *address, int64_t stride, uint64_t bytes,
                                   const void *base, const CheckSite *site, uint32_t lanes) {
  if (bytes && lanes)
    check::checkAccesses({*item, address, stride, bytes, *site, lanes}, base);
}

void hiplz_cpu_check_shared(WorkItem *item, const void *address, uint64_t bytes, const void *base,
                            const CheckSite *site, uint64_t) {
  hiplz_cpu_check_access(item, address, bytes, base, site);
}

void hiplz_cpu_check_shared_of_lanes(WorkItem *item, const void *const *addresses, uint64_t bytes, const void *base,
                                     const CheckSite *site, uint64_t, uint32_t lanes) {
  hiplz_cpu_check_access_of_lanes(item, addresses, bytes, base, site, lanes);
}

void hiplz_cpu_check_shared_of_row(WorkItem *item, const void *address, int64_t stride, uint64_t bytes,
                                   const void *base, const CheckSite *site, uint64_t, uint32_t lanes) {
  hiplz_cpu_check_access_of_row(item, address, stride, bytes, base, site, lanes);
}

void hiplz_cpu_check_overlap(WorkItem *item, const void *to, uint64_t bytes, const CheckSite *site) {
  if (check::tools().memory)
    check::noteAccess(check::Kind::overlap, *item, to, bytes, 0, *site);
}

// Only now is it known what an atomic read may have seen: the call in front of it can come before the other block's write.
void hiplz_cpu_check_seen(WorkItem *item, const void *address, const CheckSite *site) {
  using namespace check;
  Group &group = groupOf(*item);
  if (!group.race || isOwn(address))
    return;
  group.look();
  group.warpOrder.hasRead(warpOf(*item), address);
  if (isLocal(*item, address))
    return;
  if (!group.order)
    group.order = &group.race->blocks.block(group.number);
  group.race->blocks.hasRead(*group.order, group.number, address, site->flags & checkBlockScope);
}

void hiplz_cpu_check_fence(WorkItem *item) {
  using namespace check;
  Group &group = groupOf(*item);
  if (!group.race)
    return;
  if (!group.order)
    group.order = &group.race->blocks.block(group.number);
  group.race->blocks.fences(*group.order);
}
