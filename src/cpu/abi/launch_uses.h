// SPDX-License-Identifier: MIT
// Uses of a launch, for racecheck: how a kernel uses the memory that its parameters point to, as the compiler knows it (compiler/launch_uses.h),
// and what the driver makes of it when the launch begins (check/launch_uses.h). Checked code looks at the result by itself.
#pragma once
#include "cpu/abi/compiled_code.h"

namespace hiplz::cpu {

/// How a kernel uses the memory that a parameter points to.
enum class ParameterUse : int64_t {
  none, ///< it is no pointer, or is not used
  read, ///< only read
  own,  ///< each work-item has elements of its own, at a sum that the table tells
  any
};

/// The table of a kernel, numbers of 64 bits: how many places there are, which have numbers from 1 on (CheckSite::number); 1 if the kernel also
/// reads through pointers of unknown origin; how many parameters there are. Then of each parameter its ParameterUse, 1 if some accesses are not to whole words, and for `own` the bytes in
/// front of which and behind which the elements begin and end, the sum of products of the elements' place, how many sums there are that must be
/// numbers of 32 bits, and each of these behind a 1 if it must not be negative. A sum is how many products there are, and then of each the
/// factors, four numbers of 16 bits with the lowest first, and how many times it is to be taken.
/// These are the factors:
constexpr uint16_t kUseLocalId = 1, kUseGroupId = 4, kUseGroupSize = 7, kUseGroupCount = 10; // and the dimension
constexpr uint16_t kUseRound = 13;                                                           // of a loop
constexpr uint16_t kUseArgument = 16; // and the parameter's number, from 0 on
constexpr unsigned kUseFactors = 4;

/// The history of an allocation: of each word the launch that has last read it, and the one that has last written it, with the places of the
/// accesses: what is known of them is in the lower half of Side (check/cells.h).
struct CheckTags {
  uint64_t begin = 0, bytes = 0; ///< the allocation; no bytes: each access is looked at by itself
  uint32_t *launches[2]{};       ///< readers, writers
  uint64_t *places[2]{};
};

struct CheckUses {
  uint32_t launch = 0;           ///< its number
  uint32_t ordered = 0;          ///< launches with smaller numbers come before
  const CheckTags *parameters{}; ///< of each
  const uint64_t *
      sites{}; ///< of each place of the kernel: its number as a part of CheckTags::places, 0 as long as it is not known
};

} // namespace hiplz::cpu

extern "C" {
/// The launch's first work-items begin: sets CheckedLaunch::uses.
void hiplz_cpu_check_uses(hiplz::cpu::WorkItem *item, const int64_t *table);
}
