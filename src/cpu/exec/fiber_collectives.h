// SPDX-License-Identifier: MIT
// The arithmetic of collective operations, separate from the scheduling of fibers.
#pragma once
#include "cpu/abi/collective.h"

#include <span>

namespace hiplz::cpu {

/// One participant. Values are bit patterns, zero-extended.
struct Participant {
  uint32_t index; ///< lane in the sub-group, or linear id in the work-group
  uint64_t value;
  uint64_t operand;
  uint64_t result;
};

/// Carries out the operation `code` for participants in ascending order of their index; writes `result` of each.
void performCollective(uint32_t code, std::span<Participant> participants);

} // namespace hiplz::cpu
