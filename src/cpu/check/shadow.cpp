// SPDX-License-Identifier: MIT
// See shadow.h. The whole shadow is reserved at once; pages that nobody touches cost nothing.
#include "cpu/check/shadow.h"
#include "base/log.h"
#include "cpu/check/tools.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>

namespace hiplz::cpu::check {
namespace {

constexpr uint8_t kOwn = 0x7f;

uint8_t *shadowOf(uintptr_t address) { return reinterpret_cast<uint8_t *>((address >> kShadowShift) + kShadowOffset); }

bool reserve() {
  void *wanted = shadowOf(kRegionBegin);
  const size_t bytes = (kRegionEnd - kRegionBegin) >> kShadowShift;
  void *memory = ::mmap(wanted, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (memory == wanted)
    return true;
  if (memory != MAP_FAILED)
    ::munmap(memory, bytes);
  logLine("memcheck does not look at global memory, and racecheck takes stacks for it: the addresses of their tables "
          "are taken");
  return false;
}

} // namespace

bool hasShadow() {
  static const bool reserved = (tools().memory || tools().races) && reserve();
  return reserved;
}

void allow(const void *begin, size_t bytes) {
  if (!inRegion(begin) || !hasShadow())
    return;
  uint8_t *const shadow = shadowOf(reinterpret_cast<uintptr_t>(begin));
  std::memset(shadow, 8, bytes / 8);
  if (bytes % 8)
    shadow[bytes / 8] = bytes % 8;
}

void allowOwn(const void *begin, size_t bytes) {
  if (inRegion(begin) && hasShadow())
    std::memset(shadowOf(reinterpret_cast<uintptr_t>(begin)), kOwn, (bytes + 7) / 8);
}

bool isOwn(const void *address) {
  return inRegion(address) && hasShadow() &&
         (isPrivate(address) || *shadowOf(reinterpret_cast<uintptr_t>(address)) == kOwn);
}

void forbid(const void *begin, size_t bytes) {
  if (!inRegion(begin) || !hasShadow())
    return;
  uint8_t *const shadow = shadowOf(reinterpret_cast<uintptr_t>(begin));
  constexpr size_t kLarge = 1 << 20; // shadow that becomes zero pages again
  const size_t length = (bytes + 7) / 8;
  if (length >= kLarge) {
    constexpr uintptr_t kPage = 4096;
    auto *const first = reinterpret_cast<uint8_t *>((reinterpret_cast<uintptr_t>(shadow) + kPage - 1) & ~(kPage - 1));
    auto *const last = reinterpret_cast<uint8_t *>(reinterpret_cast<uintptr_t>(shadow + length) & ~(kPage - 1));
    std::memset(shadow, 0, first - shadow);
    std::memset(last, 0, shadow + length - last);
    if (::madvise(first, last - first, MADV_DONTNEED) == 0)
      return;
  }
  std::memset(shadow, 0, length);
}

bool isAllowed(const void *address, size_t bytes) {
  if (!hasShadow())
    return true;
  uintptr_t at = reinterpret_cast<uintptr_t>(address);
  const uintptr_t end = at + bytes;
  if (end > kRegionEnd)
    return false;
  while (at < end) {
    const uintptr_t granule = at & ~uintptr_t{7};
    const uintptr_t last = std::min(end, granule + 8);
    if (last - granule > *shadowOf(granule))
      return false;
    at = granule + 8;
  }
  return true;
}

} // namespace hiplz::cpu::check
