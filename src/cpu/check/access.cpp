// SPDX-License-Identifier: MIT
// What instrumented code calls in front of an access: finds out what memory it is, and whether it may be accessed.
#include "cpu/abi/check_functions.h"
#include "cpu/check/global_races.h"
#include "cpu/check/group_state.h"
#include "cpu/check/memory.h"
#include "cpu/check/shadow.h"

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

void checkSharedAccess(const WorkItem &item, uintptr_t offset, const void *address, uint64_t bytes, const void *base,
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
    return;
  }
  if (tools().races)
    accessShared(item, static_cast<uint32_t>(offset), bytes, site);
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

} // namespace
} // namespace hiplz::cpu::check

void hiplz_cpu_check_access(WorkItem *item, const void *address, uint64_t bytes, const void *base,
                            const CheckSite *site) {
  using namespace check;
  if (bytes == 0)
    return;
  const auto place = reinterpret_cast<uintptr_t>(address), local = reinterpret_cast<uintptr_t>(item->worker->local);
  if (site->flags & (checkPrivate | checkVariable)) {
    const auto offset = static_cast<int64_t>(place - reinterpret_cast<uintptr_t>(base));
    const bool isInside = offset >= 0 && static_cast<uint64_t>(offset) <= site->objectBytes &&
                          bytes <= site->objectBytes - static_cast<uint64_t>(offset);
    if (!isInside && tools().memory)
      noteAccess(site->flags & checkPrivate ? Kind::outsidePrivate : Kind::outsideVariable, *item, address, bytes,
                 offset, *site);
    if (isInside && tools().races && (site->flags & checkVariable))
      accessGlobal(*item, address, bytes, *site);
    return;
  }
  if (tools().memory && place % site->align) {
    noteAccess(Kind::misaligned, *item, address, bytes, 0, *site);
    return;
  }
  if (place - local + kNearLocal < kMaxLocalBytes + 2 * kNearLocal)
    return checkSharedAccess(*item, place - local, address, bytes, base, *site);
  if (site->flags & (checkShared | checkDynamic)) {
    if (tools().memory)
      noteAccess(Kind::outsideShared, *item, address, bytes,
                 static_cast<int64_t>(place - reinterpret_cast<uintptr_t>(base)), *site);
    return;
  }
  const bool isAccessible = !tools().memory || checkGlobalAccess(*item, address, bytes, base, *site);
  if (tools().races && isAccessible)
    accessGlobal(*item, address, bytes, *site);
}
