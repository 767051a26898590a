// SPDX-License-Identifier: MIT
// Where the shadow of initcheck is (compiler/uninitialized.h): a bit for each bit of memory, set if nobody has written it. All addresses have
// a shadow at their low 44 bits behind kBitShadowBase. Device memory and shared memory of work-groups, whose initialization is tracked,
// have a range of their own. The addresses of everything else have other low bits, and their shadow is always zero.
#pragma once
#include "cpu/abi/check_shadow.h"

namespace hiplz::cpu {

constexpr uint64_t kBitShadowMask = (uint64_t{1} << 44) - 1;
constexpr uint64_t kBitShadowBase = uint64_t{64} << 40;

/// Tracked memory. Low bits of 0 to 8 TiB belong to the rest of the region for kernels and to programs and their heaps, those from 15 TiB on
/// to libraries and stacks.
constexpr uint64_t kTrackedBegin = uint64_t{40} << 40, kTrackedEnd = uint64_t{44} << 40;
static_assert(kTrackedBegin > kRegionBegin && kTrackedEnd < kRegionEnd);

/// Shadow that stays zero, for copies from memory that is not tracked.
constexpr uint64_t kZeroShadow = kBitShadowBase + (uint64_t{13} << 40);

} // namespace hiplz::cpu
