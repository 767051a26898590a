// SPDX-License-Identifier: MIT
// The part of the checks' knowledge of a work-group (check/group_state.h) that checked code reads and writes by itself.
#pragma once
#include "cpu/abi/check_site.h"
#include "cpu/abi/compiled_code.h"

namespace hiplz::cpu {

/// An access to shared memory by lanes of a warp, at which racecheck has not looked yet. Lane i is the work-item `item + i`.
struct WaitingAccess {
  const CheckSite *site;
  int32_t at, stride; ///< lane i accesses what begins `at + i * stride` bytes behind the beginning of shared memory
  uint32_t lanes;     ///< bit i: lane i takes part
  uint16_t item, bytes;
};
static_assert(sizeof(WaitingAccess) == 24);

/// The beginning of what WorkerState::check points to, which is never null in checked code with synccheck or racecheck.
struct CheckedGroup {
  static constexpr uint32_t kMostWaiting = 2048;

  const LaunchState *launch = nullptr; ///< of the group; null: of none
  uint32_t id[3] = {};
  uint32_t incompleteMeetings = 0; ///< operations of warps to which not all have come that their masks name
  uint32_t passedByAll = 0;        ///< barriers that the work-items have passed, of those that all come to
  uint32_t waitingCount = 0;
  WaitingAccess waiting[kMostWaiting]; ///< in their order
};

} // namespace hiplz::cpu
