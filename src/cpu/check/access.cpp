// SPDX-License-Identifier: MIT
// What instrumented code calls in front of an access: finds out what memory it is, and whether it may be accessed.
#include "cpu/abi/check_functions.h"
#include "cpu/check/global_races.h"
#include "cpu/check/group_state.h"
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
    if (!allowed)
      noteAccess(wasFreed(address)               ? Kind::freed
                 : isPaddingUpTo(address, bytes) ? Kind::padding
                                                 : Kind::outside,
                 item, address, bytes, 0, site);
    return allowed;
  }
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
    return isInside && (site.flags & checkVariable) ? Races::global : Races::none;
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

/// Where to look for races if all lanes access what they may, as they mostly do; nothing if each has to be looked at.
std::optional<Races> placeOfAll(const WorkItem &first, const void *const *addresses, uint64_t bytes, const void *base,
                                const CheckSite &site, uint32_t lanes) {
  if (site.flags & (checkPrivate | checkVariable))
    return std::nullopt;
  const auto local = reinterpret_cast<uintptr_t>(first.worker->local), object = reinterpret_cast<uintptr_t>(base);
  const auto one = reinterpret_cast<uintptr_t>(addresses[std::countr_zero(lanes)]);
  const bool isShared = one - local < first.launch->localBytes;
  uintptr_t begin = local, end = local + first.launch->localBytes;
  if (isShared && base) {
    begin = object;
    end = site.objectBytes ? std::min<uintptr_t>(end, object + site.objectBytes) : end;
  } else if (!isShared && parameterOf(site)) {
    const CheckBounds &bounds = checkedLaunch(*first.launch).bounds[parameterOf(site) - 1];
    begin = bounds.begin;
    end = begin + bounds.bytes;
  } else if (!isShared) {
    return std::nullopt;
  }
  if ((isShared && begin < local) || end < begin || end - begin < bytes)
    return std::nullopt;
  const uintptr_t last = end - begin - bytes, misaligned = tools().memory ? site.align - 1 : 0;
  bool areRight = true;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const auto place = reinterpret_cast<uintptr_t>(addresses[std::countr_zero(left)]);
    areRight &= place - begin <= last && !(place & misaligned);
  }
  return areRight ? std::optional(isShared ? Races::shared : Races::global) : std::nullopt;
}

void checkAccesses(const WorkItem &first, const void *const *addresses, uint64_t bytes, const void *base,
                   const CheckSite &site, uint32_t lanes) {
  if (bytes == 0)
    return;
  uint32_t shared = 0, global = 0;
  if (const auto place = placeOfAll(first, addresses, bytes, base, site, lanes)) {
    shared = *place == Races::shared ? lanes : 0;
    global = *place == Races::global ? lanes : 0;
    lanes = 0;
  }
  WorkItem item = first;
  for (uint32_t left = lanes; left; left &= left - 1) {
    const auto lane = static_cast<uint32_t>(std::countr_zero(left));
    advance(item, first.linearId + lane - item.linearId);
    const Races races = checkPlace(item, addresses[lane], bytes, base, site);
    shared |= uint32_t{races == Races::shared} << lane;
    global |= uint32_t{races == Races::global} << lane;
  }
  if (!tools().races)
    return;
  if (shared)
    accessShared(first, addresses, bytes, site, shared);
  if (global)
    accessGlobal(first, addresses, bytes, site, global);
}

} // namespace
} // namespace hiplz::cpu::check

void hiplz_cpu_check_access(WorkItem *item, const void *address, uint64_t bytes, const void *base,
                            const CheckSite *site) {
  check::checkAccesses(*item, &address, bytes, base, *site, 1);
}

void hiplz_cpu_check_access_of_lanes(WorkItem *item, const void *const *addresses, uint64_t bytes, const void *base,
                                     const CheckSite *site, uint32_t lanes) {
  check::checkAccesses(*item, addresses, bytes, base, *site, lanes);
}
