// SPDX-License-Identifier: MIT
// Findings of kernels. A kernel may have a small stack and millions of work-items that find the same, so it only notes the first of them in
// a table and counts the others. What was noted is reported when the thread has left the kernel.
#pragma once
#include "base/check_report.h"
#include "cpu/abi/check_functions.h"
#include "cpu/abi/compiled_code.h"

#include <cstdint>
#include <string>

namespace hiplz::cpu::check {

enum class Kind : uint32_t {
  outside,         ///< of every allocation
  otherAllocation, ///< than the one that the pointer came from
  freed,           ///< memory
  hostMemory,      ///< pageable
  freedTwice,      ///< memory of the device's heap
  freedNothing,    ///< an address that no malloc has returned
  padding,         ///< of a pitched row
  misaligned,      ///< for its type
  overlap,         ///< of a memcpy's source and destination
  outsideShared,   ///< of shared memory or of a variable in it
  outsidePrivate,  ///< of an array of the work-item
  outsideVariable,
  constantMemory, ///< is written
  privateGone,    ///< a variable of a work-item whose function has returned, or whose block is no more
  privateOfOther, ///< a variable of another work-item
  race,           ///< between work-items of different warps
  raceInWarp,     ///< between lanes
  raceOfBlocks,   ///< in global memory
  raceOfLanes,    ///< in global memory, between lanes of a warp
  raceOfLaunches, ///< of different streams
  noFence,        ///< the blocks communicate, but nothing orders their other accesses
  sameValue,      ///< writes of one constant
  raceWithWrite,  ///< of a copy or a fill
  raceWithRead,   ///< of a copy
  raceWithStart,  ///< memory of a pool that the stream has not got yet
  raceWithEnd,    ///< memory of a pool that another stream frees
  barriersDiffer, ///< work-items wait at different barriers
  barrierMissed,  ///< by work-items that have returned
  barrierPassed,  ///< by work-items that have not come to it and done something else
  callerNotNamed, ///< by the mask of its own warp function
  namesNoThread,  ///< a mask names lanes that have none
  masksDiffer,    ///< of lanes that call a warp function together
  laneMissing,    ///< that a mask names
  memberMissing,  ///< of a tile or a coalesced group
  noGrid,         ///< a grid barrier, but the launch is not cooperative
  uninitialized,  ///< a value that has an effect (uninitialized.h)
  uninitializedOutput
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
  uint32_t launch = 0; ///< CheckedLaunch::number; 0: that which note() is given
  uint32_t otherLaunch = 0;
  uint32_t otherSubmission = 0; ///< of a copy (launches.h)
};

/// "work-item (1, 0, 0) of block (3, 0, 0)".
std::string textOf(const Place &place);

/// A launch that has begun.
inline const CheckedLaunch &checkedLaunch(const LaunchState &launch) { return *launch.checked; }

inline Place placeOf(const WorkItem &item) {
  return {{item.groupId[0], item.groupId[1], item.groupId[2]}, {item.localId[0], item.localId[1], item.localId[2]}};
}

/// Notes what a kernel of the launch does wrong; callable on any stack.
void note(const LaunchState &launch, Finding finding);

/// Reports a race of a copy or a fill with a kernel, or with another one; not on a kernel's stack. The numbers are those of launches.h.
void reportRaceOfCopy(const Finding &finding);
void reportRaceOfCopies(const void *address, uint32_t submission, uint32_t other);

/// Forgets constants of code that is about to be unloaded.
void forgetSites(const void *begin, size_t bytes);

/// Reports a finding that no kernel has noted. Counted with others that say the same. Not on a kernel's stack.
void add(CheckReport report, uint64_t count);

/// A finding of the runtime's (kZeCheckReport of base/driver_extensions.h). Counted with others that say the same.
void reportCall(const char *record, const void *const *pointers, uint32_t count);

/// The findings that the runtime still has to report when the process ends (kZeCheckAtEnd).
void callAtEnd(void (*last)());

} // namespace hiplz::cpu::check
