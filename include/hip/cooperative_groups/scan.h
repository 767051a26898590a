// SPDX-License-Identifier: MIT
// Prefix sums, and the like, over tiles and coalesced groups.
#pragma once

#include "../spirv/user_macros_off.h"

#include <hip/cooperative_groups/functors.h>
#include <hip/hip_cooperative_groups.h>

#if defined(__cplusplus) && defined(__HIP__)
namespace cooperative_groups {

/// The operator applied to the values of the threads up to the calling one, in the order of their ranks.
template <class Group, class T, class Operator>
__HIPLZ_DEVICE T inclusive_scan(const Group &group, T value, Operator op) {
  auto lanes = group.__lanes();
  __hiplz::expectAll(lanes);
  unsigned rank = lanes.rank(), size = lanes.size();
  for (unsigned step = 1; step < size; step *= 2) {
    bool has = step <= rank;
    T other = __hiplz::valueFrom(value, has ? lanes.lane(rank - step) : __lane_id());
    if (has)
      value = op(other, value);
  }
  return value;
}
template <class Group, class T> __HIPLZ_DEVICE T inclusive_scan(const Group &group, T value) {
  return inclusive_scan(group, value, plus<T>());
}

/// The same of the threads before the calling one; T() in the first thread.
template <class Group, class T, class Operator>
__HIPLZ_DEVICE T exclusive_scan(const Group &group, T value, Operator op) {
  auto lanes = group.__lanes();
  T scanned = inclusive_scan(group, value, op);
  unsigned rank = lanes.rank();
  T before = __hiplz::valueFrom(scanned, rank == 0 ? __lane_id() : lanes.lane(rank - 1));
  return rank == 0 ? T() : before;
}
template <class Group, class T> __HIPLZ_DEVICE T exclusive_scan(const Group &group, T value) {
  return exclusive_scan(group, value, plus<T>());
}

} // namespace cooperative_groups
#endif
#include "../spirv/user_macros_on.h"
