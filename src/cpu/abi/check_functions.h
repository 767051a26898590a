// SPDX-License-Identifier: MIT
// The interface between checked code and the driver's checks, beside check_site.h: facts about a launch, and further functions that checked
// code calls. The compiler and the driver of one build go together: cached code carries the build of the compiler.
#pragma once
#include "cpu/abi/launch_uses.h"
#include "cpu/abi/runtime_functions.h"

namespace hiplz::cpu {

/// The allocation that a kernel's argument points into. `bytes` is 0 if there is none, or if not all of it may be used.
struct CheckBounds {
  uint64_t begin, bytes;
};

/// A launch of checked code.
struct CheckedLaunch {
  const CheckBounds *bounds; ///< of each parameter
  uint32_t number;           ///< of the launch in the process, from 1 on
  void *races;               ///< of racecheck (check/global_races.cpp), or null
  void *decision;            ///< of racecheck (check/launch_uses.h)
  const CheckUses *uses;     ///< null as long as no work-item has asked for them
};

/// Further bits of CheckSite::flags.
constexpr uint32_t checkBlockScope = 512; ///< an atomic operation that other blocks need not see as one
constexpr uint32_t checkReleases = 1024;  ///< an atomic operation that orders what comes before it
constexpr uint32_t checkFlag = 2048;      ///< a volatile read that decides a branch
constexpr uint32_t checkOrdered = 4096;   ///< barriers order it with all that it could race with
constexpr uint32_t checkMayWait = 8192;   ///< racecheck may look at it at the next barrier
/// The number of the kernel's parameter that the address was made of, from 1 on; 0: none.
constexpr uint32_t kCheckParameterShift = 16;
constexpr uint32_t parameterOf(const CheckSite &site) { return site.flags >> kCheckParameterShift; }

} // namespace hiplz::cpu

extern "C" {

/// Of the device's heap: how many bytes a kernel has to take for `bytes`; it has got `memory`, or null; it is about to free `memory`.
/// The last returns what is to be freed instead, or null.
uint64_t hiplz_cpu_check_heap_bytes(hiplz::cpu::WorkItem *item, uint64_t bytes);
void hiplz_cpu_check_allocated(hiplz::cpu::WorkItem *item, void *memory, uint64_t bytes,
                               const hiplz::cpu::CheckSite *site);
void *hiplz_cpu_check_release(hiplz::cpu::WorkItem *item, void *memory, const hiplz::cpu::CheckSite *site);

/// A memcpy() to memory that it reads as well.
void hiplz_cpu_check_overlap(hiplz::cpu::WorkItem *item, const void *to, uint64_t bytes,
                             const hiplz::cpu::CheckSite *site);

/// An atomic or volatile read has been made.
void hiplz_cpu_check_seen(hiplz::cpu::WorkItem *item, const void *address, const hiplz::cpu::CheckSite *site);

/// A fence that other blocks see.
void hiplz_cpu_check_fence(hiplz::cpu::WorkItem *item);

/// The work-item has come to an operation of its warp, for the lanes of `mask`, and the lanes of `active` with it. The kinds are those of
/// __hiplz_meeting (include/hip/spirv/builtins.h).
void hiplz_cpu_check_meeting(hiplz::cpu::WorkItem *item, const hiplz::cpu::CheckSite *site, uint64_t mask,
                             uint64_t active, uint32_t kind);

/// The work-item has passed an operation of the lanes of its warp that `mask` names.
void hiplz_cpu_check_met_some(hiplz::cpu::WorkItem *item, uint64_t mask);

/// A variable of the work-item exists from now on that pointers may point to which are not followed; or not any more.
void hiplz_cpu_check_private(hiplz::cpu::WorkItem *item, const void *variable, uint64_t bytes);
void hiplz_cpu_check_private_end(hiplz::cpu::WorkItem *item, const void *variable);

/// Like hiplz_cpu_check_access(), of a __shared__ variable or of dynamic shared memory, which has `size` bytes from `base` on.
void hiplz_cpu_check_shared(hiplz::cpu::WorkItem *item, const void *address, uint64_t bytes, const void *base,
                            const hiplz::cpu::CheckSite *site, uint64_t size);

/// Like those for a work-item, for lanes of one warp of the vector path: bit i is the work-item `item->linearId + i`.
void hiplz_cpu_check_barrier_of_lanes(hiplz::cpu::WorkItem *item, const hiplz::cpu::CheckSite *site, uint32_t lanes);
void hiplz_cpu_check_passed_of_lanes(hiplz::cpu::WorkItem *item, uint32_t lanes);
void hiplz_cpu_check_met_of_lanes(hiplz::cpu::WorkItem *item, uint32_t lanes);
/// `addresses`: of each lane; those of others are not looked at.
void hiplz_cpu_check_access_of_lanes(hiplz::cpu::WorkItem *item, const void *const *addresses, uint64_t bytes,
                                     const void *base, const hiplz::cpu::CheckSite *site, uint32_t lanes);
/// Lane i accesses `address + i * stride`, also if lane 0 does not take part.
void hiplz_cpu_check_access_of_row(hiplz::cpu::WorkItem *item, const void *address, int64_t stride, uint64_t bytes,
                                   const void *base, const hiplz::cpu::CheckSite *site, uint32_t lanes);

/// Of a kernel whose work-items all come to the same barriers: the first work-item has passed the `count`-th one, or has begun.
void hiplz_cpu_check_all_passed(hiplz::cpu::WorkItem *item, uint32_t count);
void hiplz_cpu_check_all_passed_of_lanes(hiplz::cpu::WorkItem *item, uint32_t count, uint32_t lanes);

void hiplz_cpu_check_shared_of_lanes(hiplz::cpu::WorkItem *item, const void *const *addresses, uint64_t bytes,
                                     const void *base, const hiplz::cpu::CheckSite *site, uint64_t size,
                                     uint32_t lanes);
void hiplz_cpu_check_shared_of_row(hiplz::cpu::WorkItem *item, const void *address, int64_t stride, uint64_t bytes,
                                   const void *base, const hiplz::cpu::CheckSite *site, uint64_t size, uint32_t lanes);

/// The work-item is where it may have gone past an operation of its warp.
void hiplz_cpu_check_goes_on(hiplz::cpu::WorkItem *item, const hiplz::cpu::CheckSite *site);
}

// All of them: F(constant, function).
#define HIPLZ_CPU_CHECK_FUNCTIONS(F)                                                                                   \
  F(checkHeapBytes, hiplz_cpu_check_heap_bytes)                                                                        \
  F(checkAllocated, hiplz_cpu_check_allocated)                                                                         \
  F(checkRelease, hiplz_cpu_check_release)                                                                             \
  F(checkOverlap, hiplz_cpu_check_overlap)                                                                             \
  F(checkSeen, hiplz_cpu_check_seen)                                                                                   \
  F(checkFence, hiplz_cpu_check_fence)                                                                                 \
  F(checkMetSome, hiplz_cpu_check_met_some)                                                                            \
  F(checkPrivateVariable, hiplz_cpu_check_private)                                                                     \
  F(checkPrivateEnd, hiplz_cpu_check_private_end)                                                                      \
  F(checkMeeting, hiplz_cpu_check_meeting)                                                                             \
  F(checkBarrierOfLanes, hiplz_cpu_check_barrier_of_lanes)                                                             \
  F(checkPassedOfLanes, hiplz_cpu_check_passed_of_lanes)                                                               \
  F(checkMetOfLanes, hiplz_cpu_check_met_of_lanes)                                                                     \
  F(checkAccessOfLanes, hiplz_cpu_check_access_of_lanes)                                                               \
  F(checkAccessOfRow, hiplz_cpu_check_access_of_row)                                                                   \
  F(checkShared, hiplz_cpu_check_shared)                                                                               \
  F(checkSharedOfLanes, hiplz_cpu_check_shared_of_lanes)                                                               \
  F(checkSharedOfRow, hiplz_cpu_check_shared_of_row)                                                                   \
  F(checkAllPassed, hiplz_cpu_check_all_passed)                                                                        \
  F(checkAllPassedOfLanes, hiplz_cpu_check_all_passed_of_lanes)                                                        \
  F(checkUses, hiplz_cpu_check_uses)                                                                                   \
  F(checkGoesOn, hiplz_cpu_check_goes_on)

namespace hiplz::cpu::runtime {
#define HIPLZ_RUNTIME_FUNCTION(constant, function)                                                                     \
  inline constexpr RuntimeFunction<decltype(function)> constant{#function};                                            \
  static_assert(constant.name.starts_with(kRuntimePrefix));
HIPLZ_CPU_CHECK_FUNCTIONS(HIPLZ_RUNTIME_FUNCTION)
#undef HIPLZ_RUNTIME_FUNCTION
} // namespace hiplz::cpu::runtime
