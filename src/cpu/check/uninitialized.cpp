// SPDX-License-Identifier: MIT
// See uninitialized.h. Where a kernel has stored an uninitialized value is kept in a table of limited size, by address, so that a copy of it to
// the host can name the kernel.
#include "cpu/check/uninitialized.h"
#include "base/host_stack.h"
#include "base/kernel_name.h"
#include "base/lockable.h"
#include "base/log.h"
#include "cpu/abi/runtime_functions.h"
#include "cpu/check/findings.h"
#include "cpu/check/memory.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <map>
#include <sys/mman.h>

namespace hiplz::cpu::check {
namespace {

std::atomic<bool> trustsAll{false};

uint8_t *shadowOf(const void *address) {
  return reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(address) & kBitShadowMask) + kBitShadowBase);
}

bool reserve() {
  void *wanted = reinterpret_cast<void *>(kBitShadowBase);
  constexpr size_t kBytes = kBitShadowMask + 1;
  void *memory = ::mmap(wanted, kBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == wanted) {
    ::madvise(memory, kBytes, MADV_DONTDUMP);
    return true;
  }
  if (memory != MAP_FAILED)
    ::munmap(memory, kBytes);
  logLine("initcheck checks nothing: the addresses of its table are taken, or the system refuses to reserve so many");
  return false;
}

bool isAbsentLane(const void *origin) { return reinterpret_cast<uintptr_t>(origin) == kAbsentLane; }

bool isActive(const void *address) {
  return tools().initialization && isTracked(address) && hasBitShadow() && !trustsAll.load(std::memory_order_relaxed);
}

// Large ranges of shadow become pages of zeros again.
void clear(uint8_t *shadow, size_t bytes) {
  constexpr size_t kLarge = 1 << 20;
  constexpr uintptr_t kPage = 4096;
  if (bytes >= kLarge) {
    auto *const first = reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(shadow) + kPage - 1) & ~(kPage - 1));
    auto *const last = reinterpret_cast<uint8_t *>(reinterpret_cast<uintptr_t>(shadow + bytes) & ~(kPage - 1));
    if (::madvise(first, last - first, MADV_DONTNEED) == 0) {
      std::memset(shadow, 0, first - shadow);
      std::memset(last, 0, shadow + bytes - last);
      return;
    }
  }
  std::memset(shadow, 0, bytes);
}

/// An uninitialized value that a kernel has stored.
struct Stored {
  const CheckSite *site = nullptr;
  const char *kernel = nullptr;
  uintptr_t begin = 0;
  uint64_t bytes = 0;
  Place place{};
  bool isOfAbsentLane = false;
};

constexpr size_t kStores = 1 << 14;
/// A value is entered at its beginning and at every multiple of kSpan in it.
constexpr uintptr_t kGranule = 4, kSpan = 64;
using Stores = std::array<Stored, kStores>;

Lockable<Stores> &stores() {
  static auto *all = new Lockable<Stores>(LockRank::cpuCheckStores); // kernels may run when the process ends
  return *all;
}
size_t slotOf(uintptr_t address) { return address / kGranule * 0x9e3779b97f4a7c15ull >> 50; }
static_assert(kStores == size_t{1} << (64 - 50));

/// The state of the byte at an address.
Stored storeAt(const void *byte) {
  const auto address = reinterpret_cast<uintptr_t>(byte);
  const auto all = stores().lock();
  for (uintptr_t at = address / kGranule * kGranule;; at -= kGranule) {
    const Stored &stored = (*all)[slotOf(at)];
    if (stored.site && address - stored.begin < stored.bytes)
      return stored;
    if (at % kSpan == 0)
      return {};
  }
}

using Calls = std::map<const void *, HostStack>; // of copies, by their targets
Lockable<Calls> &calls() {
  static auto *all = new Lockable<Calls>(LockRank::cpuCheckCopies);
  return *all;
}

void reportCopy(const void *copy, const std::byte *from, size_t bytes) {
  const uint8_t *const shadow = shadowOf(from);
  const uint8_t *const first = std::find_if(shadow, shadow + bytes, [](uint8_t bits) { return bits != 0; });
  if (first == shadow + bytes)
    return;
  const std::byte *const byte = from + (first - shadow);
  const auto count =
      static_cast<uint64_t>(std::count_if(first, shadow + bytes, [](uint8_t bits) { return bits != 0; }));
  CheckReport report;
  report.tool = "initcheck";
  report.severity = "error";
  std::string caller;
  {
    const auto all = calls().lock();
    if (const auto found = all->find(copy); found != all->end())
      caller = callerOf(found->second);
  }
  describeAddress(byte, report);
  if (const Stored stored = storeAt(byte); stored.site) {
    report.what = stored.isOfAbsentLane
                      ? "copy to the host of a value that a kernel has shuffled from a lane that does not take part"
                      : "copy to the host of an uninitialized value, which a kernel has written";
    report.kernel = stored.kernel ? readableKernel(stored.kernel) : "";
    report.place = stored.site->text;
    report.item = textOf(stored.place);
    report.other = caller.empty() ? "" : "copied in " + caller;
  } else {
    report.what = "copy to the host of memory that nobody has written";
    report.place = caller;
  }
  add(std::move(report), count);
}

} // namespace

bool hasBitShadow() {
  static const bool reserved = tools().initialization && reserve();
  return reserved;
}

void forget(const void *begin, size_t bytes) {
  if (isActive(begin))
    std::memset(shadowOf(begin), 0xff, bytes);
}

void initialize(const void *begin, size_t bytes) {
  if (isActive(begin))
    clear(shadowOf(begin), bytes);
}

void trustAll() {
  if (!tools().initialization || !hasBitShadow() || trustsAll.exchange(true))
    return;
  logLine("initcheck checks nothing from here on: the program has loaded machine code of a GPU, which cannot be "
          "instrumented");
  ::madvise(reinterpret_cast<void *>(kBitShadowBase), kBitShadowMask + 1, MADV_DONTNEED);
}

void noteCopy(const void *to, const void *from) {
  constexpr size_t kMost = 4096;
  if (!isActive(from) || isTracked(to))
    return;
  const HostStack stack = hostStack();
  const auto all = calls().lock();
  if (all->size() >= kMost)
    all->clear();
  all->insert_or_assign(to, stack);
}

void copied(const void *copy, const void *to, const void *from, size_t bytes) {
  if (isActive(to)) {
    if (isTracked(from))
      std::memmove(shadowOf(to), shadowOf(from), bytes);
    else
      clear(shadowOf(to), bytes);
  } else if (isActive(from)) {
    reportCopy(copy, static_cast<const std::byte *>(from), bytes);
  }
}

void describeUninitialized(const Finding &finding, CheckReport &report) {
  report.tool = "initcheck";
  const uint32_t flags = finding.site->flags;
  const char *use = flags & checkDecides     ? " decides a branch"
                    : flags & checkAddresses ? " is used as an address or an index"
                    : flags & checkDivides   ? " is a divisor"
                    : flags & checkPrints    ? " is printed"
                    : flags & checkLane      ? " chooses a lane"
                                             : " is written to memory that the host reads";
  std::string value = "an uninitialized value";
  if (isAbsentLane(finding.address)) {
    value = "a value shuffled from a lane that does not take part";
  } else if (finding.other) {
    const char *name = finding.other->text + finding.other->objectName;
    value = *name ? std::string("the uninitialized variable ") + name : "an uninitialized variable of the work-item";
  } else if (finding.offset >= 0) {
    value = "uninitialized shared memory";
    report.address = "at offset " + std::to_string(finding.offset);
  } else if (isTracked(finding.address)) {
    value = "uninitialized memory";
    describeAddress(finding.address, report);
  }
  report.what = value + use;
}

void forgetStores(const void *begin, size_t bytes) {
  if (!tools().initialization)
    return;
  for (Stored &stored : *stores().lock())
    if (reinterpret_cast<uintptr_t>(stored.site) - reinterpret_cast<uintptr_t>(begin) < bytes)
      stored = {};
}

} // namespace hiplz::cpu::check

using namespace hiplz::cpu;

// `origin` is an address of tracked memory, or that of a constant with the name of a private variable.
static void noteUninitialized(check::Kind kind, const WorkItem &item, const CheckSite &site, uint64_t origin) {
  using namespace check;
  const auto address = reinterpret_cast<const std::byte *>(origin);
  Finding finding{kind, &site, nullptr, placeOf(item), {}, address, 0, -1, item.worker->kernelName};
  if (isTracked(address)) {
    const uint64_t offset = address - item.worker->local;
    if (offset < item.launch->localBytes)
      finding.offset = static_cast<int64_t>(offset);
  } else if (isOfKind(address, {MemoryKind::code})) {
    finding.other = reinterpret_cast<const CheckSite *>(address);
  }
  note(*item.launch, finding);
}

void hiplz_cpu_check_uninitialized(WorkItem *item, const CheckSite *site, uint64_t origin) {
  noteUninitialized(check::Kind::uninitialized, *item, *site, origin);
}

void hiplz_cpu_check_stored(WorkItem *item, const CheckSite *site, const void *address, uint64_t bytes,
                            uint64_t origin) {
  using namespace check;
  const auto place = reinterpret_cast<uintptr_t>(address);
  if (!isTracked(address)) {
    std::memset(shadowOf(address), 0, bytes); // what is not tracked is always initialized
    if (site->flags & checkComputed && isOfKind(address, {MemoryKind::host, MemoryKind::shared}))
      noteUninitialized(Kind::uninitializedOutput, *item, *site, origin);
    return;
  }
  if (place - reinterpret_cast<uintptr_t>(item->worker->local) >= kMaxLocalBytes) {
    const Stored stored{site, item->worker->kernelName, place, bytes, placeOf(*item), origin == kAbsentLane};
    const auto all = stores().lock();
    (*all)[slotOf(place)] = stored;
    const uintptr_t end = place + std::min<uint64_t>(bytes, kStores * kSpan);
    for (uintptr_t at = (place / kSpan + 1) * kSpan; at < end; at += kSpan)
      (*all)[slotOf(at)] = stored;
  }
}

void hiplz_cpu_check_group(WorkerState *worker, const LaunchState *launch) {
  check::forget(worker->local, launch->localBytes);
}
