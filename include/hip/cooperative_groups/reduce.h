// SPDX-License-Identifier: MIT
// Reductions over tiles and coalesced groups.
#pragma once

#include "../spirv/user_macros_off.h"

#include <hip/cooperative_groups/functors.h>
#include <hip/hip_cooperative_groups.h>

#if defined(__cplusplus) && defined(__HIP__)
namespace cooperative_groups {

/// The operator applied to the values of all threads of the group, in the order of their ranks: the operator must be
/// associative and need not be commutative. T is any type that can be copied by its bytes.
template <class Group, class T, class Operator> __HIPLZ_DEVICE T reduce(const Group &group, T value, Operator op) {
  auto lanes = group.__lanes();
  __hiplz::expectAll(lanes);
  unsigned rank = lanes.rank(), size = lanes.size();
  for (unsigned step = 1; step < size; step *= 2) {
    bool has = step < size - rank;
    T other = __hiplz::valueFrom(value, has ? lanes.lane(rank + step) : __lane_id());
    if (has)
      value = op(value, other);
  }
  return __hiplz::valueFrom(value, lanes.lane(0));
}

} // namespace cooperative_groups
#endif
#include "../spirv/user_macros_on.h"
