// SPDX-License-Identifier: MIT
// Findings of kernels. A kernel may have a small stack and millions of work-items that find the same, so it only notes the first of them in
// a table and counts the others. What was noted is reported when the thread has left the kernel.
#pragma once
#include "base/check_report.h"
#include "cpu/abi/check_site.h"
#include "cpu/abi/compiled_code.h"

#include <cstdint>

namespace hiplz::cpu::check {

enum class Kind : uint32_t {
  outside,        ///< of every allocation
  freed,          ///< memory
  hostMemory,     ///< pageable
  misaligned,     ///< for its type
  outsideShared,  ///< of shared memory or of a variable in it
  outsidePrivate, ///< of an array of the work-item
  outsideVariable,
  race,           ///< between work-items of different warps
  raceInWarp,     ///< between lanes
  raceOfBlocks,   ///< in global memory
  barriersDiffer, ///< work-items wait at different barriers
  barrierMissed   ///< by work-items that have returned
};

struct Place {
  uint32_t block[3], item[3];
};

struct Finding {
  Kind kind;
  const CheckSite *site;
  const CheckSite *other = nullptr; ///< of a race
  Place place{};
  Place otherPlace{};
  const void *address = nullptr;
  uint64_t bytes = 0;
  int64_t offset = 0; ///< in the object
  const char *kernel = nullptr;
};

inline Place placeOf(const WorkItem &item) {
  return {{item.groupId[0], item.groupId[1], item.groupId[2]}, {item.localId[0], item.localId[1], item.localId[2]}};
}

/// Notes what a kernel does wrong; callable on any stack.
void note(const Finding &finding);

/// Reports what has been noted. Not on a kernel's stack.
void reportNoted();

/// Forgets constants of code that is about to be unloaded.
void forgetSites(const void *begin, size_t bytes);

/// A finding of the runtime's (kZeCheckReport of base/driver_extensions.h). Counted with others that say the same.
void reportCall(const char *record, const void *const *pointers, uint32_t count);

/// What the runtime still has to report when the process ends (kZeCheckAtEnd).
void callAtEnd(void (*last)());

} // namespace hiplz::cpu::check
