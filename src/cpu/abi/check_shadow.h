// SPDX-License-Identifier: MIT
// Where memory for kernels and its shadow (check/shadow.h) are. Checked code looks at the shadow by itself.
#pragma once
#include <cstdint>

namespace hiplz::cpu {

/// The addresses of memory for kernels. Linux maps from the top of the 128 TiB downwards, programs and their heaps begin at 85 TiB or below
/// 4 GiB, and the shadow memory of sanitizers ends below 16 TiB; that of the checks lies behind it.
constexpr uint64_t kRegionBegin = uint64_t{32} << 40, kRegionEnd = uint64_t{64} << 40;
/// Those of private memory among them, by which a generic pointer to it is recognized.
constexpr uint64_t kPrivateBegin = uint64_t{48} << 40, kPrivateEnd = uint64_t{52} << 40;
constexpr uint64_t kShadowShift = 3, kShadowOffset = uint64_t{16} << 40;

} // namespace hiplz::cpu
