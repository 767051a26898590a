// SPDX-License-Identifier: MIT
// How many work-groups a launch may have, for the driver and for the compiler.
#pragma once
#include <cstdint>
#include <optional>

namespace hiplz::cpu {

/// The most work-groups in one dimension: the number of a group needs all 32 bits.
constexpr uint64_t kMaxGroups = UINT32_MAX;

/// The number of work-groups in all dimensions; nothing if it is too large to be counted.
inline std::optional<uint64_t> totalGroups(const uint32_t count[3]) {
  const auto total = static_cast<unsigned __int128>(count[0]) * count[1] * count[2];
  return total > UINT64_MAX / 2 ? std::nullopt : std::optional(static_cast<uint64_t>(total));
}

} // namespace hiplz::cpu
